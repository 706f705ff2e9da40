"""The bootstrap as an object: a plan, its draws, and intervals that keep censored draws."""

from headcount.resampling.bootstrap import Bootstrap
from headcount.resampling.interval import estimate_from_draws

__all__ = ["Bootstrap", "estimate_from_draws"]
