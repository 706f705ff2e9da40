"""What can be chosen, declared once a method.

The defaults of a public function's signature, the options of its command and the settings in the
report all come from here. To add an option: a field here, a parameter in the signature.
"""

import dataclasses
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
    two_way: bool = option(
        False, "Draw raters anew too, not only items.", panel=INTERVALS, kind=bool
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("contested", self.contested, 0, "a whole number of at least 0")


@dataclass(frozen=True, kw_only=True)
class EquivalenceOptions(Meeting, Sampling):
    """The choices of `power_curve`, `survey_equivalence` and `expert_equivalence`."""

    combiner: Any = option(
        "abc",
        "How a survey's answers become a prediction: abc, plurality, frequency, "
        "frequency-overall or mean.",
    )
    scorer: Any = option(
        "cross_entropy",
        "How predictions are scored: agreement, cross_entropy, brier, f1, precision, recall, auc, "
        "correlation or dmi.",
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
        True, "Learn the combiner anew in each bootstrap sample, or hold it fixed.", kind=bool
    )
    engine: str = option(
        "exact",
        "exact, or literal: subsets of named raters column by column, as the paper prints it.",
        choices=("exact", "literal"),
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
class AccuracyOptions(Meeting, Sampling):
    """The choices of `system_accuracy`."""

    latent_class: str = option(
        "auto",
        "Confusion matrices: one each, one shared, by the data (auto), or none (off).",
        choices=("auto", "each", "shared", "off"),
    )
    restarts: int = option(9, "More starts for the latent classes.", kind=int)
    precision: float = option(0.1, "Half-width wanted: are there enough items for it?", kind=float)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("restarts", self.restarts, 0, "a whole number of at least 0")
        if not 0 < self.precision < 1:
            raise OptionError(
                f"precision lies between 0 and 1, such as 0.1; it was {self.precision!r}."
            )


def number_or_name(text: str) -> str | float:
    """A number where the text is one, else the text."""
    try:
        return float(text)
    except ValueError:
        return text


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
