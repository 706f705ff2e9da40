"""Algorithm 1: score predictions against each reference rater's column, then average."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.data import Labels
from headcount.equivalence.combiners import shares_of_most_common
from headcount.frozen import frozen
from headcount.metrics import Rows, RowScorer, Scorer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_CELLS = 4_000_000
"""Subset × item × label cells worked on at once."""


@frozen
class Predicted:
    """Predictions for some cases, as the scorer takes them, and how to score them.

    `rows` stand for the cases in order; `known` (C,) is False where there was nothing to
    predict from.
    """

    rows: Rows
    known: NDArray[np.bool_]
    scorer: Scorer
    labels: Labels
    positive: int | None = None
    clip: float | None = None

    @cached_property
    def table(self) -> Floats:
        """Scores of each case against each label, (C, L), for decomposable scorers."""
        assert isinstance(self.scorer, RowScorer)
        scores = self.scorer.against_every_label(
            self.rows.prediction, labels=self.labels, positive=self.positive, clip=self.clip
        )
        columns = [
            np.bincount(self.rows.index, weights=column, minlength=len(self.known))
            for column in (scores * self.rows.share[:, None]).T
        ]
        return np.where(self.known[:, None], np.stack(columns, axis=1), 0.0)


def reference_columns(said: NDArray[np.int16], panels: Ints) -> Floats:
    """What predictions are scored against, (J, N, L): the share of each label in each item.

    `panels` (J, r) are columns: the label is the one column's, or the plurality of r of them;
    zero where nobody of them rated the item.
    """
    if panels.shape[1] == 1:
        return said[panels[:, 0]].astype(np.float64)
    votes = np.stack([said[panel].sum(axis=0, dtype=np.int64) for panel in panels])
    shares: Floats = shares_of_most_common(votes) * (votes.sum(axis=2, keepdims=True) > 0)
    return shares


def mean_single_columns(
    predicted: Predicted,
    case: Ints,
    said: NDArray[np.int16],
    unused: NDArray[np.bool_],
    weight: Floats,
) -> Floats:
    """`mean_column_score` of many subsets at once, for row scores and single columns: (S,).

    `case` (S, N), `unused` (S, J), item weights (N,). Column sums are one matrix product.
    """
    columns = said * weight[:, None]
    flat = columns.reshape(len(said), -1).T
    rated_items = columns.sum(axis=2).T
    means = np.full(unused.shape, np.nan)
    step = max(1, _CELLS // len(flat))
    for start in range(0, len(case), step):
        part = case[start : start + step]
        total = predicted.table[part].reshape(len(part), -1) @ flat
        rated = predicted.known[part].astype(np.float64) @ rated_items
        held = unused[start : start + step] & (rated > 0)
        np.divide(total, rated, out=means[start : start + step], where=held)
    return mean_of_defined(means, axis=1)


def mean_column_score(
    predicted: Predicted, case: Ints, references: Floats, weight: Floats
) -> Floats:
    """The mean over reference columns of the score in each, for item weights (B, N): (B,).

    `case` (N,) says which case each item is. A column that has no score, because it rates no
    item or the scorer is undefined there, is left out of the mean.
    """
    references = references * predicted.known[case][None, :, None]
    if predicted.scorer.decomposable:
        scores = _column_means(predicted.table[case], references, weight)
    else:
        scores = _column_scores(predicted, case, references, weight)
    return mean_of_defined(scores, axis=0)


def _column_means(table: Floats, references: Floats, weight: Floats) -> Floats:
    """(J, B) weighted means of row scores `table` (N, L)."""
    total = np.einsum("jnl,nl->jn", references, table) @ weight.T
    rated = references.sum(axis=2) @ weight.T
    means: Floats = np.divide(total, rated, out=np.full(total.shape, np.nan), where=rated > 0)
    return means


def _column_scores(predicted: Predicted, case: Ints, references: Floats, weight: Floats) -> Floats:
    """(J, B) scores of each column's rows (prediction, label, weight)."""
    rows, n_labels = predicted.rows, predicted.labels.n
    row, item = _rows_of_items(rows, case)
    prediction = np.repeat(rows.prediction[row], n_labels, axis=0)
    label = np.tile(np.arange(n_labels), len(row))
    share = references[:, item] * rows.share[row][None, :, None]
    scores = [
        predicted.scorer(
            prediction,
            label,
            (share * each[item][None, :, None]).reshape(len(share), -1),
            labels=predicted.labels,
            positive=predicted.positive,
            clip=predicted.clip,
        )
        for each in weight
    ]
    return np.stack(scores, axis=1)


def _rows_of_items(rows: Rows, case: Ints) -> tuple[Ints, Ints]:
    """The rows that stand for each item's case (several where labels tie), and their items."""
    start = np.searchsorted(rows.index, case, side="left")
    many = np.searchsorted(rows.index, case, side="right") - start
    item = np.repeat(np.arange(len(case)), many)
    within = np.arange(len(item)) - np.repeat(np.cumsum(many) - many, many)
    return np.repeat(start, many) + within, item


def mean_of_defined(scores: Floats, axis: int) -> Floats:
    """The mean of what is not NaN; NaN where nothing is left."""
    defined = ~np.isnan(scores)
    many = defined.sum(axis=axis)
    total = np.where(defined, scores, 0.0).sum(axis=axis)
    means: Floats = np.divide(total, many, out=np.full(total.shape, np.nan), where=many > 0)
    return means
