"""Identical rows as one, by hashing: millions of items have few different rows."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headcount.door import integers, number_column

Ints = NDArray[np.int64]


def group_rows(columns: Sequence[NDArray[np.generic]]) -> tuple[Ints, Ints]:
    """The position of the first of each kind of row, and the kind of every row.

    `columns` are (n,) or (n, k) numbers. Kinds are ordered by content, column by column, so
    the order of the rows does not matter.
    """
    flat = np.column_stack(columns).astype(np.float64) + 0.0  # −0 and 0 are the same
    kind = np.zeros(len(flat), dtype=np.int64)
    for column in flat.T:
        code, n_codes = _codes(column)
        kind, _ = _codes(kind * n_codes + code)
    first = np.full(int(kind.max(initial=-1)) + 1, len(flat), dtype=np.int64)
    np.minimum.at(first, kind, np.arange(len(flat)))
    order = np.lexsort(flat[first].T[::-1])
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[kind]


def _codes(values: NDArray[np.generic]) -> tuple[Ints, int]:
    """Each value's number in the order of first appearance, and how many there are."""
    encoded = number_column(values).dictionary_encode()
    return integers(encoded.indices), len(encoded.dictionary)
