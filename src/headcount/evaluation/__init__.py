"""All of it on one data set, and what needs more than one method."""

from headcount.evaluation.checkup import Checkup, examine
from headcount.evaluation.pilot import plan_from_pilot
from headcount.evaluation.pilot_result import PilotPlan

__all__ = ["Checkup", "PilotPlan", "examine", "plan_from_pilot"]
