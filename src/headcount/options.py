"""What can be chosen, declared once a method.

The defaults of a public function's signature, the options of its command and the settings in the
report all come from here. To add an option: a field here, a parameter in the signature.
"""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from headcount.errors import OptionError

METHOD, INTERVALS, SLIPS, PEOPLE, READING = (
    "Method",
    "Intervals",
    "Slips",
    "People",
    "Reading the files",
)
"""The panels under which a command's help lists its options."""


@dataclass(frozen=True)
class Told:
    """What people are told of an option, and how the command line reads it.

    `kind` is the type of the text typed there (a truth value becomes a pair of switches),
    `parse` what turns that into the option's value, `choices` the words it may be.
    """

    help: str
    panel: str
    kind: type
    parse: Callable[[Any], Any] | None
    choices: tuple[str, ...]


def option(
    default: Any,
    help: str,
    *,
    panel: str = METHOD,
    kind: type = str,
    parse: Callable[[Any], Any] | None = None,
    choices: Sequence[str] = (),
) -> Any:
    """A field of an options class: its default, and what people are told of it."""
    told = Told(help, panel, kind, parse, tuple(choices))
    return field(default=default, metadata={"told": told})


@dataclass(frozen=True, kw_only=True)
class Options:
    """The choices of one method. Values are checked when the object is made."""

    def __post_init__(self) -> None:
        for name, told in described(type(self)).items():
            value = getattr(self, name)
            if told.choices and value is not None and value not in told.choices:
                raise OptionError(f"{name} is {_one_of(told.choices)}, not {value!r}.")

    @classmethod
    def among(cls, given: Mapping[str, Any]) -> Self:
        """The options of this kind among a larger set, such as a function's arguments."""
        return cls(**{name: given[name] for name in described(cls) if name in given})

    def as_given(self) -> dict[str, Any]:
        """Every option with its value, to be handed on."""
        return {name: getattr(self, name) for name in described(type(self))}

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON-safe values: what has no such form goes by its name."""
        return {name: _plain(value) for name, value in self.as_given().items()}


def described(options: type[Options]) -> dict[str, Told]:
    """Every option of a class, in order, with what people are told of it."""
    return {each.name: each.metadata["told"] for each in dataclasses.fields(options)}


def whole(name: str, value: Any, least: int, meaning: str) -> None:
    """Refuse anything but a whole number of at least `least`."""
    if isinstance(value, bool) or value != int(value) or value < least:
        raise OptionError(f"{name} is {meaning}; it was {value!r}.")


def share_of_items(name: str, value: Any) -> None:
    """Refuse anything but a share from 0 up to, and without, 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
        raise OptionError(f"{name} is a share of items such as 0.05; it was {value!r}.")


def numbers_in(flag: str) -> Callable[[str], tuple[float, ...]]:
    """Read what is typed after a flag as numbers separated by commas."""

    def read(text: str) -> tuple[float, ...]:
        try:
            return tuple(float(part) for part in text.split(",") if part.strip())
        except ValueError:
            raise OptionError(
                f"--{flag} takes numbers separated by commas, such as 0.5,0.9; it was {text!r}."
            ) from None

    return read


@dataclass(frozen=True, kw_only=True)
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
        if not 0 < self.confidence < 1:
            raise OptionError(
                f"confidence lies between 0 and 1, such as 0.95; it was {self.confidence!r}."
            )
        whole("seed", self.seed, 0, "a whole number of at least 0")


@dataclass(frozen=True, kw_only=True)
class Meeting(Options):
    """How predictions are read against ratings."""

    positive: str | None = option(None, "The positive label (default: the last).", panel=READING)
    unknown: str = option(
        "error",
        "Predictions outside the labels: error, wrong (count as errors) or drop (the item).",
        panel=READING,
        choices=("error", "wrong", "drop"),
    )


@dataclass(frozen=True, kw_only=True)
class AgreementOptions(Sampling):
    """The choices of `agreement`."""

    level: str | None = option(
        None,
        "How alpha sees the labels: nominal, ordinal or interval (default: as what they are).",
        choices=("nominal", "ordinal", "interval"),
    )
    contested: int = option(10, "How many contested items to list.", kind=int)
    two_way: bool | None = option(
        None,
        "Count raters as a sample too, or items alone (default: raters where three are named).",
        panel=INTERVALS,
        kind=bool,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("contested", self.contested, 0, "a whole number of at least 0")


@dataclass(frozen=True, kw_only=True)
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
        if not 0 < self.confidence < 1:
            raise OptionError(
                f"confidence lies between 0 and 1, such as 0.95; it was {self.confidence!r}."
            )
        if self.tolerance is not None and not 0 <= self.tolerance < math.inf:
            raise OptionError(f"tolerance is a distance such as 1; it was {self.tolerance!r}.")
        whole("seed", self.seed, 0, "a whole number of at least 0")


@dataclass(frozen=True, kw_only=True)
class CurveOptions(Meeting, Sampling):
    """The choices of a rater power curve that other methods share."""

    combiner: Any = option(
        "auto",
        "How a survey's answers become a prediction: abc, fitted, whichever of them predicts "
        "better (auto), linear, plurality, frequency, frequency-overall or mean.",
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
        1, "Score against the plurality of so many held-out raters.", kind=int
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
        "exact, or literal: subsets of named raters column by column, as the paper prints it.",
        choices=("exact", "literal"),
    )
    two_way: bool | None = option(
        None,
        "Count raters as a sample too, or items alone (default: raters where three are named).",
        panel=INTERVALS,
        kind=bool,
    )
    max_surveys: int = option(
        40_000_000,
        "Pairs of pattern and survey beyond which surveys are drawn instead of enumerated.",
        kind=int,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("reference_raters", self.reference_raters, 1, "a whole number of at least 1")


@dataclass(frozen=True, kw_only=True)
class PopulationOptions(Sampling):
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
        "Kinds of items in the mixture, for more than two labels (default: as many as predict "
        "held-out items best).",
        kind=int,
    )


@dataclass(frozen=True, kw_only=True)
class EquivalenceOptions(CurveOptions):
    """The choices of `power_curve`, `survey_equivalence` and `expert_equivalence`."""

    nobody: str = option(
        "commonest",
        "What plurality says with nobody asked: commonest (label of all), or uniform, as in the "
        "paper.",
        choices=("commonest", "uniform"),
    )


@dataclass(frozen=True, kw_only=True)
class AccuracyOptions(Meeting, Sampling):
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
        if not 0 < self.precision < 1:
            raise OptionError(
                f"precision lies between 0 and 1, such as 0.1; it was {self.precision!r}."
            )


@dataclass(frozen=True, kw_only=True)
class AccuracyPlanOptions(Options):
    """The choices of `plan_accuracy`."""

    raters: int = option(3, "Ratings each item gets.", kind=int)
    labels: int = option(5, "How many labels there are.", kind=int)
    kappa: float | None = option(None, "Raters' agreement beyond chance 1/N.", kind=float)
    rater_accuracy: float | None = option(None, "Or how often a rater is right.", kind=float)
    half_width: float = option(0.1, "How near the estimate must come.", kind=float)
    confidence: float = option(0.9, "In what share of evaluations.", kind=float)
    system_accuracy: float | Sequence[float] | None = option(
        None,
        "Accuracies the system may have, separated by commas (default: 0.1,0.3,0.5,0.7,0.9).",
        parse=numbers_in("system-accuracy"),
    )
    base_rates: Sequence[float] | str | None = option(
        None,
        "Share of each label, separated by commas, or equal (default: drawn at random).",
        parse=lambda text: text if text == "equal" else numbers_in("base-rates")(text),
    )
    items: Sequence[float] | None = option(
        None,
        "Only these numbers of items (default: search for enough).",
        parse=numbers_in("items"),
    )
    simulations: int = option(1000, "Simulated evaluations for each point.", kind=int)
    seed: int = option(0, "Seed: the same one gives the same numbers.", kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("raters", self.raters, 2, "a whole number of at least 2")
        whole("labels", self.labels, 2, "a whole number of at least 2")
        self._check_raters()
        for name in ("half_width", "confidence"):
            value = getattr(self, name)
            if not 0 < value < 1:
                raise OptionError(f"{name} lies between 0 and 1, such as 0.1; it was {value!r}.")
        systems = self.system_accuracies()
        if not systems or not all(0 <= value <= 1 for value in systems):
            raise OptionError(
                f"system_accuracy lies between 0 and 1; it was {self.system_accuracy!r}."
            )
        self._check_base_rates()
        for number in self.items or ():
            whole("items", number, 1, "a list of whole numbers of at least 1")
        whole("simulations", self.simulations, 10, "a whole number of at least 10")
        whole("seed", self.seed, 0, "a whole number of at least 0")

    def system_accuracies(self) -> tuple[float, ...]:
        """The accuracies to plan for: those given, by default those of the paper."""
        given = self.system_accuracy
        if given is None:
            return (0.1, 0.3, 0.5, 0.7, 0.9)
        return tuple(map(float, (given,) if isinstance(given, int | float) else given))

    def _check_raters(self) -> None:
        n, kappa, accuracy = self.labels, self.kappa, self.rater_accuracy
        if (kappa is None) == (accuracy is None):
            raise OptionError(
                "Say how good the raters are by kappa= or by rater_accuracy=, one of the two "
                "(--kappa, --rater-accuracy)."
            )
        if kappa is not None and not 0 < kappa <= 1:
            raise OptionError(
                f"kappa lies above 0 (raters better than chance) and up to 1; it was {kappa!r}."
            )
        if accuracy is not None and not 1 / n < accuracy <= 1:
            raise OptionError(
                f"rater_accuracy lies above chance (1/{n} with {n} labels) and up to 1; "
                f"it was {accuracy!r}."
            )

    def shares(self) -> tuple[float, ...] | None:
        """The share of each label; None where they are drawn at random."""
        if self.base_rates is None:
            return None
        if isinstance(self.base_rates, str):
            return (1 / self.labels,) * self.labels
        return tuple(map(float, self.base_rates))

    def _check_base_rates(self) -> None:
        rates = self.base_rates
        if rates is None or rates == "equal":
            return
        if isinstance(rates, str):
            raise OptionError(f'base_rates is a list of shares or "equal", not {rates!r}.')
        shares = len(rates) == self.labels and all(rate >= 0 for rate in rates)
        if not shares or abs(sum(rates) - 1) > 1e-6:
            raise OptionError(
                f"base_rates holds {self.labels} shares that sum to 1, one a label; "
                f"it was {rates!r}."
            )


@dataclass(frozen=True, kw_only=True)
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
        if not 0 < self.confidence < 1:
            raise OptionError(
                f"confidence lies between 0 and 1, such as 0.95; it was {self.confidence!r}."
            )
        if not self.half_width > 0:
            raise OptionError(
                f"half_width is a number above 0, such as 0.02; it was {self.half_width!r}."
            )
        whole("seed", self.seed, 0, "a whole number of at least 0")


@dataclass(frozen=True, kw_only=True)
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
        parse=lambda text: numbers_or_word(text),
    )
    formula: str = option(
        "all-labels",
        "The retest formula: for as many labels as there are, or for two.",
        panel=SLIPS,
        choices=("all-labels", "two-labels"),
    )


@dataclass(frozen=True, kw_only=True)
class DeconvolutionOptions(Slips, Sampling):
    """The choices of `deconvolve`."""

    flip_rate: Any = option(
        "auto",
        "auto, retest, svd, a number such as 0.1, a column of RATINGS, or a file with item and "
        "rate.",
        panel=SLIPS,
        parse=lambda text: number_or_name(text),
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
        parse=lambda text: weights_by_name(text),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("min_ratings", self.min_ratings, 1, "a whole number of at least 1")


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
class ReplacementOptions(Replacing, CurveOptions):
    """The choices of `replacement_test`."""


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(Replacing, CurveOptions):
    """The choices of `evaluate`: those of `survey_equivalence`, and of the other parts."""

    flip_rate: str | float = option(
        "auto",
        "How often an answer is a slip: auto (from retests), svd, or a number.",
        panel=SLIPS,
        parse=lambda text: number_or_name(text),
    )
    target: float = option(
        0.95,
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


def number_or_name(text: str) -> str | float:
    """A number where the text is one, else the text."""
    try:
        return float(text)
    except ValueError:
        return text


def numbers_or_word(text: str) -> str | float | list[float]:
    """A number, or several separated by commas; anything else as it is."""
    try:
        if "," in text:
            return [float(part) for part in text.split(",")]
        return int(text) if text.strip().isdigit() else float(text)
    except ValueError:
        return text


def weights_by_name(text: str) -> dict[str, float]:
    """Weights such as "women=0.5,men=0.5" by name."""
    weights = {}
    for part in text.split(","):
        name, equals, number = part.rpartition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise OptionError(
                f"Weights are a list such as 'women=0.5,men=0.5'; {part!r} is not of that form."
            )
    return weights


def _one_of(choices: Sequence[str]) -> str:
    quoted = [f'"{choice}"' for choice in choices]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(getattr(value, "name", None) or getattr(value, "__name__", type(value).__name__))
