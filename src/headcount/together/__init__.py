"""Classifiers and people together: what a classifier adds to the people who are asked."""

from headcount.together.result import TeamMember, Together, WithPeople
from headcount.together.team import together

__all__ = ["TeamMember", "Together", "WithPeople", "together"]
