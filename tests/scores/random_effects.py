"""Random-effects worlds of numbers whose truths are known, and a judge worth k people in them."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

from headcount.sampling.delta import Smooth
from headcount.sampling.samples import Plan
from headcount.scores.calibration import calibrated
from headcount.scores.components import components, true_error
from headcount.scores.judge import numeric_worth
from headcount.scores.people import People, Said


@dataclass(frozen=True)
class World:
    """r = item + rater + error; `tails` "normal" or "t3", `grid` the step of rounded ratings."""

    between: float = 0.4
    within: float = 0.6
    tails: str = "normal"
    grid: float | None = None
    severity: float = 0.0

    def noise(self, rng, shape):
        if self.tails == "t3":
            return rng.standard_t(3, shape) / np.sqrt(3)
        return rng.standard_normal(shape)

    def draw(self, rng, n_items, n_ratings, k):
        """Ratings (I, R) and the best linear prediction from k other people (I,)."""
        item = np.sqrt(self.between) * self.noise(rng, n_items)
        rater = np.sqrt(self.severity) * rng.standard_normal(n_ratings)
        alone = np.sqrt(self.within - self.severity)
        error = alone * self.noise(rng, (n_items, n_ratings))
        ratings = item[:, None] + rater + error
        if self.grid is not None:
            ratings = self.grid * np.round(ratings / self.grid)
        heard = item + np.sqrt(self.within / k) * rng.standard_normal(n_items)
        return ratings, k * self.between / (k * self.between + self.within) * heard

    def truth(self, k):
        """The worth of that judge: k, unless rounding changes what people mean."""
        return k if self.grid is None else _rounded_truth(self, k)


@cache
def _rounded_truth(world, k):
    """On a grid an item's true score is the mean of its rounded ratings, by sums over levels."""
    law = stats.t(3, scale=1 / np.sqrt(3)) if world.tails == "t3" else stats.norm()
    item = np.sqrt(world.between) * law.ppf((np.arange(4000) + 0.5) / 4000)
    levels = world.grid * np.arange(-400, 401)
    edges = np.concatenate([[-np.inf], levels[:-1] + world.grid / 2, [np.inf]])
    shares = np.diff(law.cdf((edges - item[:, None]) / np.sqrt(world.within)), axis=1)
    score = shares @ levels
    within = float((shares @ levels**2 - score**2).mean())
    shrunk = k * world.between / (k * world.between + world.within)
    error = float(((shrunk * item - score) ** 2).mean()) + shrunk**2 * world.within / k
    return within * (1 / error - 1 / float(score.var()))


def people_of(ratings, *, named=False):
    """Ratings (I, R) as `People`."""
    n_items, n_ratings = ratings.shape
    if named:
        item, rater = np.divmod(np.arange(ratings.size), n_ratings)
        return Said.of(item, ratings.ravel(), n_items, rater).people()
    return People(np.full(n_items, n_ratings), ratings.mean(axis=1), ratings.var(axis=1, ddof=1))


def worth_in(people, judge, *, how=None, confidence=0.95):
    """The worth of a judge, as it stands or calibrated, with items as the sample."""
    numbers = judge if how is None else calibrated(people, judge, how)
    found = components(people)
    error, added = true_error(people, numbers)
    return numeric_worth(
        Smooth.of(
            ("within", "between", "error"),
            np.array([found.within, found.between, error]),
            np.column_stack([found.within_influence, found.between_influence, added]),
            plan=Plan(len(people.n)),
            confidence=confidence,
        )
    )


def holds(estimate, truth):
    """Whether the interval holds the truth; a censored end holds all beyond its limit."""
    low = -np.inf if estimate.low is None else estimate.low
    if estimate.low_state == "above":
        low = estimate.ceiling
    high = np.inf if estimate.high is None else estimate.high
    if estimate.high_state == "below":
        high = 0.0
    return low <= truth <= high
