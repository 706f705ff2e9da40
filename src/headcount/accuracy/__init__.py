"""Accuracy against a truth nobody has: from raters' agreement, and from latent classes."""

from headcount.accuracy.parts import Check, ClassifierAccuracy, LatentClasses, TruthBin
from headcount.accuracy.plan import plan_accuracy
from headcount.accuracy.plan_result import AccuracyPlan, PlanPoint
from headcount.accuracy.result import SystemAccuracy
from headcount.accuracy.system import system_accuracy

__all__ = [
    "AccuracyPlan",
    "Check",
    "ClassifierAccuracy",
    "LatentClasses",
    "PlanPoint",
    "SystemAccuracy",
    "TruthBin",
    "plan_accuracy",
    "system_accuracy",
]
