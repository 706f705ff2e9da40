"""Scorers that are the weighted mean of a score for each row."""

from collections.abc import Callable
from dataclasses import field
from typing import ClassVar

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.data import Labels
from headcount.frozen import frozen
from headcount.metrics.scorer import Prediction, Scorer, Task, ratio

RowScore = Callable[[Prediction, Ints, Task], Floats]
EveryLabel = Callable[[Prediction, Task], Floats]


@frozen
class RowScorer(Scorer):
    """A decomposable scorer: `row(prediction, label, task)` scores each row by itself.

    Predictions may come in batches: a leading axis, (B, R) or (B, R, L), stays in front.
    `every` scores each row against every label at once, where that is quicker than in turn; with
    it alone a row has its label's entry.
    """

    decomposable: ClassVar[bool] = True
    row: RowScore | None = field(kw_only=True, default=None, repr=False)
    every: EveryLabel | None = field(kw_only=True, default=None, repr=False)

    def rows(
        self,
        prediction: Prediction,
        label: Ints,
        *,
        labels: Labels,
        positive: int | None = None,
        clip: float | None = None,
    ) -> Floats:
        """The score of each row, (R,), or (B, R) for predictions in batches."""
        task = Task(labels, positive, clip)
        return self._of_rows(np.asarray(prediction), np.asarray(label), task)

    def against_every_label(
        self,
        prediction: Prediction,
        *,
        labels: Labels,
        positive: int | None = None,
        clip: float | None = None,
    ) -> Floats:
        """The score of each row against each label: (R, L), or (B, R, L) in batches."""
        prediction, task = np.asarray(prediction), Task(labels, positive, clip)
        if self.every is not None:
            return self.every(prediction, task)
        n_rows = prediction.shape[-2 if self.takes == "probabilities" else -1]
        each = [
            self._of_rows(prediction, np.full(n_rows, label), task)
            for label in range(task.n_labels)
        ]
        return np.stack(each, axis=-1)

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The weighted mean of the row scores, for all weight vectors in one product."""
        scores = self._of_rows(prediction, label, task)
        total = weight @ scores if scores.ndim == 1 else np.einsum("br,br->b", weight, scores)
        return ratio(total, weight.sum(axis=1))

    def _of_rows(self, prediction: Prediction, label: Ints, task: Task) -> Floats:
        if self.row is not None:
            return self.row(prediction, label, task)
        assert self.every is not None
        return _at(self.every(prediction, task), label)


def clipped(probabilities: Floats, clip: float) -> Floats:
    """Probabilities (…, L) cut to [ε, 1 − ε] and made to sum to one again.

    A row without any probability is an answer outside the label set: every label gets what
    the labels of a certain and wrong answer get.
    """
    n_labels = probabilities.shape[-1]
    held: Floats = np.clip(probabilities, clip, 1 - clip)
    # A product with ones: NumPy sums short last axes slowly.
    total = held @ np.ones(n_labels)
    # Only rows whose every label was raised to the clip can be without probability.
    silent = total < n_labels * clip * (1 + 1e-9)
    if silent.any():
        silent &= ~probabilities.any(axis=-1)
        total[silent] = 1 - clip + (n_labels - 1) * clip
    held /= total[..., None]
    return held


def _at(table: Floats, label: Ints) -> Floats:
    """Each row's entry for its label: (…, R, L) and (R,) give (…, R)."""
    entries: Floats = table[..., np.arange(len(label)), label]
    return entries


def _agreement(prediction: Prediction, label: Ints, _task: Task) -> Floats:
    return np.asarray(prediction == label, dtype=np.float64)


def _cross_entropy(prediction: Prediction, label: Ints, task: Task) -> Floats:
    return np.log2(_at(clipped(prediction, task.epsilon), label))


def log_scores(prediction: Floats, clip: float) -> Floats:
    """log₂ of predictions (…, L) kept `clip` from 0 and 1: what each scores against every label."""
    held = clipped(prediction, clip)
    return np.log2(held, out=held)


def brier_scores(prediction: Floats) -> Floats:
    """−½ Σ_ℓ (p_ℓ − [ℓ = y])² = p_y − ½ − ½ Σ p_ℓ² of predictions (…, L) against every label y.

    A row without any probability is an answer outside the label set, as bad as the certain
    and wrong answer. A prediction that is undefined has an undefined score.
    """
    square = np.einsum("...l,...l->...", prediction, prediction)[..., None]
    return np.where(square == 0, -1.0, prediction - 0.5 - 0.5 * square)


def ranked_scores(prediction: Floats, steps: Floats) -> Floats:
    """−Σ_j w_j (F(j) − 1[y ≤ j])² of predictions (…, L) against every level y, (…, L).

    `steps` (L − 1,) weighs the cuts between neighbouring levels. A row without any probability
    is an answer outside the levels: as bad as the certain answer at the end that is further off.

    >>> ranked_scores(np.array([0.0, 1.0, 0.0]), np.ones(2))
    array([-1.,  0., -1.])
    """
    below = np.cumsum(prediction, axis=-1)[..., :-1]
    squares = (below**2) @ steps
    # Against y the cuts from y on have 1 to be compared with: (F − 1)² = F² − (2F − 1).
    gains = np.cumsum(((2 * below - 1) * steps)[..., ::-1], axis=-1)[..., ::-1]
    scores = np.concatenate([gains, np.zeros((*gains.shape[:-1], 1))], axis=-1)
    scores -= squares[..., None]
    silent = ~prediction.any(axis=-1)
    if silent.any():
        up = np.concatenate([[0.0], np.cumsum(steps)])
        scores[silent] = -np.maximum(up, up[-1] - up)
    return scores


def _logs(prediction: Prediction, task: Task) -> Floats:
    return log_scores(prediction, task.epsilon)


def _brier(prediction: Prediction, _task: Task) -> Floats:
    return brier_scores(prediction)


def _rps(prediction: Prediction, task: Task) -> Floats:
    return ranked_scores(prediction, np.ones(task.n_labels - 1))


def _crps(prediction: Prediction, task: Task) -> Floats:
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


AGREEMENT = RowScorer(
    name="agreement",
    takes="labels",
    about="the share of raters that the prediction agrees with",
    bounds=(0.0, 1.0),
    row=_agreement,
)
CROSS_ENTROPY = RowScorer(
    name="cross_entropy",
    takes="probabilities",
    about="the mean of log₂ p(label): minus the bits of surprise at a rater's label",
    bounds=(None, 0.0),
    row=_cross_entropy,
    every=_logs,
)
BRIER = RowScorer(
    name="brier",
    takes="probabilities",
    about="minus half the squared distance between the probabilities and the label",
    bounds=(-1.0, 0.0),
    hard_too=True,
    every=_brier,
)


RPS = RowScorer(
    name="rps",
    takes="probabilities",
    about="minus the ranked probability score Σⱼ (F(j) − [label ≤ j])²; of a level, the steps off",
    bounds=(None, 0.0),
    reads_order=True,
    every=_rps,
)
CRPS = RowScorer(
    name="crps",
    takes="probabilities",
    about="the same with each step as long as the labels' numbers are apart",
    bounds=(None, 0.0),
    reads_order=True,
    every=_crps,
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
