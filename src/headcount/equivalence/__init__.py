"""Method 1: how many raters a classifier is worth."""

from headcount.equivalence.crossing import reach_of
from headcount.equivalence.crossing import worth as met_at
from headcount.equivalence.curve_by_combiner import FittedSurveys, places
from headcount.equivalence.placing import placed, worth_on
from headcount.equivalence.power_curve import CurvePoint, PowerCurve, against
from headcount.equivalence.question import (
    Question,
    question_for,
    reads_probabilities,
    unanswerable,
)
from headcount.equivalence.study_curve import MEASURED, MeasuredStudy, measure_study
from headcount.equivalence.survey import expert_equivalence, power_curve, survey_equivalence
from headcount.equivalence.two_pools import ExpertEquivalence
from headcount.equivalence.words import digits_for, people, worth_text
from headcount.equivalence.worth import ClassifierWorth, Comparison, SurveyEquivalence
from headcount.equivalence.worth_by_slice import worth_by_part

__all__ = [
    "MEASURED",
    "ClassifierWorth",
    "Comparison",
    "CurvePoint",
    "ExpertEquivalence",
    "FittedSurveys",
    "MeasuredStudy",
    "PowerCurve",
    "Question",
    "SurveyEquivalence",
    "against",
    "digits_for",
    "expert_equivalence",
    "measure_study",
    "met_at",
    "people",
    "placed",
    "places",
    "power_curve",
    "question_for",
    "reach_of",
    "reads_probabilities",
    "survey_equivalence",
    "unanswerable",
    "worth_by_part",
    "worth_on",
    "worth_text",
]
