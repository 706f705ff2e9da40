"""The scores of classifiers against held-out raters."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Judged
from headcount.equivalence.equivalence_result import ClassifierScore
from headcount.equivalence.exact.held_out import plurality_of
from headcount.equivalence.exact.scoring import Rows, Scoring
from headcount.equivalence.plan import Plan
from headcount.scorers import caution, prediction_for

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ScoredGroups:
    """A classifier on groups of items, ready to be scored in any sample of them.

    `prediction` has a row a group, in the form the scorer takes; `held_out` (H, L) is the
    chance of each label to be the one it is scored against.
    """

    scoring: Scoring
    prediction: NDArray[Any]
    held_out: Floats

    def scores(self, draws: NDArray[np.integer]) -> Floats:
        """Scores (B,) in samples that hold each group `draws` (B, H) times."""
        if self.scoring.scorer.decomposable:
            total: Floats = draws @ self._mean_of_group / draws.sum(axis=1)
            return total
        return self.scoring.of_rows(self._rows, draws)

    @cached_property
    def _rows(self) -> Rows:
        group, label = np.nonzero(self.held_out > 0)
        return Rows(self.prediction[group], label, self.held_out[group, label], group)

    @cached_property
    def _mean_of_group(self) -> Floats:
        """Each group's expected score (H,): once for all samples."""
        rows = self._rows
        each = self.scoring.rows(rows.prediction, rows.label)
        mean: Floats = np.bincount(
            rows.row, weights=each * rows.share, minlength=len(self.held_out)
        ).astype(np.float64, copy=False)
        return mean


def scored_classifiers(plan: Plan, judged: Judged) -> tuple[ScoredGroups, ...]:
    """The judged classifiers, ready to be scored against held-out raters."""
    scoring = Scoring(plan.scorer, plan.labels, plan.positive, plan.clip)
    held_out = plurality_of(judged.counts, plan.reference_raters)
    return tuple(
        ScoredGroups(scoring, np.asarray(prediction_for(each, plan.scorer, plan.labels)), held_out)
        for each in judged.classifiers
    )


def named_scores(
    plan: Plan, judged: Judged, scores: tuple[Floats, ...]
) -> tuple[ClassifierScore, ...]:
    """Scores (1 + B,), the first from the data themselves, with the classifiers' names."""
    return tuple(
        ClassifierScore(
            each.name,
            float(of[0]),
            of[1:],
            each.answered,
            each.out_of,
            as_certain=caution(each, plan.scorer) is not None,
        )
        for each, of in zip(judged.classifiers, scores, strict=True)
    )


def cautions(plan: Plan, judged: Judged) -> tuple[str, ...]:
    """What to know about scoring these classifiers so, one sentence each."""
    said = (caution(each, plan.scorer) for each in judged.classifiers)
    return tuple(sentence for sentence in said if sentence)
