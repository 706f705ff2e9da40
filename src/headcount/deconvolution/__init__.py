"""Method 4: what share of people would agree, once their slips are set aside."""

from headcount.deconvolution.primary import PrimaryLabels, deconvolve
from headcount.deconvolution.rates import FlipRates, Stratum
from headcount.deconvolution.scores import Score, Scores
from headcount.deconvolution.split import ScoredPart, SplitScores
from headcount.deconvolution.validating import validate_deconvolution
from headcount.deconvolution.validation import Validation

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
    "validate_deconvolution",
]
