"""The choices of rater power curves and of stand-ins for a person."""

from typing import Any

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import PEOPLE, Options, leaving, option, whole
from headcount.options.shared import Counting, Meeting


@frozen(kw_only=True)
class CurveOptions(Meeting, Counting):
    """The choices of a rater power curve that other methods share."""

    combiner: Any = option(
        "auto",
        "How a survey's answers become a prediction: abc (by other items with the same answers), "
        "fitted (by how items differ), whichever of these predicts better (auto), linear, "
        "plurality, frequency, frequency-overall or mean.",
    )
    scorer: Any = option(
        "auto",
        "How predictions are scored: cross_entropy for names, rps for ordered labels and "
        "squared_error for numbers (auto), or agreement, brier, f1, precision, recall, auc, "
        "correlation, dmi, crps, absolute_error, within_one, quadratic_kappa, spearman.",
    )
    max_raters: int | None = option(
        None,
        "Ratings an item must have to take part (default: what makes most of the data).",
        kind=int,
    )
    reference_raters: int = option(
        1, "Score against the commonest answer of so many held-out raters.", kind=int
    )
    calibrate: bool | None = option(
        None,
        "Calibrate classifiers to the raters, or take them at their word (default: calibrate "
        "where the scorer reads probabilities).",
        kind=bool,
    )
    clip: float | None = option(
        None, "Keep probabilities this far from 0 and 1 (default: 0.04 / labels).", kind=float
    )
    refit: bool = option(
        True, "Learn abc anew in each bootstrap sample, or hold it fixed.", kind=bool
    )
    engine: str = option(
        "exact",
        "exact: all surveys are worked out. literal, the paper's own algorithms, has left the "
        "package for research/by_columns.py of its repository.",
        choices=("exact", "literal"),
    )
    max_surveys: int | None = option(
        None, "Goes with the next release: 40 million surveys are worked out.", kind=int
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        leaving("max_surveys", self.max_surveys, "40 million surveys are worked out one by one")
        if self.engine == "literal":
            raise OptionError(
                'engine="literal" has left the package: leave engine out (on full tables the curve '
                "is the same), or run research/by_columns.py of headcount's repository, the "
                "paper's algorithms on named raters."
            )
        whole("reference_raters", self.reference_raters, 1, "a whole number of at least 1")


@frozen(kw_only=True)
class EquivalenceOptions(CurveOptions):
    """The choices of `power_curve`, `survey_equivalence` and `expert_equivalence`."""

    nobody: str = option(
        "commonest",
        "What plurality says with nobody asked: commonest (label of all), or uniform, as in the "
        "paper.",
        choices=("commonest", "uniform"),
    )


@frozen(kw_only=True)
class Replacing(Options):
    """What a classifier must reach to stand in for a person."""

    epsilon: float = option(
        0.2,
        "How much worse than a person a stand-in may be: 0.2 for experts, 0.15 for skilled and "
        "0.1 for crowd raters in the authors' use.",
        panel=PEOPLE,
        kind=float,
    )
    closeness: str | None = option(
        None,
        "Who is closer to the others: by equal labels, or by rmse for scores (default: rmse where "
        "labels are numbers).",
        panel=PEOPLE,
        choices=("equal", "rmse"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.epsilon < 1:
            raise OptionError(
                f"epsilon lies between 0 and 1, such as 0.2; it was {self.epsilon!r}."
            )


@frozen(kw_only=True)
class ReplacementOptions(Replacing, CurveOptions):
    """The choices of `replacement_test`."""
