"""Method 1: how many raters a classifier is worth."""

from headcount.equivalence.api import power_curve, survey_equivalence
from headcount.equivalence.curve_result import PowerCurve
from headcount.equivalence.equivalence_result import (
    ClassifierScore,
    Comparison,
    SurveyEquivalence,
)
from headcount.equivalence.expert_result import ExpertEquivalence
from headcount.equivalence.gate import Requirement
from headcount.equivalence.pools import expert_equivalence

__all__ = [
    "ClassifierScore",
    "Comparison",
    "ExpertEquivalence",
    "PowerCurve",
    "Requirement",
    "SurveyEquivalence",
    "expert_equivalence",
    "power_curve",
    "survey_equivalence",
]
