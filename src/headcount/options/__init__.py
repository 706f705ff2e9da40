"""What can be chosen, declared once a method, a file a method.

The defaults of a public function's signature, the options of its command and the settings in the
report all come from here. To add an option: a field here, a parameter in the signature.
"""

from headcount.options.accuracy import AccuracyOptions, AccuracyPlanOptions, RateOptions
from headcount.options.agreement import AgreementOptions
from headcount.options.curve import (
    CurveOptions,
    EquivalenceOptions,
    ReplacementOptions,
    Replacing,
)
from headcount.options.declared import Options, Told, described, option, share_of_items, whole
from headcount.options.deconvolution import DeconvolutionCheckOptions, DeconvolutionOptions
from headcount.options.evaluate import EvaluateOptions
from headcount.options.pilot import PilotOptions
from headcount.options.plans import ComparisonPlanOptions, GoldPlanOptions, RatingsPlanOptions
from headcount.options.population import PopulationOptions
from headcount.options.reading import PredictionsReading, RatingsReading
from headcount.options.scores import ScoreOptions
from headcount.options.shared import Meeting, Sampling, Slips
from headcount.options.typed import flag_of, typed

__all__ = [
    "AccuracyOptions",
    "AccuracyPlanOptions",
    "AgreementOptions",
    "ComparisonPlanOptions",
    "CurveOptions",
    "DeconvolutionCheckOptions",
    "DeconvolutionOptions",
    "EquivalenceOptions",
    "EvaluateOptions",
    "GoldPlanOptions",
    "Meeting",
    "Options",
    "PilotOptions",
    "PopulationOptions",
    "PredictionsReading",
    "RateOptions",
    "RatingsPlanOptions",
    "RatingsReading",
    "ReplacementOptions",
    "Replacing",
    "Sampling",
    "ScoreOptions",
    "Slips",
    "Told",
    "described",
    "flag_of",
    "option",
    "share_of_items",
    "typed",
    "whole",
]
