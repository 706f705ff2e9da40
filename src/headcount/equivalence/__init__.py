"""Method 1: how many raters a classifier is worth."""

from headcount.equivalence.power_curve import CurvePoint, PowerCurve
from headcount.equivalence.question import reads_probabilities, unanswerable
from headcount.equivalence.survey import expert_equivalence, power_curve, survey_equivalence
from headcount.equivalence.two_pools import ExpertEquivalence
from headcount.equivalence.worth import ClassifierWorth, Comparison, SurveyEquivalence

__all__ = [
    "ClassifierWorth",
    "Comparison",
    "CurvePoint",
    "ExpertEquivalence",
    "PowerCurve",
    "SurveyEquivalence",
    "expert_equivalence",
    "power_curve",
    "reads_probabilities",
    "survey_equivalence",
    "unanswerable",
]
