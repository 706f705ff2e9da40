"""Scorers of the confusion matrix: precision, recall and F1."""

from collections.abc import Callable
from dataclasses import field

import numpy as np
from scipy import sparse

from headcount.frozen import frozen
from headcount.metrics.scorer import Floats, Ints, Prediction, Scorer, ratio
from headcount.metrics.task import Task

FromCounts = Callable[[Floats, Floats, Floats], Floats]


@frozen
class ConfusionScorer(Scorer):
    """A score of each label's (hits, predicted, actual) weights.

    With a positive label it is that label's score. Otherwise it is the plain mean over the
    labels that occur among predictions or ratings, one that has no score counting 0: both as
    scikit-learn's `average="binary"` and `average="macro"`.
    """

    of: FromCounts = field(kw_only=True, repr=False)

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The score from confusion matrices, which are linear in the weights."""
        matrix = confusion(prediction, label, weight, task.n_labels)
        hits = np.diagonal(matrix, axis1=1, axis2=2)
        predicted, actual = matrix[:, : task.n_labels].sum(axis=2), matrix.sum(axis=1)
        scores = self.of(hits, predicted, actual)
        if task.focus is not None:
            return scores[:, task.focus]
        occurs = predicted + actual > 0
        total = np.nan_to_num(scores).sum(axis=1)
        return ratio(total, occurs.sum(axis=1, dtype=np.float64))


def confusion(prediction: Prediction, label: Ints, weight: Floats, n_labels: int) -> Floats:
    """Weight by prediction and label, (B, L + 1, L); the last row holds the WRONG answers."""
    cell = np.where(prediction < 0, n_labels, prediction) * n_labels + label
    n_cells = (n_labels + 1) * n_labels
    shape = (len(weight), n_labels + 1, n_labels)
    if len(weight) == 1:
        sums = np.bincount(cell, weights=weight[0], minlength=n_cells).astype(np.float64)
        return sums.reshape(shape)
    rows = np.arange(len(cell))
    places = sparse.csr_array((np.ones(len(cell)), (cell, rows)), shape=(n_cells, len(cell)))
    matrix: Floats = np.asarray(places @ weight.T).T.reshape(shape)
    return matrix


def _precision(hits: Floats, predicted: Floats, _actual: Floats) -> Floats:
    return ratio(hits, predicted)


def _recall(hits: Floats, _predicted: Floats, actual: Floats) -> Floats:
    return ratio(hits, actual)


def _f1(hits: Floats, predicted: Floats, actual: Floats) -> Floats:
    return ratio(2 * hits, predicted + actual)


PRECISION = ConfusionScorer(
    name="precision",
    takes="labels",
    about="of the predictions of the positive label, the share that raters agree with",
    bounds=(0.0, 1.0),
    undefined="the positive label is never predicted",
    of=_precision,
)
RECALL = ConfusionScorer(
    name="recall",
    takes="labels",
    about="of the raters' positive labels, the share that is predicted",
    bounds=(0.0, 1.0),
    undefined="no rater gives the positive label",
    of=_recall,
)
F1 = ConfusionScorer(
    name="f1",
    takes="labels",
    about="the harmonic mean of precision and recall",
    bounds=(0.0, 1.0),
    undefined="the positive label is neither predicted nor given by a rater",
    of=_f1,
)
