"""Determinant-based mutual information."""

import numpy as np

from headcount.frozen import frozen
from headcount.metrics.scorer import Floats, Ints, Prediction, Scorer
from headcount.metrics.task import Task


@frozen
class DeterminantScorer(Scorer):
    """|det J|, with J the joint distribution of predicted and given labels.

    A soft prediction spreads its row's weight over the labels it names.
    """

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """|det| of each joint matrix; the matrices are linear in the weights."""
        joint = np.zeros((len(weight), task.n_labels, task.n_labels))
        for given in range(task.n_labels):
            rows = np.flatnonzero(label == given)
            joint[:, :, given] = weight[:, rows] @ prediction[rows]
        total = weight.sum(axis=1)
        shares = joint / np.where(total > 0, total, 1)[:, None, None]
        return np.where(total > 0, np.abs(np.linalg.det(shares)), np.nan)


DMI = DeterminantScorer(
    name="dmi",
    takes="probabilities",
    about="|det| of the joint distribution of predicted and given labels",
    bounds=(0.0, 0.25),
    hard_too=True,
)
