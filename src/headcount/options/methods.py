"""The choices of each method, and what several share: samples, reading of predictions, slips.

To add an option: a field here, and a parameter in the signature of the public function.
"""

import math
from collections.abc import Mapping
from typing import Any

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import (
    INTERVALS,
    PEOPLE,
    READING,
    SLIPS,
    Options,
    inside,
    leaving,
    number_or_name,
    numbers_or_word,
    option,
    share_of_items,
    weights_by_name,
    whole,
)

# The probability that the best is chosen which a plan from a pilot aims at.
TARGET = 0.95


@frozen(kw_only=True)
class Sampling(Options):
    """How intervals are drawn."""

    n_bootstrap: int = option(
        500, "Bootstrap samples; 0 for no intervals.", panel=INTERVALS, kind=int
    )
    confidence: float = option(0.95, "Confidence of the intervals.", panel=INTERVALS, kind=float)
    seed: int = option(0, "Seed: the same one gives the same numbers.", panel=INTERVALS, kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("n_bootstrap", self.n_bootstrap, 0, "a whole number of samples, 0 for no intervals")
        inside("confidence", self.confidence, 0.95)
        whole("seed", self.seed, 0, "a whole number of at least 0")


@frozen(kw_only=True)
class Counting(Sampling):
    """How intervals are drawn, and what they count as samples."""

    two_way: bool | None = option(
        None,
        "Count raters as a sample too, or items alone (default: raters where three are named).",
        panel=INTERVALS,
        kind=bool,
    )


@frozen(kw_only=True)
class Meeting(Options):
    """How predictions are read against ratings."""

    positive: str | None = option(None, "The positive label (default: the last).", panel=READING)
    unknown: str = option(
        "error",
        "Predictions outside the labels: error, wrong (count as errors) or drop (the item).",
        panel=READING,
        choices=("error", "wrong", "drop"),
    )


@frozen(kw_only=True)
class Slips(Options):
    """How slips are told from opinions and set aside."""

    method: str = option(
        "unbiased",
        "How slips are set aside: unbiased on average, or the paper's way, cut at zero by item.",
        panel=SLIPS,
        choices=("unbiased", "paper"),
    )
    strata: Any = option(
        "auto",
        "Levels of disagreement within which flip rates are pooled: auto (all together, unless "
        "they differ by more than chance), a number of them, a width such as 0.05, or edges "
        "separated by commas.",
        panel=SLIPS,
        parse=numbers_or_word,
    )
    formula: str = option(
        "all-labels",
        "The retest formula: for as many labels as there are, or for two.",
        panel=SLIPS,
        choices=("all-labels", "two-labels"),
    )


@frozen(kw_only=True)
class AgreementOptions(Counting):
    """The choices of `agreement`."""

    level: str | None = option(
        None,
        "How alpha sees the labels: nominal, ordinal or interval (default: as what they are).",
        choices=("nominal", "ordinal", "interval"),
    )
    contested: int = option(10, "How many contested items to list.", kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("contested", self.contested, 0, "a whole number of at least 0")


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
class TogetherOptions(Meeting, Counting):
    """The choices of `together`."""

    scorer: str = option(
        "auto",
        "How predictions of one more person are scored: cross_entropy for names, rps on a scale "
        "(auto), or brier.",
        choices=("auto", "cross_entropy", "rps", "brier"),
    )
    max_raters: int | None = option(
        None, "Ratings an item must have to take part (default: what makes most of them).", kind=int
    )


@frozen(kw_only=True)
class DriftOptions(Meeting, Counting):
    """The choices of `drift`."""

    period: Any = option(
        None,
        "day, week, month, quarter, year, each (every different time), or a number of equal parts "
        "(default: by the data).",
    )


@frozen(kw_only=True)
class RankOptions(Counting):
    """The choices of `rank`."""

    strength: str = option(
        "auto",
        "What strong means: the mean of what is said of a system's items; of pairs the win-rate, "
        "bradley-terry (auto) or davidson, which models ties.",
        choices=("auto", "mean", "win-rate", "bradley-terry", "davidson"),
    )
    positive: str | None = option(None, "The positive label (default: the last).", panel=READING)


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


@frozen(kw_only=True)
class PopulationOptions(Counting):
    """The choices of `population`."""

    scorer: str = option(
        "auto",
        "How predictions are scored: cross_entropy for names, rps on a scale (auto), brier or "
        "agreement.",
        choices=("auto", "cross_entropy", "rps", "brier", "agreement"),
    )
    flip_rate: float = option(
        0.0,
        "How often an answer is a slip, known from retests: slips are then set aside.",
        panel=SLIPS,
        kind=float,
    )
    clip: float = option(
        0.0, "Keep probabilities this far from 0 and 1; 0 for not at all.", kind=float
    )
    components: int | None = option(
        None,
        "Goes with the next release: as many kinds of items as predict held-out items best.",
        kind=int,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        leaving("components", self.components, "held-out items choose the number of Dirichlets")


@frozen(kw_only=True)
class SoftLabelOptions(Options):
    """The choices of `soft_labels`."""

    flip_rate: float = option(
        0.0,
        "How often an answer is a slip, known from retests: slips are then set aside.",
        panel=SLIPS,
        kind=float,
    )


@frozen(kw_only=True)
class ScoreOptions(Options):
    """The choices of `scores`."""

    calibration: str = option(
        "linear",
        "How a judge's numbers are put on people's scale: on a line, a rising curve (isotonic), or "
        "given, as they stand.",
        choices=("linear", "isotonic", "given"),
    )
    tolerance: float | None = option(
        None,
        "The distance that counts as near (default: one step, or about a tenth of the scale).",
        kind=float,
    )
    two_way: bool | None = option(
        None,
        "Count raters as a sample too, or items alone (default: raters where three are named).",
        panel=INTERVALS,
        kind=bool,
    )
    unknown: str = option(
        "error",
        "Predictions that are no numbers: error, or drop (the item).",
        panel=READING,
        choices=("error", "drop"),
    )
    confidence: float = option(0.95, "Confidence of the intervals.", panel=INTERVALS, kind=float)
    seed: int = option(0, "Seed: the same one gives the same numbers.", panel=INTERVALS, kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        inside("confidence", self.confidence, 0.95)
        if self.tolerance is not None and not 0 <= self.tolerance < math.inf:
            raise OptionError(f"tolerance is a distance such as 1; it was {self.tolerance!r}.")
        whole("seed", self.seed, 0, "a whole number of at least 0")


@frozen(kw_only=True)
class AccuracyOptions(Meeting, Counting):
    """The choices of `system_accuracy`."""

    latent_class: str = option(
        "auto",
        "Confusion matrices: one each, one shared, by the data (auto), or none (off).",
        choices=("auto", "each", "shared", "off"),
    )
    restarts: int = option(9, "More starts for the latent classes.", kind=int)
    precision: float = option(0.1, "Half-width wanted: are there enough items for it?", kind=float)
    misled: float = option(
        0.05, "Share of items on which everyone may be misled (no data can bound it).", kind=float
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("restarts", self.restarts, 0, "a whole number of at least 0")
        share_of_items("misled", self.misled)
        inside("precision", self.precision, 0.1)


@frozen(kw_only=True)
class RateOptions(Meeting):
    """The choices of `true_rate`."""

    of: str | None = option(
        None,
        "The label whose share is asked for (default: the positive one, or the mean of labels "
        "that are numbers).",
    )
    half_width: float = option(0.02, "Half-width wished: how many items to rate?", kind=float)
    confidence: float = option(0.95, "Confidence of the intervals.", panel=INTERVALS, kind=float)
    seed: int = option(0, "Seed: the same one gives the same numbers.", panel=INTERVALS, kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        inside("confidence", self.confidence, 0.95)
        if not self.half_width > 0:
            raise OptionError(
                f"half_width is a number above 0, such as 0.02; it was {self.half_width!r}."
            )
        whole("seed", self.seed, 0, "a whole number of at least 0")


@frozen(kw_only=True)
class DeconvolutionOptions(Slips, Counting):
    """The choices of `deconvolve`."""

    flip_rate: Any = option(
        "auto",
        "auto, retest, svd, a number such as 0.1, a column of RATINGS, or a file with item and "
        "rate.",
        panel=SLIPS,
        parse=number_or_name,
    )
    min_ratings: int = option(1, "Leave out items with fewer ratings.", panel=PEOPLE, kind=int)
    repeats: str = option(
        "first",
        "Which answers of a rater asked twice are labels.",
        panel=PEOPLE,
        choices=("first", "all"),
    )
    weigh_by: str = option(
        "items", "What counts the same.", panel=PEOPLE, choices=("items", "ratings")
    )
    group_weights: Mapping[str, float] | None = option(
        None,
        "Weights of the groups of raters, such as 'women=0.5,men=0.5'.",
        panel=PEOPLE,
        parse=weights_by_name,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("min_ratings", self.min_ratings, 1, "a whole number of at least 1")


@frozen(kw_only=True)
class DeconvolutionCheckOptions(Slips, Meeting, Sampling):
    """The choices of `validate_deconvolution`."""

    answers: int = option(2, "Answers that a rater asked again must have given.", kind=int)
    min_raters: int = option(5, "Raters asked again that an item must have.", kind=int)
    folds: int = option(10, "Folds: flip rates come from the items of the others.", kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("answers", self.answers, 2, "a whole number of at least 2")
        whole("min_raters", self.min_raters, 1, "a whole number of at least 1")
        whole("folds", self.folds, 2, "a whole number of at least 2")


@frozen(kw_only=True)
class EvaluateOptions(Replacing, CurveOptions):
    """The choices of `evaluate`: those of `survey_equivalence`, and of the other parts."""

    flip_rate: str | float = option(
        "auto",
        "How often an answer is a slip: auto (from people asked twice), svd (from how raters "
        "usually answer, by matrix factorisation), or a number.",
        panel=SLIPS,
        parse=number_or_name,
    )
    target: float = option(
        TARGET,
        "Probability with which the next labels shall find the best classifier.",
        kind=float,
    )
    misled: float = option(
        AccuracyOptions.misled,
        "Share of items on which everyone may be misled (no data can bound it).",
        kind=float,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        share_of_items("misled", self.misled)
        if not 0.5 < self.target < 1:
            raise OptionError(f"target is a probability between 0.5 and 1; it was {self.target!r}.")
