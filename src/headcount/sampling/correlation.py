"""Whether answers run with people's or against them: their correlation, and its interval."""

import math
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from headcount.results import Estimate
from headcount.sameness import scale_of, varies
from headcount.sampling.delta import covariance_over_raters
from headcount.sampling.people import interval_from_error
from headcount.sampling.samples import Plan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def correlation(answers: Floats, people: Floats, size: Floats) -> tuple[float, Floats]:
    """The correlation of answers (n, D) with what people say (n, D), and what each row adds (n,).

    Σ_d cov(a_d, p_d) over the root of both sums of variances: of numbers (D = 1) Pearson's, of
    probabilities of labels above nought just where the answers agree with people more often than
    chance. `size` (n,) is how many items a row stands for; what rows add is about their mean in
    fresh data, an item's worth of it. NaN where one of the two never varies.

    >>> correlation(np.array([[1.0], [2.0], [4.0]]), np.array([[3.0], [2.0], [0.0]]), np.ones(3))[0]
    -1.0
    """
    weight = size / size.sum()
    one, other = answers - weight @ answers, people - weight @ people
    both, own, theirs = (
        (one * other).sum(axis=1),
        (one**2).sum(axis=1),
        (other**2).sum(axis=1),
    )
    together, mine, yours = (float(weight @ each) for each in (both, own, theirs))
    scales = scale_of(answers), scale_of(people)
    if not all(varies(v, scale=s) for v, s in zip((mine, yours), scales, strict=True)):
        return math.nan, np.zeros(len(one))
    # Sums are rounded: without the bounds a straight line has 1.0000000000000002 on some machines.
    value = min(1.0, max(-1.0, together / math.sqrt(mine * yours)))
    return value, both / math.sqrt(mine * yours) - value / 2 * (own / mine + theirs / yours)


def running_against(
    answers: Floats,
    people: Floats,
    size: Floats,
    *,
    plan: Plan,
    cluster: Ints | None = None,
    without: Callable[[], Iterable[tuple[Floats, Floats, Floats]]] = lambda: (),
    confidence: float = 0.95,
) -> Estimate | None:
    """The correlation of answers with people's, where its whole interval lies below nought.

    None elsewhere: chance alone may turn round what tells nothing. `without` gives answers, people
    and sizes without each rater, and is asked only where the correlation itself is negative.

    >>> said = np.linspace(0, 1, 50)[:, None]
    >>> print(running_against(said, 1 - said**2, np.ones(50), plan=Plan(50)))
    -0.967 (-0.976 to -0.955)
    """
    value, added = correlation(answers, people, size)
    if not value < 0:
        return None
    if cluster is None:
        squares, units = float(size @ added**2), float(size.sum())
    else:
        by_cluster = np.bincount(cluster, weights=added * size)
        squares, units = float(by_cluster @ by_cluster), float(len(by_cluster))
    if units < 2:
        return None
    variance = squares / size.sum() ** 2 * units / (units - 1)
    if plan.counts_raters:
        left = np.array([correlation(*each)[0] for each in without()])
        variance += float(covariance_over_raters(left[:, None])[0, 0]) if len(left) else 0.0
    found = interval_from_error(
        value, math.sqrt(variance), plan=plan, confidence=confidence, scale="coefficient"
    )
    return found if found.high is not None and found.high < 0 else None
