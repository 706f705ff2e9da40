"""How to spend the next labels: choosing between classifiers, gold, ratings an item.

The plan of `system_accuracy` stands in accuracy/, above this room: it simulates that estimate.
"""

from headcount.plan.comparison import Correlated, plan_comparison
from headcount.plan.comparison_result import ComparisonPlan, Offer
from headcount.plan.contest import Pairing, adjacent_errors, even_errors, independent_joint
from headcount.plan.estimation import EstimationError, estimation_error
from headcount.plan.from_numbers import SharesTable, plan_from_numbers
from headcount.plan.gold import GoldPlan, GoldPoint, gold_points, plan_gold
from headcount.plan.label_accuracy import LabelAccuracy, Noise
from headcount.plan.labelling import Costs, Strategy
from headcount.plan.next_items import NextItems, next_items
from headcount.plan.pilot import pilot_plan, plan_from_pilot, unanswerable
from headcount.plan.pilot_result import Aim, PilotPlan
from headcount.plan.ratings import RatingsPlan, plan_ratings
from headcount.plan.scores import ScorePlan, plan_scores
from headcount.plan.stopping import Watch, watch
from headcount.plan.walk import Step, WalkEnds, walk_ends

__all__ = [
    "Aim",
    "ComparisonPlan",
    "Correlated",
    "Costs",
    "EstimationError",
    "GoldPlan",
    "GoldPoint",
    "LabelAccuracy",
    "NextItems",
    "Noise",
    "Offer",
    "Pairing",
    "PilotPlan",
    "RatingsPlan",
    "ScorePlan",
    "SharesTable",
    "Step",
    "Strategy",
    "WalkEnds",
    "Watch",
    "adjacent_errors",
    "estimation_error",
    "even_errors",
    "gold_points",
    "independent_joint",
    "next_items",
    "pilot_plan",
    "plan_comparison",
    "plan_from_numbers",
    "plan_from_pilot",
    "plan_gold",
    "plan_ratings",
    "plan_scores",
    "unanswerable",
    "walk_ends",
    "watch",
]
