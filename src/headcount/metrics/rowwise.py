"""Scorers that are the weighted mean of a score for each row."""

from collections.abc import Callable
from dataclasses import field
from typing import ClassVar

import numpy as np

from headcount.data import Labels
from headcount.frozen import frozen
from headcount.metrics.scorer import Floats, Ints, Prediction, Scorer, ratio
from headcount.metrics.task import Task

RowScore = Callable[[Prediction, Ints, Task], Floats]
EveryLabel = Callable[[Prediction, Task], Floats]


@frozen
class RowScorer(Scorer):
    """A decomposable scorer: `row(prediction, label, task)` scores each row by itself.

    Predictions may come in batches: a leading axis, (B, R) or (B, R, L), stays in front.
    `every` scores each row against every label at once, where that is quicker than in turn.
    """

    decomposable: ClassVar[bool] = True
    row: RowScore = field(kw_only=True, repr=False)
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
        return self.row(np.asarray(prediction), np.asarray(label), Task(labels, positive, clip))

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
            self.row(prediction, np.full(n_rows, label), task) for label in range(task.n_labels)
        ]
        return np.stack(each, axis=-1)

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The weighted mean of the row scores, for all weight vectors in one product."""
        scores = self.row(prediction, label, task)
        total = weight @ scores if scores.ndim == 1 else np.einsum("br,br->b", weight, scores)
        return ratio(total, weight.sum(axis=1))


def clipped(probabilities: Floats, clip: float) -> Floats:
    """Probabilities (…, L) cut to [ε, 1 − ε] and made to sum to one again.

    A row without any probability is an answer outside the label set: every label gets what
    the labels of a certain and wrong answer get.
    """
    n_labels = probabilities.shape[-1]
    held: Floats = np.clip(probabilities, clip, 1 - clip)
    # A product with ones: NumPy sums short last axes slowly.
    total = held @ np.ones(n_labels)
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


def _cross_entropy_of_every(prediction: Prediction, task: Task) -> Floats:
    held = clipped(prediction, task.epsilon)
    return np.log2(held, out=held)


def _brier(prediction: Prediction, label: Ints, _task: Task) -> Floats:
    """−½ Σ_ℓ (p_ℓ − [ℓ is the label])² = p_label − ½ − ½ Σ p_ℓ².

    A row without any probability is an answer outside the label set, as bad as the certain
    and wrong answer. A prediction that is undefined has an undefined score.
    """
    square = np.einsum("...rl,...rl->...r", prediction, prediction)
    return np.where(square == 0, -1.0, _at(prediction, label) - 0.5 - 0.5 * square)


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
    every=_cross_entropy_of_every,
)
BRIER = RowScorer(
    name="brier",
    takes="probabilities",
    about="minus half the squared distance between the probabilities and the label",
    bounds=(-1.0, 0.0),
    hard_too=True,
    row=_brier,
)
