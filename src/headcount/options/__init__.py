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
from headcount.options.population import PopulationOptions
from headcount.options.scores import ScoreOptions
from headcount.options.shared import Meeting, Sampling, Slips

__all__ = [
    "AccuracyOptions",
    "AccuracyPlanOptions",
    "AgreementOptions",
    "CurveOptions",
    "DeconvolutionCheckOptions",
    "DeconvolutionOptions",
    "EquivalenceOptions",
    "EvaluateOptions",
    "Meeting",
    "Options",
    "PilotOptions",
    "PopulationOptions",
    "RateOptions",
    "ReplacementOptions",
    "Replacing",
    "Sampling",
    "ScoreOptions",
    "Slips",
    "Told",
    "described",
    "option",
    "share_of_items",
    "whole",
]
