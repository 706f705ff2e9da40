"""What `system_accuracy` answers."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.classifiers import ClassifierAccuracy
from headcount.accuracy.judgements import Check, CheckId, Which
from headcount.accuracy.latent_classes import LatentClasses
from headcount.errors import OptionError, UnanswerableError
from headcount.results import Cell, Estimate, Result, Table, hidden, record
from headcount.results.files import write_frame
from headcount.results.result import frame_from_columns


@dataclass(frozen=True)
class TruthTable:
    """Probabilities (J, L) of groups of items by each estimate, and each item's group (n,)."""

    items: NDArray[np.object_] = field(default_factory=lambda: np.empty(0, dtype=object))
    group: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    algebraic: NDArray[np.float64] | None = None
    latent_class: NDArray[np.float64] | None = None

    def columns(self, labels: tuple[str, ...], estimate: str, by_label: bool) -> dict[str, Any]:
        """Named columns: `item` and `truth:label` each, or item, label, probability rows."""
        if estimate not in ("algebraic", "latent_class"):
            raise OptionError(f'estimate is "algebraic" or "latent_class", not {estimate!r}.')
        groups = self.algebraic if estimate == "algebraic" else self.latent_class
        if groups is None:
            raise UnanswerableError(
                f"There are no truth probabilities by the {estimate.replace('_', '-')} estimate: "
                "the summary of this result says why."
            )
        truth = groups[self.group]
        if by_label:
            named = {f"truth:{label}": truth[:, code] for code, label in enumerate(labels)}
            return {"item": self.items.astype(str), **named}
        return {
            "item": np.repeat(self.items.astype(str), len(labels)),
            "label": np.tile(np.array(labels, dtype=str), len(self.items)),
            "probability": truth.ravel(),
        }


@record
class SystemAccuracy(Result):
    """How accurate classifiers are against a truth nobody has, and how accurate the raters.

    `classifiers` hold both estimates, the algebraic ones with their bins; `latent_class` what a
    fitted latent-class model says, or the reason there is none. `believe` is which of the two to
    believe, `why` the reason. `checks` are the assumptions with what the data say of them.
    """

    labels: tuple[str, ...]
    items: int
    ratings: int
    agreement: Estimate
    kappa: Estimate
    rater_accuracy: Estimate
    base_rates: dict[str, Estimate]
    label_shares: dict[str, float]
    classifiers: tuple[ClassifierAccuracy, ...]
    latent_class: LatentClasses | str
    checks: tuple[Check, ...]
    believe: Which
    why: str
    confidence: float
    n_bootstrap: int
    notes: tuple[str, ...] = ()
    truths: TruthTable = hidden(default_factory=TruthTable)

    rows: ClassVar[str] = "classifiers"

    def told(self) -> dict[str, Any]:
        """The fields; where there are no latent classes, the reason."""
        told = super().told()
        if isinstance(self.latent_class, str):
            told["latent_class"] = {"unavailable": self.latent_class}
        return told

    def check(self, id: CheckId) -> Check:
        """The check of this id."""
        for each in self.checks:
            if each.id == id:
                return each
        known = ", ".join(each.id for each in self.checks)
        raise OptionError(f"There is no check {id!r} here: {known}.")

    @property
    def failed(self) -> tuple[Check, ...]:
        """The assumptions that the data speak against."""
        return tuple(each for each in self.checks if each.state == "violated")

    def truth(
        self, *, estimate: Which | None = None, backend: str | None = None, by_label: bool = True
    ) -> Any:
        """The probability of each label for each item, as a frame: training targets.

        Columns are `item` and `truth:label`, one a label, which headcount reads as the soft
        classifier `truth`; with `by_label=False` they are `item`, `label`, `probability`, a row
        each. `estimate` is "algebraic" or "latent_class", by default the one to believe.
        """
        columns = self.truths.columns(self.labels, estimate or self.believe, by_label)
        return frame_from_columns(columns, backend or self.library)

    def save_truth(self, path: str | Path, *, estimate: Which | None = None) -> Path:
        """Write the truth probabilities to a .csv, .parquet or .jsonl file."""
        table = self.truth(estimate=estimate, backend="pyarrow")
        return write_frame(table, path, "The truth probabilities")

    def believed(self, classifier: ClassifierAccuracy) -> Estimate:
        """A classifier's accuracy by the estimate to believe."""
        return classifier.believed

    def verdict(self) -> str:
        """One sentence that answers the question."""
        if self.rater_accuracy.value is None:
            return f"Accuracy cannot be estimated from these ratings: {self.rater_accuracy.note}."
        latent = self.latent_class
        raters = self.rater_accuracy
        if self.believe == "latent_class" and isinstance(latent, LatentClasses):
            raters = latent.rater_accuracy
        if not self.classifiers:
            return f"The raters are right in {_of_items(raters)}."
        best = self._best()
        own = best.believed
        which = f", the best of {len(self.classifiers)}," if len(self.classifiers) > 1 else ""
        if own.value is None:
            return f"{best.name}{which} has no estimate: {own.note}."
        return (
            f"{best.name}{which} is right in {_of_items(own)}, judged by raters who are right in "
            f"{_percent(raters.value)}."
        )

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

    def _best(self) -> ClassifierAccuracy:
        """The classifier with the highest accuracy; the first of equals."""
        return max(
            self.classifiers,
            key=lambda each: -1.0 if each.believed.value is None else each.believed.value,
        )

    def _classifier_table(self) -> Table:
        fitted = isinstance(self.latent_class, LatentClasses)
        believed = "algebraic" if self.believe == "algebraic" else "latent-class"
        return Table(
            "Classifiers",
            ("classifier", "accuracy (algebraic)", "accuracy (latent class)", "agrees with top"),
            tuple(
                (each.name, each.accuracy, each.latent if fitted else None, each.agrees_with_top)
                for each in self.classifiers
            ),
            caption=f"Intervals at {100 * self.confidence:g} %; the {believed} estimate is the one "
            "to believe here. The last column is how often it gives the most probable label.",
            id="classifiers",
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
            f"Raters: {self.ratings:,} ratings of {self.items:,} items",
            ("", "algebraic", "latent class"),
            rows,
            id="raters",
        )

    def _base_rate_table(self) -> Table:
        latent = self.latent_class
        fitted = latent.base_rates if isinstance(latent, LatentClasses) else {}
        return Table(
            "Base rates",
            ("label", "share of ratings", "base rate (algebraic)", "base rate (latent class)"),
            tuple(
                (label, self.label_shares[label], self.base_rates[label], fitted.get(label))
                for label in self.labels
            ),
            id="base_rates",
        )

    def _bin_table(self) -> Table:
        best = self._best()
        return Table(
            f"Where {best.name} stands, by how probable the most probable label is",
            ("probability", "items", "mean", "agreement", "accuracy"),
            tuple(
                (
                    f"{each.low:.1f} to {each.high:.1f}",
                    each.items,
                    each.truth,
                    each.agreement,
                    each.accuracy,
                )
                for each in reversed(best.bins)
            ),
            caption="Accuracy here is algebraic; overall it is the mean over the items.",
            id="bins",
        )


def _of_items(estimate: Estimate) -> str:
    """For a sentence: "89.8 % of items (89.3 % to 90.2 %)"."""
    ends = f" ({_percent(estimate.low)} to {_percent(estimate.high)})"
    return f"{_percent(estimate.value)} of items" + (ends if estimate.has_interval else "")


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else f"{100 * share:.1f} %"
