"""Resampling, intervals and the numerics that methods share."""

from headcount.stats.intervals import Tail, estimate_from_draws
from headcount.stats.resampling import Bootstrap, resample
from headcount.stats.samples import Plan, Samples

__all__ = ["Bootstrap", "Plan", "Samples", "Tail", "estimate_from_draws", "resample"]
