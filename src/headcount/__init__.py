"""How good is a classifier when the people it is judged by disagree?

The public names, loaded on first use so that importing headcount stays instant.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from headcount._version import __version__

if TYPE_CHECKING:
    from headcount.accuracy import AccuracyPlan as AccuracyPlan
    from headcount.accuracy import SystemAccuracy as SystemAccuracy
    from headcount.accuracy import plan_accuracy as plan_accuracy
    from headcount.accuracy import system_accuracy as system_accuracy
    from headcount.agreement import Agreement as Agreement
    from headcount.agreement import agreement as agreement
    from headcount.budget import ComparisonPlan as ComparisonPlan
    from headcount.budget import Correlated as Correlated
    from headcount.budget import Costs as Costs
    from headcount.budget import LabelAccuracy as LabelAccuracy
    from headcount.budget import Noise as Noise
    from headcount.budget import PilotPlan as PilotPlan
    from headcount.budget import adjacent_errors as adjacent_errors
    from headcount.budget import even_errors as even_errors
    from headcount.budget import independent_joint as independent_joint
    from headcount.budget import plan_comparison as plan_comparison
    from headcount.budget import plan_from_pilot as plan_from_pilot
    from headcount.data import Predictions as Predictions
    from headcount.data import Ratings as Ratings
    from headcount.deconvolution import PrimaryLabels as PrimaryLabels
    from headcount.deconvolution import deconvolve as deconvolve
    from headcount.deconvolution import validate_deconvolution as validate_deconvolution
    from headcount.equivalence import ExpertEquivalence as ExpertEquivalence
    from headcount.equivalence import PowerCurve as PowerCurve
    from headcount.equivalence import SurveyEquivalence as SurveyEquivalence
    from headcount.equivalence import expert_equivalence as expert_equivalence
    from headcount.equivalence import power_curve as power_curve
    from headcount.equivalence import survey_equivalence as survey_equivalence
    from headcount.errors import HeadcountError as HeadcountError
    from headcount.evaluation import Evaluation as Evaluation
    from headcount.evaluation import evaluate as evaluate

_HOME = {
    "AccuracyPlan": "headcount.accuracy",
    "Agreement": "headcount.agreement",
    "ComparisonPlan": "headcount.budget",
    "Correlated": "headcount.budget",
    "Costs": "headcount.budget",
    "ExpertEquivalence": "headcount.equivalence",
    "Evaluation": "headcount.evaluation",
    "HeadcountError": "headcount.errors",
    "LabelAccuracy": "headcount.budget",
    "Noise": "headcount.budget",
    "PilotPlan": "headcount.budget",
    "PowerCurve": "headcount.equivalence",
    "Predictions": "headcount.data",
    "PrimaryLabels": "headcount.deconvolution",
    "Ratings": "headcount.data",
    "SurveyEquivalence": "headcount.equivalence",
    "SystemAccuracy": "headcount.accuracy",
    "adjacent_errors": "headcount.budget",
    "agreement": "headcount.agreement",
    "deconvolve": "headcount.deconvolution",
    "expert_equivalence": "headcount.equivalence",
    "evaluate": "headcount.evaluation",
    "even_errors": "headcount.budget",
    "independent_joint": "headcount.budget",
    "plan_accuracy": "headcount.accuracy",
    "plan_comparison": "headcount.budget",
    "plan_from_pilot": "headcount.budget",
    "power_curve": "headcount.equivalence",
    "survey_equivalence": "headcount.equivalence",
    "system_accuracy": "headcount.accuracy",
    "validate_deconvolution": "headcount.deconvolution",
}
__all__ = [
    "AccuracyPlan",
    "Agreement",
    "ComparisonPlan",
    "Correlated",
    "Costs",
    "Evaluation",
    "ExpertEquivalence",
    "HeadcountError",
    "LabelAccuracy",
    "Noise",
    "PilotPlan",
    "PowerCurve",
    "Predictions",
    "PrimaryLabels",
    "Ratings",
    "SurveyEquivalence",
    "SystemAccuracy",
    "__version__",
    "adjacent_errors",
    "agreement",
    "deconvolve",
    "evaluate",
    "even_errors",
    "expert_equivalence",
    "independent_joint",
    "plan_accuracy",
    "plan_comparison",
    "plan_from_pilot",
    "power_curve",
    "survey_equivalence",
    "system_accuracy",
    "validate_deconvolution",
]


class _Package(ModuleType):
    """Where a public function and its room share a name, `hc.agreement` is the function.

    Python would set the room as an attribute of the package once anything imports it.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'headcount' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
