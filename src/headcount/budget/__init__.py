"""Method 3: how to spend the next labels when the question is which classifier is better."""

from headcount.budget.estimation import EstimationError, estimation_error
from headcount.budget.label_accuracy import LabelAccuracy
from headcount.budget.offers import Offer
from headcount.budget.pairing import Pairing, Step, Strategy
from headcount.budget.plan import ComparisonPlan, plan_comparison, plan_for_pairing
from headcount.budget.sweep import ConjectureSweep, sweep
from headcount.budget.walk import WalkEnds, walk_ends

__all__ = [
    "ComparisonPlan",
    "ConjectureSweep",
    "EstimationError",
    "LabelAccuracy",
    "Offer",
    "Pairing",
    "Step",
    "Strategy",
    "WalkEnds",
    "estimation_error",
    "plan_comparison",
    "plan_for_pairing",
    "sweep",
    "walk_ends",
]
