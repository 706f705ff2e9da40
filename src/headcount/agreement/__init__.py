"""How much people agree: coefficients between raters, from counts."""

from headcount.agreement.measure import agreement, unanswerable
from headcount.agreement.result import Agreement

__all__ = ["Agreement", "agreement", "unanswerable"]
