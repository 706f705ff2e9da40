"""Method 1: how many raters a classifier is worth."""

from headcount.equivalence.api import power_curve, survey_equivalence
from headcount.equivalence.curve_result import PowerCurve
from headcount.equivalence.equivalence_result import (
    ClassifierScore,
    Comparison,
    SurveyEquivalence,
)
from headcount.equivalence.gate import Requirement

__all__ = [
    "ClassifierScore",
    "Comparison",
    "PowerCurve",
    "Requirement",
    "SurveyEquivalence",
    "power_curve",
    "survey_equivalence",
]
