"""All of it on one data set, and what needs more than one method."""

from headcount.evaluation.checkup import Checkup, examine
from headcount.evaluation.evaluate import evaluate
from headcount.evaluation.evaluation import Evaluation
from headcount.evaluation.part import Unavailable
from headcount.evaluation.standing import Standing

__all__ = [
    "Checkup",
    "Evaluation",
    "Standing",
    "Unavailable",
    "evaluate",
    "examine",
]
