"""Over time: whether the judge, the items or the people changed, and since when."""

from headcount.drift.drift import drift, drift_of
from headcount.drift.result import Drift, DriftJudge, DriftPeriod, Since, steady_names

__all__ = ["Drift", "DriftJudge", "DriftPeriod", "Since", "drift", "drift_of", "steady_names"]
