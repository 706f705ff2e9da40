"""The exact engine: expectations over all surveys, from patterns on bare arrays."""

from headcount.equivalence.exact.curve import Curve, power_curve
from headcount.equivalence.exact.curve_setup import Setup
from headcount.equivalence.exact.surveys import Budget

__all__ = ["Budget", "Curve", "Setup", "power_curve"]
