"""The bootstrap as an object: a plan, its draws, and intervals that keep censored draws."""

from headcount.stats.bootstrap import Bootstrap
from headcount.stats.interval import estimate_from_draws

__all__ = ["Bootstrap", "estimate_from_draws"]
