"""Classifiers and people together: what one adds, whom to ask beside it, panels of several."""

from headcount.together.panel_result import BestPanel, Panel, PanelMember
from headcount.together.policy import Policy, PolicyFigures
from headcount.together.result import Together
from headcount.together.team import panel, team_of, together
from headcount.together.team_member import TeamMember, WithPeople

__all__ = [
    "BestPanel",
    "Panel",
    "PanelMember",
    "Policy",
    "PolicyFigures",
    "TeamMember",
    "Together",
    "WithPeople",
    "panel",
    "team_of",
    "together",
]
