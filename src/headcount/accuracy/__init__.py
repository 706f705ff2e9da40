"""Accuracy against a truth nobody has: from raters' agreement, and from latent classes."""

from headcount.accuracy.accuracy_plan import AccuracyPlan, PlanPoint, plan_accuracy
from headcount.accuracy.accuracy_result import GoldFacts, SystemAccuracy
from headcount.accuracy.checks import Check
from headcount.accuracy.classifiers import ClassifierAccuracy, GoldAccuracy, TruthBin
from headcount.accuracy.gold import reading_gold
from headcount.accuracy.latent_classes import LatentClasses
from headcount.accuracy.reliability import RaterReliability
from headcount.accuracy.span import (
    AccuracySpan,
    CurvePoint,
    RatersSpan,
    SpanPart,
    TippingPoint,
    condition,
)
from headcount.accuracy.system import check_assumptions, system_accuracy, unanswerable

__all__ = [
    "AccuracyPlan",
    "AccuracySpan",
    "Check",
    "ClassifierAccuracy",
    "CurvePoint",
    "GoldAccuracy",
    "GoldFacts",
    "LatentClasses",
    "PlanPoint",
    "RaterReliability",
    "RatersSpan",
    "SpanPart",
    "SystemAccuracy",
    "TippingPoint",
    "TruthBin",
    "check_assumptions",
    "condition",
    "plan_accuracy",
    "reading_gold",
    "system_accuracy",
    "unanswerable",
]
