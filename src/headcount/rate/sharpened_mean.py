"""A mean measured on some items, sharpened by a guess that exists for all of them.

With y on a random sample of n of N items and a guess f on all N,

    mean over the sample of (y − λ f) + λ · mean over all of f

is unbiased for the mean of y whatever f is (prediction-powered inference; in survey sampling
the difference or regression estimator). λ minimises the variance: the slope of y on f. It is
fitted without the items it is used on, so that what it learned by chance cannot flatter the
variance. Where no guess helps, λ is 0 and the mean is the sample's own.
"""

import math
from dataclasses import replace

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen
from headcount.sameness import exceeds, neither_end, scale_of, varies

# Folds that slopes are learned in: four fifths of a few dozen items still tell a slope.
FOLDS = 5

# Rare outcomes that are lent to the measured gain as if the guess had been no help on them: with
# five errors in the sample, how well the guess finds errors is itself hardly known. Two, as Agresti
# and Coull lend a share two of each outcome.
LENT = 2.0


@frozen
class Mean:
    """A weighted mean with its variance, its skew (third central moment over variance) and the
    degrees of freedom of its variance.
    """

    value: float
    variance: float
    skew: float
    freedom: float


@frozen
class Powered:
    """A mean: sharpened, and by the sample `alone`.

    `slope` is λ (0 where the guess was not used), `ratio` the sharpened variance over the
    sample's own, at most 1; `share` (n,) is how much each sampled item counts.
    """

    sharp: Mean
    alone: Mean
    slope: float
    ratio: float
    share: Floats

    def unsharpened(self) -> "Powered":
        """The sample's own mean."""
        return replace(self, sharp=self.alone, slope=0.0, ratio=1.0)


# Items of spread that all lend a stratum: with 18 of 100 gold items in one of two strata, on which
# few are wrong, intervals held in 91 % with one of them, and in 93 % with three (the same data sets
# chose the number, so fresh ones may hold a little less).
_LENT_ITEMS = 3


def powered_mean(
    y: Floats,
    guess: Floats,
    sampled: Ints,
    *,
    strata: Ints | None = None,
    cluster: Ints | None = None,
    rare: bool = True,
    trust: float = 0.0,
    seed: int = 0,
) -> Powered:
    """The mean of y over items like all these.

    `y` (n,) belongs to the items `sampled` (n,) of the N that `guess` (N,) is known for;
    `strata` (N,) says how items were divided before sampling, if they were: each stratum then
    counts by its share of the N items. `cluster` (n,) is the cluster that each sampled item
    comes from, whose items vary together. `rare` marks shares between 0 and 1. `trust` is how
    many items' worth a slope of 1 is believed beforehand: for a guess that is itself a chance of y.
    """
    everywhere = np.zeros(len(guess), dtype=np.int64) if strata is None else strata
    inside = everywhere[sampled]
    sizes = np.bincount(everywhere).astype(float)
    drawn = np.bincount(inside, minlength=len(sizes)).astype(float)
    share = (sizes / sizes.sum())[inside] / drawn[inside]
    centre = np.bincount(everywhere, weights=guess, minlength=len(sizes)) / np.maximum(sizes, 1)
    offset = guess[sampled] - centre[inside]
    slopes = cross_fitted_slopes(y, offset, trust=trust, seed=seed)
    # The target is items like these, of which all N are a sample too.
    spread = float(share @ (y - share @ y) ** 2) * _unbiased(len(y)) / len(guess)
    # Clusters are few: no variance of theirs is known better than their number allows.
    most = math.inf if cluster is None else max(len(np.unique(cluster)) - 1.0, 1.0)

    def mean_of(values: Floats) -> Mean:
        given = _variance(values, share, inside, sizes, drawn) + spread
        variance = given * design_effect(values, share, cluster)
        free = min(freedom(values, share), most)
        return Mean(float(share @ values), variance, _skew(values, share, variance), free)

    alone, sharp = mean_of(y), mean_of(y - slopes * offset)
    ratio = _ratio(sharp.variance, alone.variance, y if rare else None, scale_of(y))
    sharp = replace(sharp, variance=ratio * alone.variance)
    found = Powered(sharp, alone, float(slopes.mean()), ratio, share)
    return found if exceeds(1.0, ratio) else found.unsharpened()


def design_effect(values: Floats, share: Floats, cluster: Ints | None) -> float:
    """How much more a weighted mean varies over clusters of items than over items, at least 1.

    >>> shared = np.array([0.0, 0.0, 1.0, 1.0])
    >>> design_effect(shared, np.full(4, 0.25), np.array([0, 0, 1, 1]))
    3.0
    """
    if cluster is None:
        return 1.0
    away = share * (values - share @ values / share.sum())
    alone = float(away @ away) * _unbiased(len(away))
    together = np.bincount(cluster, weights=away)
    together = together[np.bincount(cluster) > 0]
    if not varies(alone, scale=scale_of(share * values)) or len(together) < 2:
        return 1.0
    return max(float(together @ together) * _unbiased(len(together)) / alone, 1.0)


def cross_fitted_slopes(y: Floats, offset: Floats, *, trust: float, seed: int) -> Floats:
    """The slope of y on `offset` for each item, from the other folds; 0 where there is none.

    A negative slope would mean that the guess is upside down: it is used all the same. With a
    single error in the sample the other folds hold none to learn from, and `trust` decides.
    """
    fold = np.random.default_rng([seed, 41]).permutation(len(y)) % FOLDS
    slopes = np.zeros(len(y))
    for part in range(FOLDS):
        others = fold != part
        if others.sum() < 3:
            continue
        moved = offset[others] - offset[others].mean()
        square = float(moved @ moved)
        if varies(square / others.sum(), scale=scale_of(offset)):
            slopes[fold == part] = (float(moved @ y[others]) + trust) / (square + trust)
    return slopes


def ends(
    value: float, variance: float, *, skew: float, quantile: float, share: bool
) -> tuple[float, float]:
    """The ends of the interval around `value`: all p with (value − p)² ≤ q² V(p).

    V(p) is the variance if p were the mean: it starts from `variance`, leans by `skew` (third
    central moment of the estimate over its variance), and for a share bends with p(1−p). For a
    plain share that is Wilson's interval.
    """
    bend = variance / (value * (1 - value)) if share and neither_end(value) else 0.0
    square = quantile**2
    root = math.sqrt((square * skew) ** 2 + 4 * (1 + square * bend) * square * variance)
    low = value + (square * skew - root) / (2 * (1 + square * bend))
    high = value + (square * skew + root) / (2 * (1 + square * bend))
    return (max(low, 0.0), min(high, 1.0)) if share else (low, high)


def _variance(values: Floats, share: Floats, inside: Ints, sizes: Floats, drawn: Floats) -> float:
    """Variance of the weighted mean given the N items: strata apart, the drawn share taken off.

    All of them lend a stratum the spread of some items: few may be alike by chance, and one
    alone shows none. (Where there is one stratum that changes nothing.)
    """
    total = sizes.sum()
    means = np.bincount(inside, weights=values, minlength=len(sizes)) / np.maximum(drawn, 1)
    square = np.bincount(inside, weights=(values - means[inside]) ** 2, minlength=len(sizes))
    pooled = float(share @ (values - share @ values) ** 2) * _unbiased(len(values))
    spread = (square + _LENT_ITEMS * pooled) / np.maximum(drawn - 1 + _LENT_ITEMS, 1)
    used = drawn > 0
    part = (sizes[used] / total) ** 2 * (1 - drawn[used] / sizes[used]) * spread[used] / drawn[used]
    return float(part.sum())


def _skew(values: Floats, share: Floats, variance: float) -> float:
    """Third central moment of the weighted mean over its variance."""
    if not varies(variance, scale=scale_of(values)):
        return 0.0
    return float((share * (values - share @ values)) ** 3 @ np.ones(len(values))) / variance


def freedom(values: Floats, share: Floats) -> float:
    """Degrees of freedom of the variance of `values`: 2n / (kurtosis − 1 − skewness²).

    How uncertain a variance is depends on the tails: n of them for normal values, few where a
    handful of large residuals make most of it. What goes with the mean (skewness²) is not counted
    again; for a plain share nothing else is left, and the answer is infinite.
    """
    away = values - share @ values
    weight = share / share.sum()
    square = float(weight @ away**2)
    if not varies(square, scale=scale_of(values)):
        return math.inf
    third, fourth = float(weight @ away**3), float(weight @ away**4)
    kurtosis, skewness2 = fourth / square**2, third**2 / square**3
    if not exceeds(kurtosis, 1 + skewness2, scale=kurtosis):
        return math.inf
    return max(2 * len(values) / (kurtosis - 1 - skewness2), 3.0)


def _ratio(sharp: float, own: float, y: Floats | None, scale: float) -> float:
    """Sharpened variance over the sample's own, with rare outcomes lent to no gain."""
    if not varies(own, scale=scale):
        return 1.0
    ratio = sharp / own
    if y is None:
        return ratio
    rare = float(min(y.sum(), len(y) - y.sum()))
    return (rare * ratio + LENT) / (rare + LENT)


def _unbiased(n: int) -> float:
    return n / (n - 1) if n > 1 else 1.0
