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
    """Weighted area under the ROC curve, `weight` (B, R) gives (B,)."""
    if not len(score):
        return np.full(len(weight), np.nan)
    order = np.argsort(score, kind="stable")
    ranked = score[order]
    tied = np.flatnonzero(np.r_[True, np.diff(ranked) > _ROUNDING])
    ordered = weight[:, order]
    with_label = np.add.reduceat(ordered * hit[order], tied, axis=1)
    without = np.add.reduceat(ordered * ~hit[order], tied, axis=1)
    below = np.cumsum(without, axis=1) - without / 2
    won = np.einsum("bg,bg->b", with_label, below)
    return ratio(won, with_label.sum(axis=1) * without.sum(axis=1))


AUC = RankingScorer(
    name="auc",
    takes="probabilities",
    about="the chance that a row with the positive label is ranked above one without it",
    bounds=(0.0, 1.0),
    undefined="all raters give the positive label, or none does",
    hard_too=True,
    scale_free=True,
)
