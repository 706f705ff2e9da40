"""Predictions that say the same, by number: what is grouped need not be joined item by item."""

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.data.column import Column
from headcount.data.predictions import Predictions

Ints = NDArray[np.int64]

_MANY = 1_000_000
_GLANCE = 20_000


def kinds(predictions: Predictions) -> tuple[Ints, Ints]:
    """The kind of each row of the predictions (n,), and a row of each kind.

    Rows of one kind hold the same text for every classifier. Where texts are hardly ever the
    same twice, as exact probabilities are not, each row is a kind of its own.
    """
    n = predictions.n_items
    if any(_hardly_ever_alike(column) for column in predictions.columns.values()):
        return np.arange(n), np.arange(n)
    kind, n_kinds = np.zeros(n, dtype=np.int64), 1
    for column in predictions.columns.values():
        kind, n_kinds = _renumbered(kind * len(column.distinct) + column.codes)
    example = np.empty(n_kinds, dtype=np.int64)
    example[kind] = np.arange(n)
    return kind, example


def _hardly_ever_alike(column: Column) -> bool:
    first = column.texts[:_GLANCE]
    return len(column.texts) > _GLANCE and len(pc.unique(first)) > _GLANCE // 4


def _renumbered(kind: Ints) -> tuple[Ints, int]:
    """The same kinds numbered without gaps, and how many there are."""
    most = int(kind.max()) + 1
    if most > _MANY:
        found, kind = np.unique(kind, return_inverse=True)
        return kind.ravel(), len(found)
    there = np.bincount(kind, minlength=most) > 0
    return (np.cumsum(there) - 1)[kind], int(there.sum())
