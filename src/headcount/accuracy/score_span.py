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

from headcount.arrays import Floats
from headcount.data import Study, enough, group_rows
from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.sampling import Bootstrap, Tail, resample

# As many as intervals have by default.
SAMPLES = 500

# Items × bootstrap samples past which fewer samples are drawn, a hundred at least.
MOST_DRAWN = 5_000_000


@frozen
class Scores:
    """Items' mean scores by people (n,), the variance (n,) that single ratings leave in each mean
    (NaN where there is one rating), and each system's scores (n,).
    """

    mean: Floats
    noise: Floats
    systems: tuple[Floats, ...]


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


def scores_of(study: Study) -> Scores | None:
    """People's and classifiers' scores, where labels are numbers and more than two."""
    values, judged = study.labels.values, study.judged
    if values is None or not study.scale.has_order or study.labels.n < 3:
        return None
    counts = enough(judged.counts)
    given = counts.sum(axis=1)
    mean = counts @ values / np.maximum(given, 1)
    away = (counts * (values - mean[:, None]) ** 2).sum(axis=1)
    several = given > 1
    noise = np.where(several, away / np.where(several, (given - 1) * given, 1), np.nan)
    systems = tuple(
        np.where(each.top() < 0, np.nan, values[each.top()])
        if each.probabilities is None
        else each.probabilities @ values
        for each in judged.classifiers
    )
    return Scores(mean, noise, systems)


def correlation_span(
    scores: Scores, system: int, *, misled: float, confidence: float, seed: int
) -> Estimate:
    """How far a system's scores go with the true ones, as a span."""
    found = score_span(
        scores.systems[system],
        scores.mean,
        scores.noise,
        misled=misled,
        confidence=confidence,
        n_bootstrap=max(100, min(SAMPLES, MOST_DRAWN // len(scores.mean))),
        seed=seed,
    )
    if found is None:
        return Estimate.undefined("people's mean scores do not differ beyond their noise")
    note = (
        f"without gold, if {100 * misled:g} % of the variance of people's consensus is common "
        f"error at most; {found.low_at_zero:.2f} to {found.high_at_zero:.2f} if there is none"
    )
    return Estimate.span(found.low, found.high, note)


def score_span(
    scores: Floats,
    mean: Floats,
    noise: Floats,
    *,
    misled: float = 0.05,
    confidence: float = 0.95,
    n_bootstrap: int = SAMPLES,
    seed: int = 0,
) -> ScoreSpan | None:
    """The span of the correlation between `scores` (n,) and the truth behind people's `mean` (n,),
    in which single ratings leave the variance `noise` (n,).

    None where people's means do not differ beyond their noise, or fewer than three items have
    two ratings.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=300)
    >>> people = truth[:, None] + rng.normal(size=(300, 4))
    >>> mean, noise = people.mean(axis=1), people.var(axis=1, ddof=1) / 4
    >>> found = score_span(truth + rng.normal(size=300), mean, noise)
    >>> found.low_at_zero < 0.707 < found.high_at_zero
    True
    """
    kept = ~np.isnan(noise) & ~np.isnan(scores)
    n = int(kept.sum())
    if n < 3:
        return None
    alike = group_rows(scores[kept], mean[kept], noise[kept])
    given, means, noises = (each[kept][alike.first] for each in (scores, mean, noise))
    whole = float(_corrected(given, means, noises, alike.size[None])[0])
    if math.isnan(whole):
        return None
    angle = math.acos(whole)
    drawn = resample(
        Bootstrap(n_bootstrap, confidence, seed),
        alike.size,
        lambda times: {"correlation": _corrected(given, means, noises, times)},
    )["correlation"]
    # Where the means of a sample do not differ, it knows nothing: a right angle.
    angles = np.arccos(np.where(np.isnan(drawn), 0.0, drawn))
    tail = Tail(confidence, n)
    far = max(float(np.quantile(angles, 1 - tail)), angle)
    near = min(float(np.quantile(angles, tail)), angle)
    # The truth may lie on either side of the consensus, so the angle is added and taken off.
    turn = math.acos(math.sqrt(1 - misled))
    return ScoreSpan(
        low=math.cos(min(far + turn, math.pi)),
        high=math.cos(max(near - turn, 0.0)),
        misled=misled,
        low_at_zero=math.cos(far),
        high_at_zero=math.cos(near),
        consensus=whole,
    )


def _corrected(scores: Floats, mean: Floats, noise: Floats, times: NDArray[np.int64]) -> Floats:
    """Correlation of scores with the means less their noise, (B,), for how often (B, G) items come.

    NaN where the means do not differ beyond their noise.
    """
    weights = times.astype(np.float64)
    total = weights.sum(axis=1)

    def average(values: Floats) -> Floats:
        averaged: Floats = weights @ values / total
        return averaged

    # Moments of a sample are too small by this, and noise is estimated without bias.
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
