"""Resampling, intervals and the numerics that methods share."""

from headcount.sampling.intervals import Tail, estimate_from_draws
from headcount.sampling.resampling import Bootstrap, resample
from headcount.sampling.sampled import Sampled, sampled
from headcount.sampling.samples import Plan, Samples

__all__ = [
    "Bootstrap",
    "Plan",
    "Sampled",
    "Samples",
    "Tail",
    "estimate_from_draws",
    "resample",
    "sampled",
]
