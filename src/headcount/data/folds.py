"""Judged items dealt into folds, for each classifier by itself, also where rows are many items.

Folds are dealt to items ordered by what raters and one classifier said of them: neither the order
of rows or labels nor what other classifiers said matters.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Ints
from headcount.counting import group_rows
from headcount.data.judged import Classifier, Judged
from headcount.sampling.dealing import blocks, deal, dealt_by_group, in_few_groups, tally

_FEW_CLASSIFIERS = 3
"""With ten folds four of them would have ten thousand combinations a row."""


def deal_folds(n_items: int, folds: int, seed: int) -> Ints:
    """A fold for each item, as even as can be, in random order."""
    return deal(n_items, folds, seed).astype(np.int64)


def deal_rows(judged: Judged, folds: int, seed: int) -> tuple[Judged, list[Ints]]:
    """Rows, and for each classifier the fold of every row.

    A row of many items becomes a row for each combination of folds that its items fell into.
    """
    starts = [_starts(judged, classifier) for classifier in judged.classifiers]
    if judged.n_items == len(judged.size):
        dealt = deal(judged.n_items, folds, seed)
        return judged, [dealt[start].astype(np.int64) for start in starts]
    if in_few_groups(judged.size):
        row, each, size = _in_groups(judged, starts, folds, seed)
    else:
        row, each, size = _one_by_one(judged, starts, folds, seed)
    return replace(judged.take(row), size=size), each


def _one_by_one(
    judged: Judged, starts: list[Ints], folds: int, seed: int
) -> tuple[Ints, list[Ints], Ints]:
    """The row of each combination of folds, its fold for each classifier, and how many items."""
    dealt = deal(judged.n_items, folds, seed)
    found: list[list[Ints]] = [[] for _ in range(len(starts) + 2)]
    for rows in blocks(judged.size):
        row, within = _items_of(judged.size[rows])
        each = [dealt[start[rows][row] + within] for start in starts]
        row, *each, size = _combinations(row, each, folds, rows.stop - rows.start)
        for kept, values in zip(found, (row + rows.start, *each, size), strict=True):
            kept.append(values)
    row, *chosen, size = (np.concatenate(values) for values in found)
    return row, chosen, size


def _in_groups(
    judged: Judged, starts: list[Ints], folds: int, seed: int
) -> tuple[Ints, list[Ints], Ints]:
    """The same, drawn for items alike in what raters and a classifier said of them at once.

    Items alike get the folds that fell to them in order, so that a row, a stretch of items, is cut
    where the fold of any classifier changes.
    """
    some = np.flatnonzero(judged.size)
    ends = [_ends(judged, each, folds, seed) for each in judged.classifiers]
    rows, cuts = [some], [np.zeros_like(some)]
    for start, end in zip(starts, ends, strict=True):
        order = some[np.argsort(start[some])]
        row = order[np.searchsorted(start[order], end[end < judged.n_items], side="right") - 1]
        rows.append(row)
        cuts.append(end[end < judged.n_items] - start[row])
    pieces = group_rows(np.concatenate(rows), np.concatenate(cuts))
    row, cut = np.concatenate(rows)[pieces.first], np.concatenate(cuts)[pieces.first]
    order = np.lexsort([cut, row])
    row, cut = row[order], cut[order]
    last = np.append(row[1:] != row[:-1], True)
    size = np.where(last, judged.size[row], np.append(cut[1:], 0)) - cut
    each = [
        np.searchsorted(end, start[row] + cut, side="right") % folds
        for start, end in zip(starts, ends, strict=True)
    ]
    return row, each, size


def _ends(judged: Judged, classifier: Classifier, folds: int, seed: int) -> Ints:
    """Where each fold's items end in each group of items alike, in the order of `_starts`."""
    order, said = _order(judged, classifier)
    alike = np.column_stack([said, judged.counts])[order]
    first = np.flatnonzero(np.append(True, (alike[1:] != alike[:-1]).any(axis=1)))
    size = np.add.reduceat(judged.size[order], first)
    return np.cumsum(dealt_by_group(size, folds, seed).ravel())


def _items_of(size: Ints) -> tuple[Ints, Ints]:
    """The row of every item, and its number among the items of its row."""
    row = np.repeat(np.arange(len(size)), size)
    return row, np.arange(len(row)) - (np.cumsum(size) - size)[row]


def _combinations(
    row: Ints, each: list[NDArray[np.integer]], folds: int, n_rows: int
) -> tuple[Ints, ...]:
    """Rows with the folds that their items fell into, in order, and how many items did."""
    if len(each) > _FEW_CLASSIFIERS:  # too many combinations to be numbered
        groups = group_rows(row, *each)
        chosen = [fold[groups.first].astype(np.int64) for fold in each]
        return row[groups.first], *chosen, groups.size
    key: NDArray[np.integer] = row
    for fold in each:
        key = key * folds + fold
    found, size = tally(key, n_rows * folds ** len(each))
    chosen = []
    for _ in each:
        chosen.append(found % folds)
        found = found // folds
    return found, *chosen[::-1], size


def _starts(judged: Judged, classifier: Classifier) -> Ints:
    """Where the items of each row begin among the items that folds are dealt to.

    Among items alike in what raters and the classifier said it makes no difference who gets which.
    """
    order, _ = _order(judged, classifier)
    size = judged.size[order]
    start = np.empty_like(size)
    start[order] = np.cumsum(size) - size
    return start


def _order(judged: Judged, classifier: Classifier) -> tuple[Ints, NDArray[np.float64]]:
    """Rows by what raters and a classifier said, labels in the order of their names."""
    by_name = np.argsort(np.array(judged.labels.names))
    said = classifier.outputs()
    if classifier.probabilities is not None:
        said = said[:, by_name]
    elif classifier.scores is None:
        said = np.where(said >= 0, np.argsort(by_name)[said], said)
    return np.lexsort([*said.T, *judged.counts[:, by_name].T]), said
