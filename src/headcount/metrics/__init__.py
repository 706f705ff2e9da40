"""Every metric as a function of weighted (prediction, label) rows."""

from headcount.metrics.callable_scorer import CustomScorer, custom_scorer
from headcount.metrics.pooled_scorers import RankingScorer, Ranks, area_of_ranks, over_labels
from headcount.metrics.registry import ALIASES, SCORERS, resolve_scorer, usual_scorer
from headcount.metrics.row_scorers import (
    RowScorer,
    brier_scores,
    clipped,
    log_scores,
    ranked_scores,
)
from headcount.metrics.scorer import Scorer, Takes, Task, clip_for
from headcount.metrics.scorer_inputs import (
    Rows,
    caution,
    check_combination,
    check_scorer,
    fits,
    one_hot,
    prediction_for,
    rows_for,
    top_labels,
    top_shares,
)

__all__ = [
    "ALIASES",
    "SCORERS",
    "CustomScorer",
    "RankingScorer",
    "Ranks",
    "RowScorer",
    "Rows",
    "Scorer",
    "Takes",
    "Task",
    "area_of_ranks",
    "brier_scores",
    "caution",
    "check_combination",
    "check_scorer",
    "clip_for",
    "clipped",
    "custom_scorer",
    "fits",
    "log_scores",
    "one_hot",
    "over_labels",
    "prediction_for",
    "ranked_scores",
    "resolve_scorer",
    "rows_for",
    "top_labels",
    "top_shares",
    "usual_scorer",
]
