"""The one place where equal rows become one: groups of items alike in all that a question needs.

Items grouped by their label counts are all that the anonymous methods see.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Ints
from headcount.door import integers, number_column
from headcount.frozen import frozen

Key = NDArray[np.generic]


# Numbers below this are told apart by one whole number.
_MOST_CODES = 2**62


@frozen
class Groups:
    """Rows that are alike in every key, as groups ordered by content.

    `first` (G,) is the position of a row of each group, `size` (G,) how many items it stands
    for and `of_row` (n,) the group of every row. Since groups are ordered by what they hold,
    the order in which items came never matters, not even to a bootstrap.
    """

    first: Ints
    size: Ints
    of_row: Ints

    def __len__(self) -> int:
        return len(self.first)

    def gather(self, draws: NDArray[np.number]) -> NDArray[np.number]:
        """How often each group is drawn, (B, G), from how often each row is, (B, n).

        >>> group_rows(np.array([5, 3, 5])).gather(np.array([[1, 2, 4]])).tolist()
        [[2, 5]]
        """
        if len(self.of_row) == len(self.first):
            out = np.empty_like(draws)
            out[:, self.of_row] = draws
            return out
        order, starts = self._in_order
        gathered: NDArray[np.number] = np.add.reduceat(
            draws if order is None else draws[:, order], starts, axis=1
        )
        return gathered

    @cached_property
    def _in_order(self) -> tuple[Ints | None, Ints]:
        """Rows ordered by their groups, None where they are so already, and where each begins."""
        order = None
        group = self.of_row
        if (np.diff(group) < 0).any():
            order = np.argsort(group, kind="stable")
            group = group[order]
        return order, np.searchsorted(group, np.arange(len(self.first)))


def group_rows(*keys: Key, size: NDArray[np.integer] | None = None) -> Groups:
    """Group rows that are alike in every key.

    `keys` are (n,) or (n, d) numbers; `size` (n,) says how many items each row already stands
    for, one by default. Whole numbers and floats are compared exactly; −0 and 0 are the same.

    >>> found = group_rows(np.array([[1, 2], [0, 3], [1, 2]]), size=np.array([1, 1, 5]))
    >>> found.first.tolist(), found.size.tolist(), found.of_row.tolist()
    ([1, 0], [1, 6], [1, 0, 1])
    """
    columns = [column for key in keys for column in (key.T if key.ndim == 2 else (key,))]
    n = len(keys[0])
    kind, n_kinds = _kinds(columns, n)
    first = np.empty(n_kinds, dtype=np.int64)
    first[kind[::-1]] = np.arange(n)[::-1]  # the last one written is the first of its kind
    order = np.lexsort([column[first] for column in columns[::-1]])
    place = np.empty_like(order)
    place[order] = np.arange(n_kinds)
    of_row = place[kind]
    if size is None:
        sizes = np.bincount(of_row, minlength=n_kinds)
    else:
        sizes = np.zeros(n_kinds, dtype=np.int64)
        np.add.at(sizes, of_row, size)
    return Groups(first[order], sizes.astype(np.int64, copy=False), of_row)


def _kinds(columns: list[Key], n: int) -> tuple[Ints, int]:
    """A number for each of n rows, equal where all columns are, and how many there are."""
    kind, room = np.zeros(n, dtype=np.int64), 1
    for column in columns:
        code, n_codes = _small(column)
        if room * n_codes > _MOST_CODES:
            kind, room = _codes(kind)
        kind, room = kind * n_codes + code, room * n_codes
    return without_gaps(kind, room) if room <= n else _codes(kind)


def without_gaps(kind: Ints, room: int) -> tuple[Ints, int]:
    """Whole numbers below `room` numbered anew, and how many of them there are."""
    there = np.bincount(kind, minlength=room) > 0
    return (np.cumsum(there) - 1)[kind], int(there.sum())


def _small(values: Key) -> tuple[Ints, int]:
    """Whole numbers from 0 that tell the values apart, and how many there can be of them.

    Numbers that lie close together are told apart by how far they are from the least.
    """
    if np.issubdtype(values.dtype, np.signedinteger) and len(values):
        least, most = int(values.min()), int(values.max())
        if most - least < max(len(values), 256):
            return values.astype(np.int64) - least, most - least + 1
    return _codes(values)


def _codes(values: Key) -> tuple[Ints, int]:
    """Each value's number in the order of first appearance, and how many there are."""
    if np.issubdtype(values.dtype, np.floating):
        values = values.astype(np.float64) + 0.0
    elif values.dtype == np.bool_:
        values = values.astype(np.int8)  # Arrow packs truth values into bits
    encoded = number_column(values).dictionary_encode()
    return integers(encoded.indices), len(encoded.dictionary)


@frozen
class ItemCounts:
    """Label counts item by item: `items` (n,) ids as text, `counts` (n, L)."""

    items: NDArray[np.object_]
    counts: Ints


@frozen
class Patterns:
    """Distinct label-count vectors: `counts` (G, L) and `items` (G,), how many items have each.

    Rows are in lexicographic order, so equal data give equal patterns whatever the row order.
    """

    counts: Ints
    items: Ints

    @property
    def n_items(self) -> int:
        """The number of items behind the patterns."""
        return int(self.items.sum())

    @property
    def n_ratings(self) -> int:
        """The number of ratings behind the patterns."""
        return int(self.raters @ self.items)

    @property
    def raters(self) -> Ints:
        """Ratings per item in each pattern, shape (G,)."""
        per_item: Ints = self.counts.sum(axis=1)
        return per_item

    def only(self, keep: NDArray[np.bool_]) -> "Patterns":
        """The patterns where `keep` holds."""
        return Patterns(self.counts[keep], self.items[keep])

    @classmethod
    def of(
        cls, counts: NDArray[np.integer], items: NDArray[np.integer] | None = None
    ) -> "Patterns":
        """Group rows of counts; `items` says how many items each row already stands for."""
        whole: Ints = np.asarray(counts, dtype=np.int64)
        groups = group_rows(whole, size=items)
        return cls(whole[groups.first], groups.size)
