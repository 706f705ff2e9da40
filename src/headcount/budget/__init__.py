"""Method 3: how to spend the next labels when the question is which classifier is better."""

from headcount.budget.comparison import Correlated, plan_comparison
from headcount.budget.comparison_result import ComparisonPlan, Offer
from headcount.budget.confusion import adjacent_errors, even_errors, independent_joint
from headcount.budget.costs import Costs
from headcount.budget.estimation import EstimationError, estimation_error
from headcount.budget.label_accuracy import LabelAccuracy
from headcount.budget.noise import Noise
from headcount.budget.pairing import Pairing
from headcount.budget.pilot import pilot_plan, plan_from_pilot, unanswerable
from headcount.budget.pilot_result import Aim, PilotPlan
from headcount.budget.ranking import NextItems, next_items
from headcount.budget.score_plan import plan_scores
from headcount.budget.score_plan_result import ScorePlan
from headcount.budget.step import Step, Strategy
from headcount.budget.stopping import Watch, watch
from headcount.budget.walk import WalkEnds, walk_ends

__all__ = [
    "Aim",
    "ComparisonPlan",
    "Correlated",
    "Costs",
    "EstimationError",
    "LabelAccuracy",
    "NextItems",
    "Noise",
    "Offer",
    "Pairing",
    "PilotPlan",
    "ScorePlan",
    "Step",
    "Strategy",
    "WalkEnds",
    "Watch",
    "adjacent_errors",
    "estimation_error",
    "even_errors",
    "independent_joint",
    "next_items",
    "pilot_plan",
    "plan_comparison",
    "plan_from_pilot",
    "plan_scores",
    "unanswerable",
    "walk_ends",
    "watch",
]
