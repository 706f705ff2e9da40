"""The paper's algorithms as printed: subsets of columns, each column scored, then averaged.

Slower than the exact engine and with sampling noise, but it knows raters by name. On full
matrices and decomposable scorers the two agree, which makes this the exact engine's
cross-check; on ragged data it reproduces what the paper's own package does.
"""

from headcount.equivalence.literal.columns import rater_subsets
from headcount.equivalence.literal.curve import (
    Literal,
    LiteralCurve,
    literal_curve,
    literal_score,
)

__all__ = ["Literal", "LiteralCurve", "literal_curve", "literal_score", "rater_subsets"]
