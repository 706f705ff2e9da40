"""Groups of equal items dealt into folds, so that no item helps to predict itself."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.frozen import frozen
from headcount.sampling.dealing import blocks, deal, dealt_by_group, in_few_groups, tally

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen
class Folds:
    """Groups divided among `n` folds: each part's group `row`, its `size` and its `fold` (P,)."""

    n: int
    row: Ints
    size: Floats
    fold: Ints

    @classmethod
    def deal(cls, size: ArrayLike, n: int, seed: int) -> "Folds":
        """Items dealt evenly at random, one by one, as cards are.

        Sizes that are no whole numbers (weights) are divided the same way: a group's last
        item is then only a part of one.

        >>> folds = Folds.deal([3, 2], 2, seed=0)
        >>> np.bincount(folds.fold, weights=folds.size).tolist()
        [3.0, 2.0]
        """
        sizes = np.asarray(size, dtype=np.float64)
        whole = np.ceil(sizes).astype(np.int64)
        n_items = int(whole.sum())
        n = max(1, min(n, n_items))
        if in_few_groups(whole) and bool((whole == sizes).all()):
            number = dealt_by_group(whole, n, seed)
            cell = np.flatnonzero(number)
            return cls(n, cell // n, number.ravel()[cell].astype(np.float64), cell % n)
        dealt = deal(n_items, n, seed)
        last = np.cumsum(whole) - 1
        cells, numbers = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        for rows in blocks(whole):
            group = np.repeat(np.arange(rows.start, rows.stop) - rows.start, whole[rows])
            key = group * n + dealt[last[rows.start] + 1 - whole[rows.start] :][: len(group)]
            cell, number = tally(key, (rows.stop - rows.start) * n)
            cells.append(cell + rows.start * n)
            numbers.append(number)
        cell, mass = np.concatenate(cells), np.concatenate(numbers).astype(np.float64)
        some = np.flatnonzero(whole)
        part = np.searchsorted(cell, some * n + dealt[last[some]])
        mass[part] -= (whole - sizes)[some]
        return cls(n, cell // n, mass, cell % n)

    @classmethod
    def given(cls, size: ArrayLike, fold: Ints) -> "Folds":
        """Folds that were dealt elsewhere: one for each group, which is not divided."""
        sizes = np.asarray(size, dtype=np.float64)
        return cls(int(fold.max(initial=0)) + 1, np.arange(len(sizes)), sizes, fold)

    def others(self, counts: Ints, fold: int) -> tuple[Ints, Floats]:
        """Patterns (G, L) and numbers of items outside a fold; of the only fold, all of them."""
        rest = self.fold != fold if self.n > 1 else np.ones(len(self.fold), dtype=bool)
        return grouped(counts[self.row[rest]], self.size[rest])


def grouped(counts: Ints, size: Floats) -> tuple[Ints, Floats]:
    """Distinct rows of counts (G, L), in order, and how many items have each."""
    pattern, place = distinct(counts)
    summed = np.bincount(place, weights=size, minlength=len(pattern))
    return pattern, summed.astype(np.float64)


def distinct(counts: Ints) -> tuple[Ints, Ints]:
    """Distinct rows of counts (n, L), in order, and which of them each row is.

    >>> [found.tolist() for found in distinct(np.array([[2, 1], [0, 3], [2, 1]]))]
    [[[0, 3], [2, 1]], [1, 0, 1]]
    """
    key = _keys(counts)
    if key is None:
        pattern, place = np.unique(counts, axis=0, return_inverse=True)
        return pattern, place.ravel()
    row = np.full(int(key.max()) + 1, -1)
    row[key] = np.arange(len(key))
    there = np.flatnonzero(row >= 0)
    pattern = counts[row[there]]
    row[there] = np.arange(len(there))
    return pattern, row[key]


def _keys(counts: Ints) -> Ints | None:
    """Rows as numbers that rise with them, (G,), where they are small; None where they are not."""
    if not counts.size:
        return None
    reach = [int(most) + 1 for most in counts.max(axis=0)]
    if math.prod(reach) > 4 * len(counts) + 1000:
        return None
    key = np.zeros(len(counts), dtype=np.int64)
    for label, width in enumerate(reach):
        key = key * width + counts[:, label]
    return key
