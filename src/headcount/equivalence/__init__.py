"""Method 1: how many raters a classifier is worth."""

from headcount.equivalence.power_curve import CurvePoint, PowerCurve, against
from headcount.equivalence.question import reads_probabilities, unanswerable
from headcount.equivalence.survey import expert_equivalence, power_curve, survey_equivalence
from headcount.equivalence.two_pools import ExpertEquivalence
from headcount.equivalence.words import people, worth_text
from headcount.equivalence.worth import ClassifierWorth, Comparison, SurveyEquivalence
from headcount.equivalence.worth_by_slice import worth_by_part

__all__ = [
    "ClassifierWorth",
    "Comparison",
    "CurvePoint",
    "ExpertEquivalence",
    "PowerCurve",
    "SurveyEquivalence",
    "against",
    "expert_equivalence",
    "people",
    "power_curve",
    "reads_probabilities",
    "survey_equivalence",
    "unanswerable",
    "worth_by_part",
    "worth_text",
]
