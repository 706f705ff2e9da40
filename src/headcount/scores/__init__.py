"""How a judge's numbers compare with people's: worth, bias, limits, error, reliability."""

from headcount.scores.components import FEW_ITEMS
from headcount.scores.inputs import numbers_of
from headcount.scores.judge_scores import (
    JudgeScores,
    PeopleScores,
    bias_sentence,
    digits_for,
    judge_sentences,
    people_sentence,
)
from headcount.scores.measure import scores
from headcount.scores.result import ScoreAgreement

__all__ = [
    "FEW_ITEMS",
    "JudgeScores",
    "PeopleScores",
    "ScoreAgreement",
    "bias_sentence",
    "digits_for",
    "judge_sentences",
    "numbers_of",
    "people_sentence",
    "scores",
]
