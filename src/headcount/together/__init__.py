"""Classifiers and people together: what a classifier adds, and whom to ask beside it."""

from headcount.together.policy import Policy, PolicyFigures
from headcount.together.result import TeamMember, Together, WithPeople
from headcount.together.team import team_of, together

__all__ = [
    "Policy",
    "PolicyFigures",
    "TeamMember",
    "Together",
    "WithPeople",
    "team_of",
    "together",
]
