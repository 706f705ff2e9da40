"""Method 4: what share of people would agree, once their slips are set aside."""

from headcount.deconvolution.adjusted_scores import Score, Scores
from headcount.deconvolution.primary_labels import PrimaryLabels, deconvolve
from headcount.deconvolution.rates import FlipRates, Stratum
from headcount.deconvolution.sources import unanswerable, untold_retests
from headcount.deconvolution.split_scores import ScoredPart, SplitScores
from headcount.deconvolution.validation import Validation, validate_deconvolution

__all__ = [
    "FlipRates",
    "PrimaryLabels",
    "Score",
    "ScoredPart",
    "Scores",
    "SplitScores",
    "Stratum",
    "Validation",
    "deconvolve",
    "unanswerable",
    "untold_retests",
    "validate_deconvolution",
]
