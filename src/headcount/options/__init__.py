"""What can be chosen, declared once a method: `methods`, `plans`, and of files `reading`.

The defaults of a public function's signature, the options of its command and the settings in the
report all come from here. To add an option: a field here, a parameter in the signature.
"""

from headcount.options.declared import (
    Options,
    Told,
    described,
    flag_of,
    option,
    share_of_items,
    typed,
    whole,
)
from headcount.options.methods import (
    AccuracyOptions,
    AgreementOptions,
    CurveOptions,
    DeconvolutionCheckOptions,
    DeconvolutionOptions,
    DriftOptions,
    EquivalenceOptions,
    EvaluateOptions,
    Meeting,
    PopulationOptions,
    RankOptions,
    RateOptions,
    ReplacementOptions,
    Replacing,
    Sampling,
    ScoreOptions,
    Slips,
    SoftLabelOptions,
    TogetherOptions,
)
from headcount.options.plans import (
    AccuracyPlanOptions,
    ComparisonPlanOptions,
    GoldPlanOptions,
    PilotOptions,
    RatingsPlanOptions,
)
from headcount.options.reading import PredictionsReading, RatingsReading

__all__ = [
    "AccuracyOptions",
    "AccuracyPlanOptions",
    "AgreementOptions",
    "ComparisonPlanOptions",
    "CurveOptions",
    "DeconvolutionCheckOptions",
    "DeconvolutionOptions",
    "DriftOptions",
    "EquivalenceOptions",
    "EvaluateOptions",
    "GoldPlanOptions",
    "Meeting",
    "Options",
    "PilotOptions",
    "PopulationOptions",
    "PredictionsReading",
    "RankOptions",
    "RateOptions",
    "RatingsPlanOptions",
    "RatingsReading",
    "ReplacementOptions",
    "Replacing",
    "Sampling",
    "ScoreOptions",
    "Slips",
    "SoftLabelOptions",
    "TogetherOptions",
    "Told",
    "described",
    "flag_of",
    "option",
    "share_of_items",
    "typed",
    "whole",
]
