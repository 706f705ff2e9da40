"""Every metric as a function of weighted (prediction, label) rows."""

from headcount.scorers.custom import CustomScorer, custom_scorer
from headcount.scorers.feeding import (
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
from headcount.scorers.registry import ALIASES, SCORERS, resolve_scorer, usual_scorer
from headcount.scorers.rowwise import RowScorer, clipped
from headcount.scorers.scorer import Scorer, Takes
from headcount.scorers.task import Task, clip_for

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
