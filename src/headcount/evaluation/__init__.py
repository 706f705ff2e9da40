"""All of it on one study, and what needs more than one method."""

from headcount.evaluation.checkup import Checkup, examine
from headcount.evaluation.classifier import ClassifierEvaluation
from headcount.evaluation.evaluate import evaluate
from headcount.evaluation.evaluation import Evaluation
from headcount.evaluation.history import History, HistoryPoint, history
from headcount.evaluation.part import Unavailable
from headcount.evaluation.replacement import replacement_test
from headcount.evaluation.replacement_result import ReplacementTest

__all__ = [
    "Checkup",
    "ClassifierEvaluation",
    "Evaluation",
    "History",
    "HistoryPoint",
    "ReplacementTest",
    "Unavailable",
    "evaluate",
    "examine",
    "history",
    "replacement_test",
]
