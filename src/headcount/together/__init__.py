"""Classifiers and people together: what one adds, whom to ask beside it, panels of several."""

from headcount.together.frontier import ALIKE, IN_TURN, PEOPLE, POLICY, THRESHOLD
from headcount.together.judge_runs import JudgeRuns, JudgeVariants, RunsWorth
from headcount.together.panel_result import BestPanel, Panel, PanelMember
from headcount.together.policy import Policy, PolicyFigures
from headcount.together.result import Together, policy_title, who_is_asked
from headcount.together.team import beside_the_best, panel, team_of, together
from headcount.together.team_member import TeamMember, WithPeople

__all__ = [
    "ALIKE",
    "IN_TURN",
    "PEOPLE",
    "POLICY",
    "THRESHOLD",
    "BestPanel",
    "JudgeRuns",
    "JudgeVariants",
    "Panel",
    "PanelMember",
    "Policy",
    "PolicyFigures",
    "RunsWorth",
    "TeamMember",
    "Together",
    "WithPeople",
    "beside_the_best",
    "panel",
    "policy_title",
    "team_of",
    "together",
    "who_is_asked",
]
