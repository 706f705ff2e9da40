"""Items counted in cells of people's mean and the judge's number, for charts of any size."""

import numpy as np
from numpy.typing import NDArray

from headcount.scores.people import People
from headcount.scores.result import Cells

Floats = NDArray[np.float64]

MOST_CELLS = 24
"""Cells along each side of the chart."""
_FEW_WHOLE = 20
"""A judge of whole numbers on a scale this wide has a row for each."""


def cells_of(people: People, judge: Floats) -> Cells:
    """How many items lie where, and the judge's mean at each level of people's mean.

    Both sides have the same range, so that agreement is the diagonal; a judge that gives whole
    numbers on a short scale has a row for each of them, and so have people.
    """
    rated = people.n > 0
    mean, said = people.mean[rated], judge[rated]
    low, high = float(min(mean.min(), said.min())), float(max(mean.max(), said.max()))
    across, up = _edges(mean, low, high), _edges(said, low, high)
    items, _, _ = np.histogram2d(mean, said, bins=(across, up))
    place = np.clip(np.searchsorted(across, mean, side="right") - 1, 0, len(across) - 2)
    n = np.bincount(place, minlength=len(across) - 1)
    with np.errstate(invalid="ignore"):
        level = np.bincount(place, weights=mean, minlength=len(n)) / n
        at = np.bincount(place, weights=said, minlength=len(n)) / n
    return Cells(across, up, items.astype(np.int64), level, at)


def _edges(values: Floats, low: float, high: float) -> Floats:
    """Edges of cells over the whole range, around whole numbers where all values are whole."""
    if high - low <= _FEW_WHOLE and bool((values == np.floor(values)).all()):
        return np.arange(np.floor(low), np.ceil(high) + 2) - 0.5
    if high <= low:
        return np.array([low - 0.5, low + 0.5])
    return np.linspace(low, high, MOST_CELLS + 1)
