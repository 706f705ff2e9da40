"""What `system_accuracy` answers."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from headcount.accuracy.parts import Check, ClassifierAccuracy, Draws, LatentClasses
from headcount.accuracy.truth import TruthTable, write_frame
from headcount.results import Cell, Estimate, Result, Table
from headcount.results.result import frame_from_columns

Which = Literal["algebraic", "latent_class"]


@dataclass(frozen=True)
class SystemAccuracy(Result):
    """How accurate classifiers are against a truth nobody has, and how accurate the raters.

    `classifiers` hold the algebraic estimates with their bins; `latent_class` what a fitted
    latent-class model says, or the reason there is none. `believe` is which of the two to
    believe, `why` the reason. `checks` are the assumptions with what the data say of them.
    """

    labels: tuple[str, ...]
    cases: int
    ratings: int
    agreement: Estimate
    kappa: Estimate
    rater_accuracy: Estimate
    base_rates: tuple[Estimate, ...]
    label_shares: tuple[float, ...]
    classifiers: tuple[ClassifierAccuracy, ...]
    latent_class: LatentClasses | str
    checks: tuple[Check, ...]
    believe: Which
    why: str
    confidence: float
    notes: tuple[str, ...] = ()
    truths: TruthTable = field(repr=False, default_factory=TruthTable)
    draws: Draws | None = field(repr=False, default=None)

    def truth(
        self, *, estimate: Which | None = None, backend: str = "pyarrow", by_label: bool = True
    ) -> Any:
        """The probability of each label for each case, as a frame: training targets.

        Columns are `item` and `truth:label`, one a label, which headcount reads as the soft
        classifier `truth`; with `by_label=False` they are `item`, `label`, `probability`, a row
        each. `estimate` is "algebraic" or "latent_class", by default the one to believe.
        """
        columns = self.truths.columns(self.labels, estimate or self.believe, by_label)
        return frame_from_columns(columns, backend)

    def save_truth(self, path: str | Path, *, estimate: Which | None = None) -> Path:
        """Write the truth probabilities to a .csv, .parquet or .jsonl file."""
        return write_frame(self.truth(estimate=estimate), Path(path))

    def verdict(self) -> str:
        """One sentence that answers the question."""
        if self.rater_accuracy.value is None:
            return f"Accuracy cannot be estimated from these ratings: {self.rater_accuracy.note}."
        latent = self.latent_class
        raters = self.rater_accuracy
        if self.believe == "latent_class" and isinstance(latent, LatentClasses):
            raters = latent.rater_accuracy
        if not self.classifiers:
            return f"The raters are right in {_of_cases(raters)}."
        best = self._best()
        own = self.believed(best)
        which = f", the best of {len(self.classifiers)}," if len(self.classifiers) > 1 else ""
        if own.value is None:
            return f"{best.name}{which} has no estimate: {own.note}."
        return (
            f"{best.name}{which} is right in {_of_cases(own)}, judged by raters who are right in "
            f"{_percent(raters.value)}."
        )

    def with_check(self, check: Check | None) -> "SystemAccuracy":
        """The same with one more check, before those that no data can answer."""
        if check is None:
            return self
        ordered = sorted((*self.checks, check), key=lambda each: each.kind == "design")
        return replace(self, checks=tuple(ordered))

    def believed(self, classifier: ClassifierAccuracy) -> Estimate:
        """A classifier's accuracy by the estimate to believe."""
        latent = classifier.latent
        return latent if self.believe == "latent_class" and latent else classifier.accuracy

    def tables(self) -> tuple[Table, ...]:
        """Classifiers, raters, base rates, and the bins of the best classifier."""
        tables = [self._rater_table(), self._base_rate_table()]
        if self.classifiers:
            tables = [self._classifier_table(), *tables, self._bin_table()]
        return tuple(tables)

    def assumptions(self) -> tuple[str, ...]:
        """What the estimates rest on, and whether the data agree."""
        marks = {"holds": "Holds", "violated": "Fails", "unchecked": "Not tested"}
        return tuple(f"{marks[check.state]}: {check.text}" for check in self.checks)

    def unchecked(self) -> tuple[str, ...]:
        """Which estimate to believe, and what was left out."""
        notes = [self.why]
        if isinstance(self.latent_class, str):
            notes.append(f"There is no latent-class estimate: {self.latent_class}.")
        elif self.latent_class.note:
            notes.append(self.latent_class.note)
        return (*notes, *self.notes)

    def columns(self) -> dict[str, list[Any]]:
        """A row a classifier: both estimates with their intervals."""
        columns: dict[str, list[Any]] = {"classifier": [each.name for each in self.classifiers]}
        for end in ("value", "low", "high"):
            name = "accuracy" if end == "value" else end
            columns[name] = [getattr(each.accuracy, end) for each in self.classifiers]
        for end in ("value", "low", "high"):
            name = "latent_accuracy" if end == "value" else f"latent_{end}"
            columns[name] = [
                getattr(each.latent, end) if each.latent else None for each in self.classifiers
            ]
        return columns

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-safe values."""
        return {
            "cases": self.cases,
            "ratings": self.ratings,
            "agreement": self.agreement.to_dict(),
            "kappa": self.kappa.to_dict(),
            "rater_accuracy": self.rater_accuracy.to_dict(),
            "base_rates": {
                label: rate.to_dict()
                for label, rate in zip(self.labels, self.base_rates, strict=True)
            },
            "assumptions": [check.to_dict() for check in self.checks],
            "classifiers": [each.to_dict() for each in self.classifiers],
            "latent_class": self._latent_dict(),
            "believe": {"estimate": self.believe, "why": self.why},
            "confidence": self.confidence,
            "notes": list(self.notes),
        }

    def _latent_dict(self) -> dict[str, Any]:
        latent = self.latent_class
        if isinstance(latent, str):
            return {"unavailable": latent}
        return {
            **latent.to_dict(),
            "base_rates": {
                label: rate.to_dict()
                for label, rate in zip(self.labels, latent.base_rates, strict=True)
            },
            "classifiers": [
                {"name": each.name, "accuracy": each.latent.to_dict()}
                for each in self.classifiers
                if each.latent is not None
            ],
        }

    def _best(self) -> ClassifierAccuracy:
        """The classifier with the highest accuracy; the first of equals."""
        values = [self.believed(each).value for each in self.classifiers]
        return self.classifiers[
            int(np.argmax([-1.0 if value is None else value for value in values]))
        ]

    def _classifier_table(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for each in self.classifiers:
            agreeing = sum(item.agreement * item.cases for item in each.bins)
            counted = sum(item.cases for item in each.bins)
            rows.append(
                (each.name, each.accuracy, each.latent, agreeing / counted if counted else None)
            )
        believed = "algebraic" if self.believe == "algebraic" else "latent-class"
        return Table(
            "Classifiers",
            ("classifier", "accuracy (algebraic)", "accuracy (latent class)", "agrees with top"),
            tuple(rows),
            caption=f"Intervals at {100 * self.confidence:g} %; the {believed} estimate is the one "
            "to believe here. The last column is how often it gives the most probable label.",
        )

    def _rater_table(self) -> Table:
        latent = self.latent_class
        fitted = latent.rater_accuracy if isinstance(latent, LatentClasses) else None
        rows: tuple[tuple[Cell, ...], ...] = (
            ("agreement of two raters", self.agreement, None),
            (f"kappa (chance 1/{len(self.labels)})", self.kappa, None),
            ("rater accuracy", self.rater_accuracy, fitted),
        )
        return Table(
            f"Raters: {self.ratings:,} ratings of {self.cases:,} cases",
            ("", "algebraic", "latent class"),
            rows,
        )

    def _base_rate_table(self) -> Table:
        latent = self.latent_class
        fitted: tuple[Estimate | None, ...] = (
            latent.base_rates if isinstance(latent, LatentClasses) else (None,) * len(self.labels)
        )
        rows = zip(self.labels, self.label_shares, self.base_rates, fitted, strict=True)
        return Table(
            "Base rates",
            ("label", "share of ratings", "base rate (algebraic)", "base rate (latent class)"),
            tuple(rows),
        )

    def _bin_table(self) -> Table:
        best = self._best()
        rows = tuple(
            (
                f"{item.low:.1f} to {item.high:.1f}",
                item.cases,
                item.truth,
                item.agreement,
                item.accuracy,
            )
            for item in reversed(best.bins)
        )
        return Table(
            f"Where {best.name} stands, by how probable the most probable label is",
            ("probability", "cases", "mean", "agreement", "accuracy"),
            rows,
            caption="Accuracy here is algebraic; overall it is the mean over the cases.",
        )


def _of_cases(estimate: Estimate) -> str:
    """For a sentence: "89.8 % of cases (89.3 % to 90.2 %)"."""
    ends = f" ({_percent(estimate.low)} to {_percent(estimate.high)})"
    return f"{_percent(estimate.value)} of cases" + (ends if estimate.has_interval else "")


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else f"{100 * share:.1f} %"
