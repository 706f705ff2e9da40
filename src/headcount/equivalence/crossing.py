"""Where a score meets a power curve, on bare arrays."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.arrays import Floats
from headcount.sameness import as_good, exceeds, scale_of


def worth(score: ArrayLike, curve: ArrayLike) -> Floats:
    """The number of raters whose score equals `score`, for each of B samples.

    `score` (B,) and `curve` (B, K) for 0, 1, … raters. The first k with c_k above the score
    gives k − 1 + (h − c_{k−1}) / (c_k − c_{k−1}). −∞ stands for a score no better than the
    first point of the curve, +∞ for one that no point exceeds, NaN for an undefined one.
    Points without a value (NaN) are passed over: the line joins their neighbours. What differs
    by rounding alone is the same: a constant answer scores c₀ and is worth nothing.

    >>> worth([0.5, 0.62, 0.8], [[0.5, 0.6, 0.7]] * 3)
    array([-inf,  1.2,  inf])
    """
    h, c = np.asarray(score, dtype=np.float64), np.asarray(curve, dtype=np.float64)
    known, scale = ~np.isnan(c), scale_of(h, c)
    above = known & exceeds(c, h[:, None], scale=scale)
    first = np.argmax(above, axis=1)
    start = np.argmax(known, axis=1)
    rows = np.arange(len(h))
    before = _last_known_before(known, first)
    top, bottom = c[rows, first], c[rows, before]
    with np.errstate(invalid="ignore", divide="ignore"):
        # A score as good as the point before may lie a rounding error below it.
        share = np.clip((h - bottom) / (top - bottom), 0.0, 1.0)
        out = np.where(above.any(axis=1), before + share * (first - before), np.inf)
        out = np.where(as_good(c[rows, start], h, scale=scale), -np.inf, out)
    return np.where(np.isnan(h) | ~known.any(axis=1), np.nan, out)


def later_crossings(score: float, curve: ArrayLike) -> tuple[float, ...]:
    """Where else the curve passes through the score, after the first time it rises above it."""
    c = np.asarray(curve, dtype=np.float64)
    places = np.flatnonzero(~np.isnan(c))
    above = exceeds(c[places], score, scale=scale_of(c, score))
    if not above.any():
        return ()
    found = []
    for j in range(int(np.argmax(above)) + 1, len(places)):
        if above[j] != above[j - 1]:
            left, right = places[j - 1], places[j]
            share = np.clip((score - c[left]) / (c[right] - c[left]), 0.0, 1.0)
            found.append(float(left + share * (right - left)))
    return tuple(found)


def falls(curve: ArrayLike) -> tuple[int, ...]:
    """The k at which the curve is lower than at k − 1, rounding aside."""
    c = np.asarray(curve, dtype=np.float64)
    c = c[~np.isnan(c)]
    if len(c) < 2:
        return ()
    steps = np.diff(c)
    offset = len(np.asarray(curve)) - len(c)
    down = exceeds(0.0, steps, scale=scale_of(c))
    return tuple(int(k) + 1 + offset for k in np.flatnonzero(down))


def reach_of(curve: ArrayLike) -> int:
    """The last k at which a curve is as high as it gets: past it, it says nothing of more raters.

    >>> reach_of([0.5, 0.7, 0.7, 0.6])
    2
    """
    c = np.asarray(curve, dtype=np.float64)
    if np.isnan(c).all():
        return len(c) - 1
    return int(np.flatnonzero(as_good(c, np.nanmax(c), scale=scale_of(c)))[-1])


def _last_known_before(known: NDArray[np.bool_], place: NDArray[np.integer]) -> NDArray[np.int64]:
    """The last point with a value left of `place` (B,); `place` itself where there is none."""
    columns = np.arange(known.shape[1])
    usable = known & (columns < place[:, None])
    last = np.where(usable, columns, -1).max(axis=1, initial=-1)
    return np.where(last >= 0, last, place)
