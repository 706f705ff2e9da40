"""A power curve's question on bare arrays, and how predictions are scored in it."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Labels
from headcount.equivalence.combiners import Combiner, Others, Produces, alike, plurality_of
from headcount.equivalence.exact.surveys import Level
from headcount.frozen import frozen
from headcount.metrics import RowScorer, Scorer, one_hot, rows_for, top_shares

# Predictions scored at once: what stays near the processor.
_CELLS = 200_000


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


@frozen
class Setup:
    """Patterns, and what to do with them.

    `counts` (G, L) and `sizes` (G,): the distinct label counts and how many items have each
    (parts of an item, too, where patterns are divided).
    `most` is the largest survey; every pattern has at least `most` answers, and
    `reference_raters` more to hold out, unless these come from `experts` (G, L), the counts
    of another pool.
    """

    counts: Ints
    sizes: NDArray[Any]
    most: int
    labels: Labels
    combiner: Combiner
    scorer: Scorer
    positive: int | None = None
    clip: float | None = None
    reference_raters: int = 1
    experts: Ints | None = None

    @property
    def targets(self) -> Floats | None:
        """The chances of each label in the other pool, (G, L), or None where there is one pool."""
        return None if self.experts is None else plurality_of(self.experts, self.reference_raters)

    @property
    def scoring(self) -> Scoring:
        """The scorer with what it must know."""
        return Scoring(self.scorer, self.labels, self.positive, self.clip)

    def aimed(self, level: Level) -> Level:
        """A level with the label that its rows are scored against, and learn to predict."""
        if self.reference_raters == 1 or self.experts is not None:
            return level
        return replace(level, aims=plurality_of(level.left.T, self.reference_raters))

    def copies(self, samples: Floats) -> Floats:
        """How many copies of a drawn item to leave out of each bootstrap sample, shape (B, G).

        A copy drawn from a group of g items that was drawn m times is accompanied, on
        average, by (m − 1) / g more copies of the same item.
        """
        alone = 1 + (samples - 1) / self.sizes
        return np.where(samples > 0, alone, 0.0)

    def others(self, level: Level, items: Floats, copies: Floats) -> Others:
        """What a combiner may learn from in one sample: `items` and `copies` (G,)."""
        own: NDArray[np.int64] = level.pattern.astype(np.int64)
        return Others(self.counts, items, own, copies[own], self.targets, self.reference_raters)
