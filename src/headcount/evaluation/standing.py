"""Where each classifier stands: its numbers from every part, side by side."""

from dataclasses import dataclass
from typing import Any, Literal

from headcount.accuracy import SystemAccuracy
from headcount.data import Classifier
from headcount.deconvolution import Scores
from headcount.equivalence import SurveyEquivalence
from headcount.evaluation.part import Unavailable
from headcount.results import Estimate


@dataclass(frozen=True)
class Standing:
    """One classifier's main numbers, each an estimate that says why where it has no value.

    `worth` is in raters, of the calibrated classifier where calibration was asked for;
    `worth_as_it_stands` takes its probabilities at their word (None where that is the same
    thing or means nothing). `agree` is the share of people who would agree with its decisions,
    `of_oracle` that share of what any classifier could reach, `accuracy` the estimate against
    the unknown truth.
    """

    name: str
    gives: Literal["labels", "probabilities"]
    worth: Estimate
    worth_as_it_stands: Estimate | None
    agree: Estimate
    of_oracle: Estimate
    accuracy: Estimate
    answered: int
    out_of: int
    unknown: int

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        as_is = self.worth_as_it_stands
        return {
            "name": self.name,
            "gives": self.gives,
            "worth": self.worth.to_dict(),
            "worth_as_it_stands": None if as_is is None else as_is.to_dict(),
            "agree": self.agree.to_dict(),
            "of_oracle": self.of_oracle.to_dict(),
            "accuracy": self.accuracy.to_dict(),
            "answered": self.answered,
            "out_of": self.out_of,
            "unknown": self.unknown,
        }


def standing_of(
    classifier: Classifier,
    equivalence: SurveyEquivalence | Unavailable,
    scores: Scores | Unavailable,
    accuracy: SystemAccuracy | Unavailable,
) -> Standing:
    """Gather one classifier's numbers from the parts."""
    worth, as_is = _worths(classifier, equivalence)
    return Standing(
        classifier.name,
        "probabilities" if classifier.soft else "labels",
        worth,
        as_is,
        Estimate.undefined(scores.reason)
        if isinstance(scores, Unavailable)
        else scores[classifier.name].adjusted,
        Estimate.undefined(scores.reason)
        if isinstance(scores, Unavailable)
        else scores[classifier.name].of_oracle,
        _accuracy(classifier.name, accuracy),
        classifier.answered,
        classifier.out_of,
        classifier.unknown,
    )


def _worths(
    classifier: Classifier, equivalence: SurveyEquivalence | Unavailable
) -> tuple[Estimate, Estimate | None]:
    if isinstance(equivalence, Unavailable):
        return Estimate.undefined(equivalence.reason), None
    found = equivalence[classifier.name]
    return found.worth, found.as_it_stands


def _accuracy(name: str, accuracy: SystemAccuracy | Unavailable) -> Estimate:
    if isinstance(accuracy, Unavailable):
        return Estimate.undefined(accuracy.reason)
    for each in accuracy.classifiers:
        if each.name == name:
            return accuracy.believed(each)
    return Estimate.undefined("it was not estimated")
