"""Resampling, intervals and the numerics that methods share."""

from headcount.stats.intervals import Tail, estimate_from_draws
from headcount.stats.resampling import Bootstrap, resample

__all__ = ["Bootstrap", "Tail", "estimate_from_draws", "resample"]
