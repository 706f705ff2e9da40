"""The area under the ROC curve."""

from dataclasses import dataclass

import numpy as np

from headcount.scorers.scorer import Floats, Ints, Prediction, Scorer, ratio
from headcount.scorers.task import Task

_ROUNDING = 1e-12
"""Probabilities closer than this are ties: equal but for the order they were summed in."""


@dataclass(frozen=True)
class RankingScorer(Scorer):
    """The chance that a row with the label is ranked above a row without it; ties count half.

    Among more than two labels: the plain mean of one-against-the-rest over the labels for
    which there are rows of both kinds.
    """

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The area for all weight vectors: the rows are sorted once."""
        one = task.focus
        if one is not None:
            return area(prediction[:, one], label == one, weight)
        areas = np.stack(
            [area(prediction[:, each], label == each, weight) for each in range(task.n_labels)]
        )
        defined = ~np.isnan(areas)
        return ratio(np.nansum(areas, axis=0), defined.sum(axis=0).astype(np.float64))


def area(score: Floats, hit: np.ndarray, weight: Floats) -> Floats:
    """Weighted area under the ROC curve, `weight` (B, R) gives (B,).

    A row with the label beats the weight ranked below it, and half of what ties with it. That
    is counted over all rows, with one running sum; the pairs of rows that both have the label
    are in it too, and they come to half the square of their weight whatever their ranks.
    """
    order = np.argsort(score, kind="stable")
    ranked = score[order]
    first = np.flatnonzero(np.r_[True, np.diff(ranked) > _ROUNDING][: len(ranked)])
    edges = np.r_[first, len(ranked)]
    hits = np.flatnonzero(hit[order])
    tie = np.searchsorted(first, hits, side="right") - 1
    ordered = weight[:, order]
    running = np.zeros((len(weight), len(score) + 1))
    np.cumsum(ordered, axis=1, out=running[:, 1:])
    with_label = ordered[:, hits]
    total = with_label.sum(axis=1)
    won = np.einsum("br,br->b", with_label, running[:, edges[tie]] + running[:, edges[tie + 1]])
    return ratio((won - total**2) / 2, total * (weight @ ~hit))


AUC = RankingScorer(
    name="auc",
    takes="probabilities",
    about="the chance that a row with the positive label is ranked above one without it",
    bounds=(0.0, 1.0),
    undefined="all raters give the positive label, or none does",
    hard_too=True,
    scale_free=True,
)
