"""Over time: whether the judge, the items or the people changed, and since when."""

from headcount.drift.drift import drift, drift_of, over_time
from headcount.drift.result import Drift, DriftJudge, DriftPeriod, Since, steady_names

__all__ = [
    "Drift",
    "DriftJudge",
    "DriftPeriod",
    "Since",
    "drift",
    "drift_of",
    "over_time",
    "steady_names",
]
