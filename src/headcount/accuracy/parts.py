"""The parts that a `SystemAccuracy` is made of."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.results import Estimate

Floats = NDArray[np.float64]
State = Literal["holds", "violated", "unchecked"]


@dataclass(frozen=True)
class Check:
    """An assumption and what the data say of it, in a sentence; with the test where one was made.

    `kind` marks the K-properties ("k-property": equal raters, errors and difficulty), which
    decide which estimate to believe; the others are about the data at hand ("data") or cannot
    be seen in any data ("design"). `caution` is what to mind when choosing the estimate.
    """

    name: str
    kind: Literal["k-property", "data", "design"]
    state: State
    text: str
    statistic: float | None = None
    freedom: float | None = None
    p_value: float | None = None
    caution: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        out: dict[str, Any] = {"name": self.name, "state": self.state, "text": self.text}
        if self.p_value is not None:
            out |= {"statistic": self.statistic, "df": self.freedom, "p_value": self.p_value}
        return out


@dataclass(frozen=True)
class TruthBin:
    """Cases whose most probable label has a probability in (low, high].

    `truth` is its mean, `agreement` the share of the system's answers equal to that label,
    `accuracy` the system's accuracy they imply; None where the bin says nothing.
    """

    low: float
    high: float
    cases: int
    truth: float
    agreement: float
    accuracy: float | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        names = ("low", "high", "cases", "truth", "agreement", "accuracy")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class ClassifierAccuracy:
    """One classifier: its accuracy by the algebra and, where fitted, by latent classes."""

    name: str
    accuracy: Estimate
    bins: tuple[TruthBin, ...]
    latent: Estimate | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form; the latent-class estimate stands with the latent classes."""
        return {
            "name": self.name,
            "accuracy": self.accuracy.to_dict(),
            "bins": [each.to_dict() for each in self.bins],
        }


@dataclass(frozen=True)
class LatentClasses:
    """What the latent-class model found.

    `raters` says whether each rater has a confusion matrix ("each") or all share one
    ("shared"); `members` names the raters with their accuracies; `log_likelihood` is that of
    the ratings one by one, `restarts_agreeing` how many of the starts reached it.
    `chances` (m, L, L) is the chance of each answer (last axis) in each class, one matrix a
    rater or one for all. `misnamed` lists labels whose class raters mostly call otherwise.
    """

    raters: Literal["each", "shared"]
    rows: int
    log_likelihood: float
    iterations: int
    converged: bool
    starts: int
    starts_agreeing: int
    rater_accuracy: Estimate
    base_rates: tuple[Estimate, ...]
    members: tuple[tuple[str, float], ...]
    chances: Floats = field(repr=False)
    samples: int = 0
    misnamed: tuple[str, ...] = ()
    note: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        out: dict[str, Any] = {
            "raters": self.raters,
            "distinct_rows": self.rows,
            "log_likelihood": self.log_likelihood,
            "iterations": self.iterations,
            "converged": self.converged,
            "starts": self.starts,
            "starts_agreeing": self.starts_agreeing,
            "samples": self.samples,
            "misnamed_classes": list(self.misnamed),
            "rater_accuracy": self.rater_accuracy.to_dict(),
            "by_rater": [{"rater": name, "accuracy": value} for name, value in self.members],
        }
        if self.note is not None:
            out["note"] = self.note
        return out


@dataclass(frozen=True)
class Draws:
    """The bootstrap draws behind the intervals, kept for other questions of the same samples.

    (S,) each, `base_rates` (S, L), `accuracy` (C, S); those of latent classes have as many
    samples as were fitted. NaN is a sample without a value.
    """

    agreement: Floats
    rater_accuracy: Floats
    base_rates: Floats
    accuracy: Floats
    latent_rater_accuracy: Floats
    latent_base_rates: Floats
    latent_accuracy: Floats
