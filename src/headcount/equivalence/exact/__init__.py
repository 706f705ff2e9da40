"""The exact engine: expectations over all surveys, from patterns on bare arrays."""

from headcount.equivalence.exact.curve import Curve, power_curve
from headcount.equivalence.exact.drawing import Budget
from headcount.equivalence.exact.setup import Setup

__all__ = ["Budget", "Curve", "Setup", "power_curve"]
