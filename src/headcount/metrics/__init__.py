"""Every metric as a function of weighted (prediction, label) rows."""

from headcount.metrics.custom import CustomScorer, custom_scorer
from headcount.metrics.feeding import (
    Rows,
    caution,
    check_combination,
    check_scorer,
    fits,
    one_hot,
    prediction_for,
    rows_for,
    top_labels,
)
from headcount.metrics.registry import ALIASES, SCORERS, resolve_scorer, usual_scorer
from headcount.metrics.rowwise import RowScorer, clipped
from headcount.metrics.scorer import Scorer, Takes
from headcount.metrics.task import Task, clip_for

__all__ = [
    "ALIASES",
    "SCORERS",
    "CustomScorer",
    "RowScorer",
    "Rows",
    "Scorer",
    "Takes",
    "Task",
    "caution",
    "check_combination",
    "check_scorer",
    "clip_for",
    "clipped",
    "custom_scorer",
    "fits",
    "one_hot",
    "prediction_for",
    "resolve_scorer",
    "rows_for",
    "top_labels",
    "usual_scorer",
]
