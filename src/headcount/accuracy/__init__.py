"""Accuracy against a truth nobody has: from raters' agreement, and from latent classes."""

from headcount.accuracy.parts import Check, ClassifierAccuracy, LatentClasses, TruthBin
from headcount.accuracy.plan import plan_accuracy
from headcount.accuracy.plan_result import AccuracyPlan, PlanPoint
from headcount.accuracy.result import SystemAccuracy
from headcount.accuracy.study import PAPER_FIGURES, Panel, study_accuracy, violations
from headcount.accuracy.study_result import AccuracyStudy, StudyRun
from headcount.accuracy.system import system_accuracy

__all__ = [
    "PAPER_FIGURES",
    "AccuracyPlan",
    "AccuracyStudy",
    "Check",
    "ClassifierAccuracy",
    "LatentClasses",
    "Panel",
    "PlanPoint",
    "StudyRun",
    "SystemAccuracy",
    "TruthBin",
    "plan_accuracy",
    "study_accuracy",
    "system_accuracy",
    "violations",
]
