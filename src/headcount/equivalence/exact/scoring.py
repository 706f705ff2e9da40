"""How the predictions of a level are scored against the label that they are about."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Labels
from headcount.equivalence.combiners import Produces, alike
from headcount.equivalence.exact.level import Floats, Ints, Level
from headcount.frozen import frozen
from headcount.metrics import RowScorer, Scorer, one_hot, rows_for, top_shares

_CELLS = 200_000
"""Predictions scored at once: what stays near the processor."""


@frozen
class Rows:
    """A weighted table: `prediction`, `label` and `share`, each of `row` of a level."""

    prediction: NDArray[Any]
    label: Ints
    share: Floats
    row: Ints


@frozen
class Scoring:
    """A scorer with everything it must know besides the rows."""

    scorer: Scorer
    labels: Labels
    positive: int | None
    clip: float | None

    @property
    def options(self) -> dict[str, Any]:
        """What a scorer takes by name."""
        return {"labels": self.labels, "positive": self.positive, "clip": self.clip}

    def rows(self, prediction: NDArray[Any], label: Ints) -> Floats:
        """The score of each row by itself, for decomposable scorers."""
        assert isinstance(self.scorer, RowScorer)
        return self.scorer.rows(prediction, label, **self.options)

    def row_means(self, predicted: Floats, gives: Produces, level: Level) -> Floats:
        """Each row's expected score, for decomposable scorers.

        `predicted` (B, R, L) or (B, R) give (B, R).
        """
        scorer = self.scorer
        assert isinstance(scorer, RowScorer)
        B, R = predicted.shape[:2]
        out = np.empty((B, R))
        step = max(1, _CELLS // (B * self.labels.n))
        for start in range(0, R, step):
            part = slice(start, start + step)
            against = self._against_every_label(scorer, predicted[:, part], gives)
            out[:, part] = np.einsum("brl,rl->br", against, level.following(part))
        return out

    def table(
        self,
        level: Level,
        predicted: NDArray[Any],
        gives: Produces,
        weight: Floats,
    ) -> Rows:
        """One sample's predictions (R, …) against each label that they can meet.

        Rows without `weight` (R,) are left out; a prediction that is missing (NaN) stays so.
        """
        if self.scorer.scale_free:
            predicted = alike(predicted, level.survey, weight)
        held = np.flatnonzero(weight > 0)
        rows = rows_for(predicted[held], gives, self.scorer, self.labels)
        index = held[rows.index]
        chance = level.following(index)
        which, label = np.nonzero(chance)
        share = rows.share[which] * chance[which, label]
        return Rows(rows.prediction[which], label, share, index[which])

    def pooled(
        self,
        level: Level,
        predicted: NDArray[Any],
        gives: Produces,
        weight: Floats,
    ) -> float:
        """The score of one sample's table; NaN where a prediction is missing."""
        if np.isnan(predicted[weight > 0]).any():
            return math.nan
        rows = self.table(level, predicted, gives, weight)
        return float(self.of_rows(rows, weight[None])[0])

    def of_rows(self, rows: Rows, weight: NDArray[Any]) -> Floats:
        """Scores (B,) of a table whose level rows have `weight` (B, R) in each sample."""
        out = np.empty(len(weight))
        step = max(1, 4 * _CELLS // max(len(rows.row), 1))
        for start in range(0, len(weight), step):
            part = slice(start, start + step)
            out[part] = self.scorer(
                rows.prediction, rows.label, weight[part][:, rows.row] * rows.share, **self.options
            )
        return out

    def _against_every_label(self, scorer: RowScorer, predicted: Floats, gives: Produces) -> Floats:
        """Scores (B, R, L) of each prediction against each label."""
        if scorer.takes == "labels" or gives == "labels":
            shares = predicted if gives == "labels" else top_shares(predicted)
            each: Any = np.arange(self.labels.n)
            if scorer.takes == "probabilities":
                each = one_hot(each, self.labels.n)
            of_code = scorer.against_every_label(each, **self.options)
            scores: Floats = shares @ of_code
            return scores
        if scorer.takes == "numbers" and gives == "probabilities":
            assert self.labels.values is not None
            predicted = predicted @ self.labels.values
        return scorer.against_every_label(predicted, **self.options)
