"""How a judge's numbers compare with people's: worth, bias, limits, error, reliability."""

from headcount.scores.judge_scores import JudgeScores, PeopleScores
from headcount.scores.measure import scores
from headcount.scores.result import ScoreAgreement

__all__ = ["JudgeScores", "PeopleScores", "ScoreAgreement", "scores"]
