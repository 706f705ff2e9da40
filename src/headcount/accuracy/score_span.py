"""Scores without gold: how far do a system's numbers go with the true ones?

People use a scale in their own way (on real data their mean was half as spread as experts'
scores), so the error in points against a truth nobody has cannot be told; how far scores go
with it can. The correlation with people's mean is corrected for their noise, which two ratings
an item show. What they get wrong together they do not show: if a share x of the variance of
people's consensus is common error, the consensus lies at an angle of arccos √(1−x) from the
truth, and the system's angle to the truth is its angle to the consensus give or take that.
"""

import math

import numpy as np
from numpy.typing import NDArray

from headcount.data import group_rows
from headcount.frozen import frozen
from headcount.sampling.intervals import tail_share

Floats = NDArray[np.float64]


@frozen
class ScoreSpan:
    """The correlation with the true scores: the span at `misled`, and its interval if people's
    consensus had no error of its own; `consensus` is the correlation with that consensus.
    """

    low: float
    high: float
    misled: float
    low_at_zero: float
    high_at_zero: float
    consensus: float


def score_span(
    scores: Floats,
    ratings: Floats,
    *,
    misled: float = 0.05,
    confidence: float = 0.95,
    n_bootstrap: int = 500,
    seed: int = 0,
) -> ScoreSpan | None:
    """The span of the correlation between `scores` (n,) and the truth behind `ratings` (n, J).

    NaN stands for no rating. None where people's means do not differ beyond their noise, or
    fewer than three items have two ratings.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=300)
    >>> found = score_span(truth + rng.normal(size=300), truth[:, None] + rng.normal(size=(300, 4)))
    >>> found.low_at_zero < 0.707 < found.high_at_zero
    True
    """
    given = (~np.isnan(ratings)).sum(axis=1)
    kept = (given >= 2) & ~np.isnan(scores)
    if kept.sum() < 3:
        return None
    count = given[kept].astype(float)
    filled = np.where(np.isnan(ratings[kept]), 0.0, ratings[kept])
    mean = filled.sum(axis=1) / count
    away = np.where(np.isnan(ratings[kept]), 0.0, ratings[kept] - mean[:, None])
    noise = (away**2).sum(axis=1) / (count - 1) / count
    n = len(mean)
    alike = group_rows(scores[kept], mean, noise)
    given_scores, mean, noise = (each[alike.first] for each in (scores[kept], mean, noise))
    rng = np.random.default_rng([seed, 53])
    draws = rng.multinomial(n, alike.size / n, size=n_bootstrap)
    whole = _corrected(given_scores, mean, noise, alike.size[None].astype(float))
    if math.isnan(whole[0]):
        return None
    angle = float(np.arccos(whole[0]))
    found = _corrected(given_scores, mean, noise, draws.astype(float))
    angles = np.arccos(np.where(np.isnan(found), 0.0, found))
    tail = tail_share(confidence, n)
    far = max(float(np.quantile(angles, 1 - tail)), angle)
    near = min(float(np.quantile(angles, tail)), angle)
    turn = math.acos(math.sqrt(1 - misled))
    return ScoreSpan(
        low=math.cos(min(far + turn, math.pi)),
        high=math.cos(max(near - turn, 0.0)),
        misled=misled,
        low_at_zero=math.cos(far),
        high_at_zero=math.cos(near),
        consensus=float(whole[0]),
    )


def _corrected(scores: Floats, mean: Floats, noise: Floats, weights: Floats) -> Floats:
    """Correlation of scores with the means less their noise, (B,), for weights (B, n).

    NaN where the means do not differ beyond their noise.
    """
    total = weights.sum(axis=1)

    def average(values: Floats) -> Floats:
        averaged: Floats = weights @ values / total
        return averaged

    small = total / (total - 1)
    about, around = average(scores), average(mean)
    together = (average(scores * mean) - about * around) * small
    own = (average(scores**2) - about**2) * small
    between = (average(mean**2) - around**2) * small - average(noise)
    product = own * between
    known = (own > 0) & (between > 0)
    found: Floats = np.where(
        known, np.clip(together / np.sqrt(np.where(known, product, 1.0)), -1, 1), np.nan
    )
    return found
