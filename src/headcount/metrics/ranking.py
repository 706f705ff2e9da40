"""The area under the ROC curve."""

from collections.abc import Callable

import numpy as np

from headcount.frozen import frozen
from headcount.metrics.scorer import Floats, Ints, Prediction, Scorer, ratio
from headcount.metrics.task import Task

_ROUNDING = 1e-12
"""Probabilities closer than this are ties: equal but for the order they were summed in."""


@frozen
class RankingScorer(Scorer):
    """The chance that a row with the label is ranked above a row without it; ties count half.

    Among more than two labels: the plain mean of one-against-the-rest over the labels for
    which there are rows of both kinds.
    """

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The area for all weight vectors: the rows are sorted once."""
        return over_labels(lambda one: area(prediction[:, one], label == one, weight), task)


def over_labels(area_of: Callable[[int], Floats], task: Task) -> Floats:
    """The area of the label of interest, or the mean over the labels that have one."""
    if task.focus is not None:
        return area_of(task.focus)
    areas = np.stack([area_of(each) for each in range(task.n_labels)])
    defined = ~np.isnan(areas)
    return ratio(np.nansum(areas, axis=0), defined.sum(axis=0).astype(np.float64))


@frozen
class Ranks:
    """Rows in the order of their scores.

    `order` (R,) sorts them; `begins` and `ends` (R,) are, for each row as given, where the
    rows that tie with it begin and end in that order.
    """

    order: Ints
    begins: Ints
    ends: Ints

    @classmethod
    def of(cls, score: Floats) -> "Ranks":
        """The ranks of scores (R,); scores that differ by rounding only are ties."""
        order = np.argsort(score, kind="stable")
        ranked = score[order]
        first = np.flatnonzero(np.r_[True, np.diff(ranked) > _ROUNDING][: len(ranked)])
        edges = np.r_[first, len(ranked)]
        tie = np.empty(len(order), dtype=np.int64)
        tie[order] = np.repeat(np.arange(len(first)), np.diff(edges))
        return cls(order, edges[tie], edges[tie + 1])

    def running(self, weight: Floats) -> Floats:
        """The weight (B, R) below each place in the order, (B, R + 1)."""
        total = np.zeros((len(weight), len(self.order) + 1))
        np.cumsum(weight[:, self.order], axis=1, out=total[:, 1:])
        return total


def area(score: Floats, hit: np.ndarray, weight: Floats) -> Floats:
    """Weighted area under the ROC curve, `weight` (B, R) gives (B,)."""
    ranks = Ranks.of(score)
    rows = np.flatnonzero(hit)
    return area_of_ranks(ranks, rows, weight[:, rows], weight @ ~hit, ranks.running(weight))


def area_of_ranks(
    ranks: Ranks, rows: Ints, with_label: Floats, without: Floats, running: Floats
) -> Floats:
    """The area where `rows` have the label with weights `with_label` (B, rows).

    `without` (B,) is the weight that does not have it, `running` all the weight in order. What
    has the label beats the weight ranked below it, and half of what ties with it. That is
    counted over all the weight; the pairs that both have the label are in it too, and they come
    to half the square of their weight whatever their ranks.
    """
    total = with_label.sum(axis=1)
    beaten = running[:, ranks.begins[rows]] + running[:, ranks.ends[rows]]
    won = np.einsum("br,br->b", with_label, beaten)
    return ratio((won - total**2) / 2, total * without)


AUC = RankingScorer(
    name="auc",
    takes="probabilities",
    about="the chance that a row with the positive label is ranked above one without it",
    bounds=(0.0, 1.0),
    undefined="all raters give the positive label, or none does",
    hard_too=True,
    scale_free=True,
)
