"""Between what and what does accuracy lie, when nobody has the truth?

Several models explain the same ratings, and they disagree about the system: even errors (the
algebra), free error rates, raters with rates of their own, raters who err together with a
system that errs on its own or along with them. Each has its interval; the span is the hull of
those that the data do not reject. One thing no model can see: items on which everybody is
misled look like ordinary items of another label. A share x of such items moves accuracy by
up to x, and the span carries it as a condition.
"""

from dataclasses import dataclass

import numpy as np

from headcount.accuracy.algebraic_interval import algebraic_interval
from headcount.accuracy.assumptions import (
    Assumption,
    even_errors,
    independent_errors,
    judged,
)
from headcount.accuracy.ballots import Ballots, Floats, Ints, ballots
from headcount.accuracy.profile import Curve, profile, swept
from headcount.accuracy.shared_errors import Model, divided_items

MISLED = 0.05
"""The share of items on which everyone is misled, unless the user says otherwise."""

LENT = 2.0
"""Ratings that a named rater is lent in each class, spread as all raters' are."""

RATINGS_A_NUMBER = 15
"""Named raters get error rates of their own from so many ratings a number on."""

MOST_CELLS = 20_000_000
"""Items × raters × labels past which named raters are taken together."""


@dataclass(frozen=True)
class Part:
    """One model's accuracy and interval, and whether it is part of the span (if not, why).

    The numbers are None where the model has no answer.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    counted: bool = True
    why: str = ""


@dataclass(frozen=True)
class Span:
    """What lies between `low` and `high` if people are all misled on a share `misled` of the
    items at most, and between `low_at_zero` and `high_at_zero` if they never are.

    `parts` are the models; `alone` and `together` the curves over how far raters' mistakes
    coincide, for a system that errs on its own and for one that errs along with people.
    """

    low: float
    high: float
    misled: float
    low_at_zero: float
    high_at_zero: float
    parts: tuple[Part, ...]
    assumptions: tuple[Assumption, ...]
    alone: Curve
    together: Curve

    def at(self, misled: float) -> tuple[float, float]:
        """The span if everyone is misled on a share `misled` of the items."""
        return widened(self.low_at_zero, self.high_at_zero, misled)

    def ends_set_by(self) -> tuple[str, str]:
        """Which models set the lower and the upper end: what the width comes from."""
        counted = [part for part in self.parts if part.counted]
        lowest = next(part.name for part in counted if part.low == self.low_at_zero)
        highest = next(part.name for part in counted if part.high == self.high_at_zero)
        return lowest, highest


def widened(low: float, high: float, misled: float) -> tuple[float, float]:
    """The ends when a share of items may mislead everyone.

    On such an item the label that people's ratings point to is wrong: an answer that follows
    it counts as right and is wrong, one that does not may be right after all.
    """
    return max(low - misled, 0.0), min(high + misled, 1.0)


def accuracy_span(
    counts: Ints,
    answer: Ints,
    *,
    ratings: Ints | None = None,
    weight: Floats | None = None,
    misled: float = MISLED,
    confidence: float = 0.95,
    n_bootstrap: int = 200,
    seed: int = 0,
) -> Span:
    """The span of a system's accuracy without gold.

    Parameters
    ----------
    counts : (n, L) array
        Ratings of each item by label.
    answer : (n,) array
        The system's answer to each item, L for one outside the labels.
    ratings : (n, J) array, optional
        Who said what where raters have names: label codes, −1 for none.
    weight : (n,) array, optional
        How much each item counts; scaled to Kish's effective number of items.
    misled : float
        Share of items on which everyone may be misled.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(600) < 0.4
    >>> ratings = rng.random((600, 4)) < np.where(truth, 0.8, 0.1)[:, None]
    >>> counts = np.stack([(~ratings).sum(axis=1), ratings.sum(axis=1)], axis=1)
    >>> answer = np.where(rng.random(600) < 0.9, truth, ~truth).astype(int)
    >>> found = accuracy_span(counts, answer)
    >>> found.low_at_zero < 0.9 < found.high_at_zero
    True
    >>> round(found.low_at_zero - found.low, 3)
    0.05
    """
    n_labels = counts.shape[1]
    n_answers = max(n_labels, int(answer.max(initial=0)) + 1)
    load = _effective(weight)
    plain = ballots([counts], load, answer, n_answers)
    coupled = ballots([counts], load, answer, n_answers, coupling=1.0)
    dependences = swept(n_labels)
    alone, models = profile(plain, dependences=dependences, confidence=confidence)
    together, _ = profile(coupled, dependences=dependences, confidence=confidence)
    free = _free(plain, models, alone)
    half = (alone.first[1] - alone.first[0]) / 2
    even = even_errors(plain, free.model, free.reached, half)
    assumptions = [even, _independence(alone, free, half)]
    algebra = algebraic_interval(
        counts, answer, load, confidence=confidence, n_bootstrap=n_bootstrap, seed=seed
    )
    parts = [_algebraic(algebra, even), free.part, *_sharing(alone, together)]
    named = _named(ratings, counts, load, answer, n_answers, free, confidence)
    if named is not None:
        parts.append(named.part)
        assumptions.append(named.against(free, half))
    low, high = _hull(parts)
    ends = widened(low, high, misled)
    return Span(*ends, misled, low, high, tuple(parts), tuple(assumptions), alone, together)


def _hull(parts: list[Part]) -> tuple[float, float]:
    lows = [part.low for part in parts if part.counted and part.low is not None]
    highs = [part.high for part in parts if part.counted and part.high is not None]
    return min(lows), max(highs)


@dataclass(frozen=True)
class _Free:
    """The model with free error rates and independent raters: ρ = 0 of the sweep."""

    part: Part
    accuracy: float
    model: Model
    reached: float


def _free(data: Ballots, models: Model, curve: Curve) -> _Free:
    model = models.pick(np.array([0]))
    accuracy = float(curve.accuracy[0])
    part = Part("latent_class", accuracy, *curve.first)
    return _Free(part, accuracy, model, _likelihood(data, model))


def _sharing(alone: Curve, together: Curve) -> list[Part]:
    """The latent classes with shared errors, at their best dependence."""
    curves = {"shared_errors": alone, "shared_with_system": together}
    return [
        Part(name, float(curve.accuracy[curve.best()]), *curve.span())
        for name, curve in curves.items()
    ]


def _independence(alone: Curve, free: _Free, half_width: float) -> Assumption:
    best = alone.best()
    gain = float(alone.drop[0] - alone.drop[best])
    freed = float(alone.accuracy[best])
    return independent_errors(gain, free.accuracy, freed, half_width)


def _algebraic(found: tuple[float, float, float] | None, even: Assumption) -> Part:
    if found is None:
        why = "raters agree no better than chance"
        return Part("algebraic", None, None, None, False, why)
    if even.rejected:
        why = f"errors are not spread evenly (p = {even.p_value:.2g})"
        return Part("algebraic", *found, False, why)
    return Part("algebraic", *found)


@dataclass(frozen=True)
class _Named:
    """The model with error rates for each rater: what its numbers gain in log-likelihood."""

    part: Part
    accuracy: float
    gain: float
    freedom: int

    def against(self, free: _Free, half_width: float) -> Assumption:
        return judged(
            "raters equally good",
            self.gain,
            self.freedom,
            free.accuracy,
            self.accuracy,
            half_width,
        )


def _named(
    ratings: Ints | None,
    counts: Ints,
    weight: Floats | None,
    answer: Ints,
    n_answers: int,
    free: _Free,
    confidence: float,
) -> _Named | None:
    """Error rates for each rater; None where there are no names or too few ratings for that."""
    n_labels = counts.shape[1]
    members = None if ratings is None else rater_members(ratings, n_labels)
    if members is None:
        return None
    data = ballots(members, weight, answer, n_answers)
    raters = len(members)
    prior = LENT * np.tile(free.model.chances[:, :, 0], (raters, 1))
    curve, models = profile(
        data, dependences=np.zeros((n_labels, 1)), confidence=confidence, prior=prior
    )
    pooled = Model(free.model.joint, np.tile(free.model.chances, (raters, 1, 1)), models.dependence)
    return _Named(
        Part("latent_class_by_rater", float(curve.accuracy[0]), *curve.span()),
        float(curve.accuracy[0]),
        _likelihood(data, models) - _likelihood(data, pooled),
        (raters - 1) * n_labels * (n_labels - 1),
    )


def rater_members(ratings: Ints, n_labels: int) -> list[Ints] | None:
    """Each rater's answers as counts (n, L); None where there are too few for rates of their own.

    Raters without any rating are left out.
    """
    kept = ratings[:, (ratings >= 0).any(axis=0)]
    raters = kept.shape[1]
    numbers = raters * n_labels * (n_labels - 1)
    few = (kept >= 0).sum() < RATINGS_A_NUMBER * numbers
    if raters < 2 or few or kept.size * n_labels > MOST_CELLS:
        return None
    return [one_hot(kept[:, rater], n_labels) for rater in range(raters)]


def _likelihood(data: Ballots, model: Model) -> float:
    return float(divided_items(data, model)[1][0])


def one_hot(codes: Ints, n_labels: int) -> Ints:
    """(n, L) counts of one answer an item, none where the code is −1."""
    counts: Ints = (codes[:, None] == np.arange(n_labels)).astype(np.int64)
    return counts


def _effective(weight: Floats | None) -> Floats | None:
    """Weights that sum to Kish's effective number of items, (Σw)²/Σw²."""
    if weight is None:
        return None
    load = np.asarray(weight, dtype=float)
    scaled: Floats = load * load.sum() / (load**2).sum()
    return scaled
