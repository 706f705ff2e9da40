"""Reliability of people's numbers: intraclass correlations and their intervals.

ICC(1) is τ²/(τ² + σ²) with raters unnamed; ICC(A,1) the same with τ² told from pairs by different
raters, so that strict and lenient raters count as disagreement and nothing else; ICC(A,k) is that
of the mean of the ratings an item has (McGraw and Wong 1996). On a full table these are the
classical analysis of variance.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from scipy import special

from headcount.arrays import Floats
from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.scores.components import Components, components
from headcount.scores.people import People, Said
from headcount.scores.sample import Measured


@frozen
class Anova:
    """Mean squares of a full table of `items` × `raters`: of rows, columns, error and within."""

    items: int
    raters: int
    rows: float
    columns: float
    error: float
    within: float

    def one_way(self, confidence: float) -> tuple[float, float]:
        """The F interval of ICC(1)."""
        n, k = self.items, self.raters
        ratio, tail = self.rows / self.within, (1 - confidence) / 2
        low = ratio / _f(tail, n - 1, n * (k - 1))
        high = ratio * _f(tail, n * (k - 1), n - 1)
        return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)

    def agreement(self, confidence: float) -> tuple[float, float]:
        """The interval of ICC(A,1) by F with Satterthwaite's degrees of freedom."""
        n, k, tail = self.items, self.raters, (1 - confidence) / 2
        ms_r, ms_c, ms_e = self.rows, self.columns, self.error
        rho = (ms_r - ms_e) / (ms_r + (k - 1) * ms_e + k * (ms_c - ms_e) / n)
        a = k * rho / (n * (1 - rho))
        b = 1 + k * rho * (n - 1) / (n * (1 - rho))
        freedom = (a * ms_c + b * ms_e) ** 2 / (
            (a * ms_c) ** 2 / (k - 1) + (b * ms_e) ** 2 / ((n - 1) * (k - 1))
        )
        rest = k * ms_c + (k * n - k - n) * ms_e
        above, below = _f(tail, n - 1, freedom), _f(tail, freedom, n - 1)
        low = n * (ms_r - above * ms_e) / (above * rest + n * ms_r)
        high = n * (below * ms_r - ms_e) / (rest + n * below * ms_r)
        return low, high


def anova(people: People, said: Said | None) -> Anova | None:
    """The analysis of variance; None unless every item has ratings by all of the same raters.

    Without names, `columns` and `error` are nought: they are of no use then.
    """
    n, k = len(people.n), int(people.n[0]) if len(people.n) else 0
    if n < 2 or k < 2 or (people.n != k).any():
        return None
    rows, within = k * float(people.mean.var(ddof=1)), float(people.within.mean())
    if said is None or said.rater is None or int(said.rater.max()) + 1 != k:
        return Anova(n, k, rows, 0.0, 0.0, within)
    by_rater = np.bincount(said.rater, weights=said.value) / n
    columns = n * float(by_rater.var(ddof=1))
    error = (within * n * (k - 1) - columns * (k - 1)) / ((n - 1) * (k - 1))
    return Anova(n, k, rows, columns, error, within)


def one_way(people: People, said: Said | None = None, added: bool = True) -> Measured:
    """ICC(1), raters taken as if different people had rated every item."""
    del said
    found = components(replace(people, shared=0.0), added)
    return Measured(("icc",), *_ratio(found, 1.0))


def absolute(people: People, said: Said | None = None, added: bool = True) -> Measured:
    """ICC(A,1): the reliability of one person's rating."""
    del said
    return Measured(("icc",), *_ratio(components(people, added), 1.0))


def of_the_mean(people: People, said: Said | None = None, added: bool = True) -> Measured:
    """ICC(A,k): the reliability of the mean of the ratings that items have."""
    del said
    share = float((1 / people.n[people.several]).mean())
    return Measured(("icc",), *_ratio(components(people, added), share))


def with_classical(
    estimate: Estimate, interval: Callable[[float], tuple[float, float]], confidence: float
) -> Estimate:
    """An estimate whose interval holds the classical one too.

    F is exact for normal scores however few the items; with heavy tails it is too short, and the
    interval over items is not. Whichever reaches further holds.
    """
    low, high = interval(confidence)
    again = partial(_classical_at, estimate, interval)
    ends = [low, high, *(end for end in (estimate.low, estimate.high) if end is not None)]
    return replace(estimate, low=float(min(ends)), high=float(max(ends)), reread=again)


def spearman_brown(share: float, reliability: float) -> float:
    """The reliability of a mean with `share` of one rating's error variance.

    >>> round(spearman_brown(1 / 4, 0.5), 3)
    0.8
    """
    return reliability / (reliability + share * (1 - reliability))


def _classical_at(
    estimate: Estimate, interval: Callable[[float], tuple[float, float]], confidence: float
) -> Estimate:
    return with_classical(estimate.at(confidence), interval, confidence)


def _ratio(found: Components, share: float) -> tuple[Floats, Floats]:
    """τ²/(τ² + share·σ²) and what each item adds to it, (1,) and (I, 1)."""
    within, total = share * found.within, found.between + share * found.within
    if total <= 0:
        return np.array([np.nan]), np.zeros((len(found.within_influence), 1))
    added = found.between_influence * within - share * found.within_influence * found.between
    return np.array([found.between / total]), (added / total**2)[:, None]


def _f(tail: float, first: float, second: float) -> float:
    """The upper quantile of F."""
    return float(special.fdtri(first, second, 1 - tail))
