"""Worlds with random raters whose truths are known, and the statistics measured in them.

Given the item, the answers of raters drawn at random are independent with one chance p of a
"yes", so what people would say of the classifier, of each other and of its worth are closed
forms. Across items one rater's answers hang together, which is what intervals have to count.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from scipy import special

from headcount.sampling.crossing import Sides, crossing_interval
from headcount.sampling.people import interval, variance_counted_twice
from headcount.sampling.samples import Plan, rater_groups

CLIP = 0.02
MOST = 6
"""The curve is drawn to so many raters at most."""


@dataclass(frozen=True)
class World:
    """Kinds of items: their share, chance of a yes, and how often the classifier says yes."""

    kind: str
    place: np.ndarray
    share: np.ndarray
    yes: np.ndarray
    says: np.ndarray
    spread: float

    @property
    def soft(self):
        """The chance of a yes given the classifier's no, and given its yes."""
        no, yes = self.share * (1 - self.says), self.share * self.says
        return np.array([no @ self.yes / no.sum(), yes @ self.yes / yes.sum()])

    def truths(self):
        """Share who agree, alpha, and worth."""
        no, yes = self.share * (1 - self.says), self.share * self.says
        agree = yes @ self.yes + no @ (1 - self.yes)
        overall = self.share @ self.yes
        alpha = 1 - self.share @ (self.yes * (1 - self.yes)) / (overall * (1 - overall))
        score = sum(
            part @ (self.yes * np.log2(soft) + (1 - self.yes) * np.log2(1 - soft))
            for part, soft in zip((no, yes), self.soft, strict=True)
        )
        curve = self._curve(12)
        return {"agree": agree, "alpha": alpha, "worth": np.interp(score, curve, np.arange(13))}

    def _curve(self, most):
        scores = []
        for k in range(most + 1):
            total = 0.0
            for a in range(k + 1):
                seen = comb(k, a) * self.yes**a * (1 - self.yes) ** (k - a) * self.share
                told = np.clip(seen @ self.yes / seen.sum(), CLIP, 1 - CLIP)
                total += seen @ self.yes * np.log2(told)
                total += seen @ (1 - self.yes) * np.log2(1 - told)
            scores.append(total)
        return np.array(scores)

    def draw(self, rng, n_items, n_raters, *, ragged=False, per_document=1):
        """Answers (n, m) with NaN where not asked, and the classifier's (n,)."""
        kind = rng.choice(len(self.share), n_items, p=self.share)
        if per_document > 1:
            shared = rng.choice(len(self.share), n_items // per_document, p=self.share)
            kind = np.where(rng.random(n_items) < 0.7, np.repeat(shared, per_document), kind)
        if self.kind == "accuracy":
            right = np.clip(rng.normal(0.75, self.spread, n_raters), 0.02, 0.98)
            chance = np.where(self.place[kind][:, None] > 0, right, 1 - right)
        else:
            chance = special.ndtr(
                self.place[kind][:, None] + self.spread * rng.standard_normal(n_raters)
            )
        answers = (rng.random((n_items, n_raters)) < chance).astype(float)
        if ragged:
            busy = rng.uniform(0.4, 1, n_raters) if n_raters <= 5 else rng.uniform(0.2, 1, n_raters)
            asked = busy if n_raters <= 5 else busy * 10 / busy.sum()
            answers[rng.random(answers.shape) >= asked] = np.nan
        return answers, (rng.random(n_items) < self.says[kind]).astype(int)


def accuracy_world(spread=0.1):
    """Two kinds of items; raters are right with normal chances, mean .75, sd `spread`."""
    grid = special.ndtri((np.arange(20_001) + 0.5) / 20_001)
    right = np.clip(0.75 + spread * grid, 0.02, 0.98).mean()
    half = np.array([0.5, 0.5])
    place, yes = np.array([-1.0, 1.0]), np.array([1 - right, right])
    return World("accuracy", place, half, yes, np.array([0.2, 0.8]), spread)


def leniency_world():
    """Four kinds of items; raters differ in where they draw the line, probit sd 1."""
    place = np.array([-2.4, -0.8, 0.8, 2.4])
    yes = special.ndtr(place / np.sqrt(2))
    share = np.array([0.3, 0.2, 0.2, 0.3])
    return World("leniency", place, share, yes, special.ndtr(0.75 * place), 1.0)


WORLDS = {"accuracy": accuracy_world(), "leniency": leniency_world()}


def curve_by_item(yes, n, most):
    """What surveys of 0 … `most` score on each item, learned from the other items (ABC)."""
    patterns, item, times = np.unique(yes + 1000 * n, return_inverse=True, return_counts=True)
    c, total = patterns % 1000.0, patterns // 1000.0

    falls = [
        np.cumprod([np.ones(len(c)), *(np.maximum(each - i, 0) for i in range(most + 1))], axis=0)
        for each in (c, total - c, total)
    ]

    def head(a, b):
        """The chance that an item's ratings begin with a given order of a yes and b no."""
        return falls[0][a] * falls[1][b] / falls[2][a + b]

    prior = times @ head(1, 0) / times.sum()
    out = np.zeros((len(patterns), most + 1))
    for k in range(most + 1):
        for a in range(k + 1):
            own, other = head(a + 1, k - a), head(a, k - a + 1)
            first, second = times @ own - own, times @ other - other
            seen = first + second
            told = np.where(seen > 1e-12, first / np.where(seen > 1e-12, seen, 1), prior)
            told = np.clip(told, CLIP, 1 - CLIP)
            out[:, k] += comb(k, a) * (own * np.log2(told) + other * np.log2(1 - told))
    return out[item.ravel()]


def _features(answers, said, soft, keep, most):
    """What each item adds: every statistic is a function of their weighted sums."""
    n = (~np.isnan(answers)).sum(axis=1)
    yes = np.nansum(answers, axis=1).astype(int)
    no, size, paired = n - yes, np.maximum(n, 1), n > 1
    agree = np.where(said == 1, yes, no) / size
    score = (yes * np.log2(soft[said]) + no * np.log2(1 - soft[said])) / size
    keep = keep & (n > most)
    curve = np.zeros((len(n), most + 1))
    curve[keep] = curve_by_item(yes[keep], n[keep], most)
    apart = np.where(paired, 2 * yes * no / np.maximum(n - 1, 1), 0)
    return np.column_stack(
        [n > 0, agree * (n > 0), yes * paired, no * paired, apart, keep, score * keep, curve]
    )


def _statistics(features, weights):
    sums = weights @ features
    rated, agree, yes, no, apart, kept, score = sums[:, :7].T
    return {
        "agree": agree / rated,
        "alpha": 1 - apart * (yes + no - 1) / (2 * yes * no),
        "worth": Sides(score / kept, sums[:, 7:] / kept[:, None]),
    }


def crossing(sides):
    """Where the whole table's score meets its curve."""
    h, c = sides.score[0], sides.curve[0]
    if h <= c[0]:
        return -np.inf
    above = np.flatnonzero(c > h)
    if not len(above):
        return np.inf
    k = above[0]
    return k - 1 + (h - c[k - 1]) / (c[k] - c[k - 1])


def estimates(
    world, rng, n_items, n_raters, *, ragged=False, per_document=1, n_bootstrap=200, less=False
):
    """Share who agree, alpha and worth of one data set, with intervals about people.

    `less` takes off what items and raters both count, by ten groups of items left out.
    """
    answers, said = world.draw(rng, n_items, n_raters, ragged=ragged, per_document=per_document)
    n = (~np.isnan(answers)).sum(axis=1)
    ratings = max(range(2, n.max() + 1), key=lambda k: k * (n >= k).sum())
    most = min(ratings - 1, MOST)
    keep = n > most
    units = n_items // per_document
    once = np.ones((1, n_items))
    draws = np.repeat(
        rng.multinomial(units, np.full(units, 1 / units), size=n_bootstrap), per_document, axis=1
    )
    tenth = np.repeat(rng.permutation(units) % 10, per_document)
    left_out = np.array([tenth != group for group in range(10)], dtype=float)
    features = _features(answers, said, world.soft, keep, most)
    whole, drawn, less_items = (_statistics(features, each) for each in (once, draws, left_out))
    # One survey size fewer, unless every item has a rating to spare.
    shorter = most if n[keep].min() > most + 1 else most - 1
    groups = rater_groups(n_raters)
    without, both = [], []
    for group in range(groups.max() + 1):
        left = np.where(groups == group, np.nan, answers)
        features = _features(left, said, world.soft, keep, shorter)
        without.append(_statistics(features, once))
        both.append(_statistics(features, left_out))
    plan = Plan(n_items, clusters=units if per_document > 1 else None, raters=n_raters)
    found = {}
    for name, scale in (("agree", "share"), ("alpha", "coefficient")):
        value, others = whole[name][0], [each[name][0] for each in without]
        cells = np.column_stack([each[name] for each in both])
        twice = variance_counted_twice(value, less_items[name], others, cells) if less else 0.0
        found[name] = interval(value, drawn[name], others, plan=plan, scale=scale, twice=twice)
    cells = Sides(
        np.column_stack([each["worth"].score for each in both]).ravel(),
        np.stack([each["worth"].curve for each in both], axis=1).reshape(-1, shorter + 1),
    )
    found["worth"] = crossing_interval(
        crossing(whole["worth"]),
        whole["worth"],
        drawn["worth"],
        Sides(
            np.array([each["worth"].score[0] for each in without]),
            np.array([each["worth"].curve[0] for each in without]),
        ),
        plan=plan,
        without_items=less_items["worth"] if less else None,
        without_both=cells if less else None,
    )
    return found


def holds(estimate, truth):
    """Whether the interval holds the truth; a censored end holds all beyond its limit."""
    low = estimate.low if estimate.low is not None else -np.inf
    high = estimate.high if estimate.high is not None else np.inf
    if estimate.low_state == "above":
        low = estimate.ceiling
    return low <= truth <= high


def contains_its_value(estimate):
    """Whether the interval holds the estimate itself."""
    value = estimate.value
    if value is None:
        value = np.inf if estimate.state == "above" else -np.inf
        return (estimate.high is None) if value > 0 else (estimate.low is None)
    low = -np.inf if estimate.low is None else estimate.low
    high = np.inf if estimate.high is None else estimate.high
    return low <= value <= high
