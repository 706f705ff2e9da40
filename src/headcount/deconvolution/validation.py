"""Does setting slips aside help? Held-out repeats say what people mostly answer."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.deconvolution.choosing import Estimation, retest_rates
from headcount.deconvolution.outputs import ORACLE
from headcount.deconvolution.retest import Evidence
from headcount.deconvolution.sharpen import disagreement_level
from headcount.results import Estimate, Result, Table

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Compared:
    """One classifier (or the oracle) by one metric against three kinds of labels.

    `raw` is against one answer a rater, `adjusted` against the primary labels inferred from
    it, `modal` against what the raters mostly answered. `closer` is the share of the distance
    between raw and modal that adjusting removed; `chance_closer` how often it removed any
    among bootstrap samples (None without them).
    """

    name: str
    metric: str
    raw: Estimate
    adjusted: Estimate
    modal: Estimate
    closer: float | None
    chance_closer: float | None

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON-safe values."""
        return {
            "name": self.name,
            "metric": self.metric,
            "raw": self.raw.to_dict(),
            "adjusted": self.adjusted.to_dict(),
            "modal": self.modal.to_dict(),
            "closer": self.closer,
            "chance_closer": self.chance_closer,
        }


@dataclass(frozen=True)
class CalibrationBin:
    """Labels whose share was predicted to lie between `low` and `high`.

    `predicted` is their mean share in the `view` ("raw" or "adjusted") and `observed` how
    often the label was a rater's modal answer, over `answers` modal answers.
    """

    view: str
    low: float
    high: float
    predicted: float
    observed: float
    answers: int


@dataclass(frozen=True)
class Validation(Result):
    """Scores against one answer a rater, adjusted, and against what raters mostly answer.

    `divergence_raw` and `divergence_adjusted` are mean Kullback–Leibler divergences (bits) of
    modal answers from the raw and the adjusted shares. `flip_rate` is the mean estimated from
    other items; `flip_rate_seen` how often answers were not the modal one, where raters gave
    three or more.
    """

    compared: tuple[Compared, ...]
    items: int
    raters_asked_again: int
    undecided: int
    flip_rate: float
    flip_rate_seen: float | None
    divergence_raw: float
    divergence_adjusted: float
    calibration: tuple[CalibrationBin, ...]
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether adjusting brought every score closer to the one against modal answers."""
        return all(row.closer is not None and row.closer > 0 for row in self.compared)

    def verdict(self) -> str:
        """Whether adjusting helped, and how much."""
        row = self.compared[0]
        who = "the oracle" if row.name == ORACLE else row.name
        if row.closer is None and row.raw.value is not None:
            return (
                f"The {row.metric} of {who} is {row.raw.text()} against first answers and against "
                "what people mostly answer: there is nothing to set aside."
            )
        if row.closer is None:
            return f"The {row.metric} of {who} has no value on these repeats."
        if row.closer > 0:
            return (
                f"Adjusting works here: it brings the {row.metric} of {who} "
                f"{100 * row.closer:.0f} % closer to the one against what people mostly answer "
                f"({row.raw.text()} raw, {row.adjusted.text()} adjusted, {row.modal.text()} true)."
            )
        return (
            f"Adjusting does not help here: the {row.metric} of {who} is {row.raw.text()} raw "
            f"and {row.adjusted.text()} adjusted, against {row.modal.text()} for what people "
            "mostly answer."
        )

    def tables(self) -> tuple[Table, ...]:
        """The scores, the divergences, and the calibration of the shares."""
        scores = Table(
            "Scores against one answer a rater, adjusted, and against modal answers",
            ("metric", "", "raw", "adjusted", "modal", "closer", "chance of closer"),
            tuple(
                (
                    row.metric,
                    row.name,
                    row.raw.value,
                    row.adjusted.value,
                    row.modal.value,
                    None if row.closer is None else f"{100 * row.closer:.0f} %",
                    None if row.chance_closer is None else f"{100 * row.chance_closer:.0f} %",
                )
                for row in self.compared
            ),
        )
        rest = Table(
            "Distance of the label shares from modal answers, and the flip rate",
            ("", "value"),
            (
                ("divergence, raw (bits)", self.divergence_raw),
                ("divergence, adjusted (bits)", self.divergence_adjusted),
                ("flip rate, from other items", self.flip_rate),
                ("flip rate, seen in repeats", self.flip_rate_seen),
            ),
        )
        return scores, rest

    def assumptions(self) -> tuple[str, ...]:
        """What the comparison rests on."""
        return (
            "Repeats are the truth here: a rater's most common answer is taken for the primary "
            "label, and the adjusted scores see the first answer only.",
            "Flip rates come from other items than those they are used on.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What repeats cannot tell."""
        notes = list(self.notes)
        if self.undecided:
            notes.append(
                f"{self.undecided:,} of {self.raters_asked_again:,} raters asked again gave no "
                "answer more often than another; their answers count as raw labels and not as "
                "modal ones."
            )
        if self.flip_rate_seen is None:
            notes.append(
                "Nobody answered three times, so how often answers slip was not seen directly."
            )
        return tuple(notes)

    def columns(self) -> dict[str, list[Any]]:
        """A row for each classifier and metric."""
        rows = [row.to_dict() for row in self.compared]
        return {
            name: [row[name]["value"] if isinstance(row[name], dict) else row[name] for row in rows]
            for name in ("name", "metric", "raw", "adjusted", "modal", "closer", "chance_closer")
        }

    def to_dict(self) -> dict[str, Any]:
        """The validation as JSON-safe values."""
        return {
            "holds": self.holds,
            "compared": [row.to_dict() for row in self.compared],
            "items": self.items,
            "raters_asked_again": self.raters_asked_again,
            "undecided": self.undecided,
            "flip_rate": self.flip_rate,
            "flip_rate_seen": self.flip_rate_seen,
            "divergence": {"raw": self.divergence_raw, "adjusted": self.divergence_adjusted},
            "calibration": [dict(vars(row)) for row in self.calibration],
            "notes": list(self.unchecked()),
        }


def crossfitted_rates(
    shares: Floats, evidence: Evidence, estimation: Estimation, folds: int
) -> Floats:
    """The flip rate of each item, estimated from the retests of items in other folds."""
    n = len(shares)
    order = np.random.default_rng([estimation.seed, 5]).permutation(n)
    fold = np.empty(n, dtype=np.int64)
    fold[order] = np.arange(n) % folds
    level = disagreement_level(shares)
    rates = np.empty(n)
    for k in range(folds):
        others = fold != k
        fitted = retest_rates(shares[others], evidence.take(others), estimation)
        rates[~others] = fitted.at(level[~others])
    return rates


def divergence(modal: Floats, shares: Floats, clip: float) -> float:
    """The mean over items of the divergence of modal answers (n, L) from shares, in bits."""
    held = np.clip(shares, clip, None)
    held = held / held.sum(axis=1, keepdims=True)
    ratio = np.divide(modal, held, out=np.ones_like(modal), where=modal > 0)
    return float((modal * np.log2(ratio)).sum(axis=1).mean())


def calibrate(
    view: str, shares: Floats, modal_counts: Floats, bins: int = 10
) -> list[CalibrationBin]:
    """Shares (n, L) against how often each label was a modal answer, in equal bins."""
    raters = np.broadcast_to(modal_counts.sum(axis=1, keepdims=True), shares.shape).ravel()
    predicted, hits = shares.ravel(), modal_counts.ravel()
    place = np.minimum((predicted * bins + 1e-9).astype(np.int64), bins - 1)
    found = []
    for b in range(bins):
        inside = (place == b) & (raters > 0)
        if inside.any():
            weight = raters[inside]
            found.append(
                CalibrationBin(
                    view,
                    b / bins,
                    (b + 1) / bins,
                    float(np.average(predicted[inside], weights=weight)),
                    float(hits[inside].sum() / weight.sum()),
                    int(weight.sum()),
                )
            )
    return found
