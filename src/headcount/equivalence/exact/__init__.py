"""The exact engine: expectations over all surveys, from patterns on bare arrays."""

from headcount.equivalence.exact.curve import Curve, power_curve
from headcount.equivalence.exact.curve_setup import Setup
from headcount.equivalence.exact.surveys import MOST_SURVEYS, Budget

__all__ = ["MOST_SURVEYS", "Budget", "Curve", "Setup", "power_curve"]
