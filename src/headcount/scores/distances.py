"""How far apart two people are on one item, and how far a judge is from a person."""

import numpy as np
from numpy.typing import NDArray

from headcount.scores.people import Said

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SLACK = 1e-9
"""0.3 − 0.2 is within 0.1, whatever its last binary digit."""


def between_people(said: Said, tolerance: float) -> tuple[Floats, Floats]:
    """Of each item's pairs of ratings: the mean distance, and the share within `tolerance`.

    (I,) each; NaN where an item has fewer than two ratings.
    """
    n = np.bincount(said.item, minlength=said.n_items)
    pairs = n * (n - 1) / 2
    start = np.cumsum(n) - n
    rank = np.arange(len(said.item)) - start[said.item] + 1
    # In order, the j-th of n ratings lies above j − 1 others and below n − j.
    apart = np.bincount(
        said.item, weights=(2 * rank - n[said.item] - 1) * said.value, minlength=said.n_items
    )
    near = _pairs_within(said, tolerance)
    none = pairs == 0
    pairs = np.where(none, 1, pairs)
    return np.where(none, np.nan, apart / pairs), np.where(none, np.nan, near / pairs)


def from_judge(said: Said, judge: Floats, tolerance: float) -> tuple[Floats, Floats]:
    """Of each item's ratings: the mean distance to the judge's number, the share within."""
    n = np.bincount(said.item, minlength=said.n_items)
    away = np.abs(judge[said.item] - said.value)
    far = np.bincount(said.item, weights=away, minlength=said.n_items)
    close = away <= tolerance * (1 + _SLACK)
    near = np.bincount(said.item, weights=close, minlength=said.n_items)
    none = n == 0
    n = np.where(none, 1, n)
    return np.where(none, np.nan, far / n), np.where(none, np.nan, near / n)


def default_tolerance(least: float, most: float, *, whole: bool) -> float:
    """One step for a few whole levels, else about a tenth of the range, as a round number.

    >>> default_tolerance(1, 5, whole=True), default_tolerance(-100, 100, whole=True)
    (1.0, 20.0)
    """
    width = most - least
    if width <= 0 or (width <= 10 and whole):
        return 1.0
    return float(f"{width / 10:.0e}")


def _pairs_within(said: Said, tolerance: float) -> Floats:
    """How many pairs of an item's ratings lie within the tolerance, (I,).

    Ratings are in order, so once none is within reach of its j-th neighbour none is further on.
    """
    most = int(np.bincount(said.item, minlength=1).max())
    found = np.zeros(said.n_items)
    reach = tolerance * (1 + _SLACK)
    for lag in range(1, most):
        same = said.item[lag:] == said.item[:-lag]
        close = same & (said.value[lag:] - said.value[:-lag] <= reach)
        if not close.any():
            break
        found += np.bincount(said.item[lag:][close], minlength=said.n_items)
    return found
