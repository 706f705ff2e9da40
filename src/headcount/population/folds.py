"""Groups of equal items dealt into folds, so that no item helps to predict itself."""

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats, Ints
from headcount.data import group_rows
from headcount.frozen import frozen
from headcount.population.mixtures import Mixture
from headcount.sampling.dealing import blocks, deal, dealt_by_group, in_few_groups, tally


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

    def held_out_log_likelihood(self, mixture: Mixture, counts: Ints, fold: int) -> float:
        """That of a fold's items, by the counts (G, L) of groups, under a mixture."""
        held = self.fold == fold
        return float(self.size[held] @ mixture.log_probability(counts[self.row[held]]))


def grouped(counts: Ints, size: Floats) -> tuple[Ints, Floats]:
    """Distinct rows of counts (G, L), in order, and how many items have each.

    >>> [found.tolist() for found in grouped(np.array([[2, 1], [0, 3], [2, 1]]), np.ones(3))]
    [[[0, 3], [2, 1]], [1.0, 2.0]]
    """
    groups = group_rows(counts)
    summed = np.bincount(groups.of_row, weights=size, minlength=len(groups))
    return counts[groups.first], summed.astype(np.float64)
