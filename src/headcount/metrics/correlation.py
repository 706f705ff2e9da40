"""Pearson's correlation, for labels that are numbers."""

import numpy as np

from headcount.frozen import frozen
from headcount.metrics.scorer import Floats, Ints, Prediction, Scorer, ratio
from headcount.metrics.task import Task

_ROUNDING = 1e-13
"""A variance below this share of the mean square is a constant seen through rounding."""


@frozen
class CorrelationScorer(Scorer):
    """Weighted correlation between predicted numbers and the labels' numbers.

    Predictions that do not vary know nothing of the labels: 0.
    """

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The correlation from weighted moments, which are linear in the weights."""
        return pearson(np.asarray(prediction, dtype=np.float64), task.values[label], weight)


def pearson(x: Floats, y: Floats, weight: Floats) -> Floats:
    """Weighted correlation, `weight` (B, R) gives (B,): 0 for constant x, NaN for constant y."""
    if not len(x):
        return np.full(len(weight), np.nan)
    # Centred and scaled first: moments of raw numbers far from zero would cancel.
    x, y = _standard(x), _standard(y)
    total = weight.sum(axis=1)
    moments = ratio(
        weight @ np.column_stack([x, y, x * x, y * y, x * y]), np.asarray(total)[:, None]
    )
    mean_x, mean_y, square_x, square_y, product = moments.T
    spread_x, spread_y = square_x - mean_x**2, square_y - mean_y**2
    said, known = spread_x > _ROUNDING * square_x, spread_y > _ROUNDING * square_y
    scale = np.sqrt(np.where(said & known, spread_x * spread_y, 0.0))
    correlation = np.clip(ratio(product - mean_x * mean_y, scale), -1, 1)
    return np.where(known & ~said, 0.0, correlation)


def _standard(numbers: Floats) -> Floats:
    centred = numbers - numbers.mean()
    spread = np.abs(centred).max(initial=0.0)
    return centred / spread if spread > 0 else np.zeros_like(centred)


CORRELATION = CorrelationScorer(
    name="correlation",
    takes="numbers",
    about="Pearson's correlation of predicted numbers with the labels' numbers",
    bounds=(-1.0, 1.0),
    undefined="the raters' labels do not vary",
    scale_free=True,
)
