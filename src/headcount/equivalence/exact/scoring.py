"""What predictions are scored against, one held-out rater or the plurality of r, and how."""

import math
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from headcount.data import Labels, group_rows
from headcount.equivalence.combiners import Produces, alike, shares_of_most_common
from headcount.equivalence.exact.level import Counts, Floats, Ints, Level, Which
from headcount.scorers import RowScorer, Scorer, one_hot, rows_for

_CELLS = 200_000
"""Predictions scored at once: what stays near the processor."""


_DRAWN_CELLS = 4_000_000
"""Draws × rows worked on at once."""


@dataclass(frozen=True)
class HeldOut:
    """The chance of each label to be the one that a level's rows are scored against.

    `table` (R, L), or None where that is the next answer: worked out when asked for.
    """

    level: Level
    table: Floats | None

    def of(self, rows: Which) -> Floats:
        """For some rows of the level, (r, L)."""
        return self.level.following(rows) if self.table is None else self.table[rows]


def plurality_of(left: Counts, reference_raters: int) -> Floats:
    """The chance of each label to be the plurality of r answers drawn from `left` (R, L).

    Exact: every possible draw of r answers, each with its chance; ties share. Rows with the
    same answers are worked out once.
    """
    if reference_raters == 1:
        total = left.sum(axis=1, keepdims=True)
        shares: Floats = left / np.maximum(total, 1)
        return shares
    groups = group_rows(left)
    distinct = left[groups.first]
    draws = possible_draws(left.shape[1], reference_raters)
    winners = shares_of_most_common(draws)
    out = np.empty(distinct.shape)
    step = max(1, _DRAWN_CELLS // len(draws))
    for start in range(0, len(distinct), step):
        part = distinct[start : start + step]
        out[start : start + step] = _chances(part, draws) @ winners
    return out[groups.of_row]


def possible_draws(n_labels: int, reference_raters: int) -> Ints:
    """Every way r answers can fall on the labels, shape (C(L + r − 1, r), L)."""
    chosen = np.array([*combinations_with_replacement(range(n_labels), reference_raters)])
    draws: Ints = (chosen[:, :, None] == np.arange(n_labels)).sum(axis=1)
    return draws


def n_possible_draws(n_labels: int, reference_raters: int) -> int:
    """How many there are."""
    return math.comb(n_labels + reference_raters - 1, reference_raters)


def _chances(left: Counts, draws: Ints) -> Floats:
    """P(z | d): the chance to draw z from what is left, shape (R, draws)."""
    most = int(left.sum(axis=1).max(initial=0))
    raters = int(draws[0].sum())
    a, b = np.arange(most + 1)[:, None], np.arange(raters + 1)
    choose = np.where(
        a >= b, np.exp(gammaln(a + 1) - gammaln(b + 1) - gammaln(np.maximum(a - b, 0) + 1)), 0.0
    )
    ways = np.ones((len(left), len(draws)))
    for label in range(left.shape[1]):
        ways *= choose[left[:, label, None], draws[:, label]]
    ways /= choose[left.sum(axis=1), raters][:, None]
    return ways


@dataclass(frozen=True)
class Rows:
    """A weighted table: `prediction`, `label` and `share`, each of `row` of a level."""

    prediction: NDArray[Any]
    label: Ints
    share: Floats
    row: Ints


@dataclass(frozen=True)
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

    def row_means(self, predicted: Floats, gives: Produces, held_out: HeldOut) -> Floats:
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
            out[:, part] = np.einsum("brl,rl->br", against, held_out.of(part))
        return out

    def table(
        self,
        level: Level,
        predicted: NDArray[Any],
        gives: Produces,
        held_out: HeldOut,
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
        chance = held_out.of(index)
        which, label = np.nonzero(chance)
        share = rows.share[which] * chance[which, label]
        return Rows(rows.prediction[which], label, share, index[which])

    def pooled(
        self,
        level: Level,
        predicted: NDArray[Any],
        gives: Produces,
        held_out: HeldOut,
        weight: Floats,
    ) -> float:
        """The score of one sample's table; NaN where a prediction is missing."""
        if np.isnan(predicted[weight > 0]).any():
            return math.nan
        rows = self.table(level, predicted, gives, held_out, weight)
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
            shares = predicted if gives == "labels" else _top_shares(predicted)
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


def _top_shares(chances: Floats) -> Floats:
    """One, shared by the most probable labels; as `top_labels`, for many samples.

    Where nothing could be predicted (a sample that holds one item alone) NaN stays NaN.
    """
    top = chances >= chances.max(axis=-1, keepdims=True) * (1 - 1e-12)
    with np.errstate(invalid="ignore"):
        shares: Floats = top / top.sum(axis=-1, keepdims=True)
    return shares
