"""Scorers of labels in an order: how far off, not only whether."""

import numpy as np

from headcount.frozen import frozen
from headcount.metrics.correlation import pearson
from headcount.metrics.ranked import ranked_scores
from headcount.metrics.ranking import Ranks
from headcount.metrics.rowwise import RowScorer
from headcount.metrics.scorer import Floats, Ints, Prediction, Scorer, ratio
from headcount.metrics.task import Task


def _rps(prediction: Prediction, label: Ints, task: Task) -> Floats:
    return _at(_rps_of_every(prediction, task), label)


def _rps_of_every(prediction: Prediction, task: Task) -> Floats:
    return ranked_scores(prediction, np.ones(task.n_labels - 1))


def _crps(prediction: Prediction, label: Ints, task: Task) -> Floats:
    return _at(_crps_of_every(prediction, task), label)


def _crps_of_every(prediction: Prediction, task: Task) -> Floats:
    return ranked_scores(prediction, np.diff(task.levels))


def _absolute(prediction: Prediction, label: Ints, task: Task) -> Floats:
    away: Floats = -np.abs(prediction - task.values[label])
    return away


def _squared(prediction: Prediction, label: Ints, task: Task) -> Floats:
    away: Floats = -((prediction - task.values[label]) ** 2)
    return away


def _within_one(prediction: Prediction, label: Ints, _task: Task) -> Floats:
    near = (np.abs(prediction - label) <= 1) & (prediction >= 0)
    return np.asarray(near, dtype=np.float64)


def _at(table: Floats, label: Ints) -> Floats:
    """Each row's entry for its label: (…, R, L) and (R,) give (…, R)."""
    entries: Floats = table[..., np.arange(len(label)), label]
    return entries


@frozen
class KappaScorer(Scorer):
    """1 − E(x − y)² / E′(x − y)², where x and y in E′ come from different rows.

    Cohen's kappa with quadratic weights on the levels' values. A prediction that never changes
    agrees no more than chance: 0.
    """

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The kappa from weighted moments, which are linear in the weights."""
        if not len(label):
            return np.full(len(weight), np.nan)
        middle = task.values.mean()
        x, y = np.asarray(prediction, dtype=np.float64) - middle, task.values[label] - middle
        moments = ratio(
            weight @ np.column_stack([x, y, x * x, y * y, x * y]), weight.sum(axis=1)[:, None]
        )
        mean_x, mean_y, square_x, square_y, product = moments.T
        by_chance = square_x + square_y - 2 * mean_x * mean_y
        tiny = 1e-13 * (square_x + square_y)
        observed = square_x + square_y - 2 * product
        return ratio(by_chance - observed, np.where(by_chance > tiny, by_chance, 0.0))


@frozen
class SpearmanScorer(Scorer):
    """Pearson's correlation of ranks, equal values sharing their mean rank."""

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """Ranks depend on the weights, so each weight vector has its own."""
        if not len(label):
            return np.full(len(weight), np.nan)
        x = _midranks(np.asarray(prediction, dtype=np.float64), weight)
        y = _midranks(task.values[label], weight)
        one = [pearson(x[b], y[b], weight[b : b + 1])[0] for b in range(len(weight))]
        return np.array(one)


def _midranks(numbers: Floats, weight: Floats) -> Floats:
    """The weight below each row and half of what ties with it, (B, R)."""
    ranks = Ranks.of(numbers)
    running = ranks.running(weight)
    middle: Floats = (running[:, ranks.begins] + running[:, ranks.ends]) / 2
    return middle


RPS = RowScorer(
    name="rps",
    takes="probabilities",
    about="minus the ranked probability score Σⱼ (F(j) − [label ≤ j])²; of a level, the steps off",
    bounds=(None, 0.0),
    reads_order=True,
    row=_rps,
    every=_rps_of_every,
)
CRPS = RowScorer(
    name="crps",
    takes="probabilities",
    about="the same with each step as long as the labels' numbers are apart",
    bounds=(None, 0.0),
    reads_order=True,
    row=_crps,
    every=_crps_of_every,
)
ABSOLUTE_ERROR = RowScorer(
    name="absolute_error",
    takes="numbers",
    about="minus the mean distance between predicted number and label",
    bounds=(None, 0.0),
    row=_absolute,
)
SQUARED_ERROR = RowScorer(
    name="squared_error",
    takes="numbers",
    about="minus the mean squared distance between predicted number and label",
    bounds=(None, 0.0),
    calibrated=True,
    row=_squared,
)
WITHIN_ONE = RowScorer(
    name="within_one",
    takes="labels",
    about="the share of raters at most one level away from the prediction",
    bounds=(0.0, 1.0),
    reads_order=True,
    row=_within_one,
)
QUADRATIC_KAPPA = KappaScorer(
    name="quadratic_kappa",
    takes="numbers",
    about="Cohen's kappa with quadratic weights between the labels' numbers",
    bounds=(-1.0, 1.0),
    undefined="predictions and raters' labels never vary",
)
SPEARMAN = SpearmanScorer(
    name="spearman",
    takes="numbers",
    about="Spearman's correlation: Pearson's of the ranks",
    bounds=(-1.0, 1.0),
    undefined="the raters' labels do not vary",
    scale_free=True,
)
