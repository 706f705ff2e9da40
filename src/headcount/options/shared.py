"""The choices that several methods share: samples, reading of predictions, slips."""

from typing import Any

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import INTERVALS, READING, SLIPS, Options, option, whole
from headcount.options.parsing import numbers_or_word


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
        if not 0 < self.confidence < 1:
            raise OptionError(
                f"confidence lies between 0 and 1, such as 0.95; it was {self.confidence!r}."
            )
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
