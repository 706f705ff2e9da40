"""What `system_accuracy` answers: its record, its tables, and the truth by each estimate."""

from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.checks import Check, CheckId, Which
from headcount.accuracy.classifiers import ClassifierAccuracy
from headcount.accuracy.latent_classes import LatentClasses
from headcount.accuracy.reliability import RaterReliability
from headcount.accuracy.span import NEEDED, RatersSpan, condition
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.results import Cell, Estimate, Record, Result, Table, count, hidden, record
from headcount.results.files import write_frame
from headcount.results.result import frame_from_columns
from headcount.sampling import Plan


@frozen
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


def classifier_table(found: "SystemAccuracy") -> Table:
    """The span of each classifier, and what gold says of it where there is gold."""
    gold = found.gold is not None
    scored = any(each.correlation is not None for each in found.classifiers)
    zero = [each.span.at(0.0) if each.span is not None else None for each in found.classifiers]
    rows: list[tuple[Cell, ...]] = []
    for each, at_zero in zip(found.classifiers, zero, strict=True):
        row: list[Cell] = [each.name, each.accuracy.share_text()]
        if each.gold is not None:
            row += [each.gold.alone.share_text()]
            row += ["–" if each.span is None else each.span.estimate().share_text()]
        row += ["–" if at_zero is None else at_zero.share_text(), each.agrees_with_top]
        if scored:
            row.append(each.correlation)
        rows.append(tuple(row))
    by = ("accuracy by gold and ratings", "by gold alone", "span without gold")
    return Table(
        "Classifiers",
        (
            "classifier",
            *(by if gold else ("accuracy",)),
            "if nobody is ever all misled",
            "agrees with top",
            *(("correlation with true scores",) if scored else ()),
        ),
        tuple(rows),
        caption=f"At {100 * found.confidence:g} %; spans are about {found.samples.sentence()} "
        f"and hold {condition(found.misled)}. Agrees with top: how often it gives the most "
        "probable label.",
        id="classifiers",
    )


def model_table(classifiers: tuple[ClassifierAccuracy, ...]) -> Table:
    """What each model says of each classifier, and whether the span counts it."""
    rows: list[tuple[Cell, ...]] = []
    for each in classifiers:
        for part in each.span.parts if each.span is not None else ():
            counted = "yes" if part.counted else f"no: {part.why}"
            rows.append((each.name, part.name, part.assumes, part.accuracy, counted))
        rows.append((each.name, "Dawid–Skene", "bootstrap", each.latent_class, "beside it"))
    return Table(
        "What each model says",
        ("classifier", "model", "assumes", "accuracy", "in the span"),
        tuple(rows),
        id="estimates",
    )


def reliability_table(raters: tuple[RaterReliability, ...]) -> Table:
    """The raters one by one, as many as are worth reading."""
    shown = raters[:20]
    rest = len(raters) - len(shown)
    return Table(
        "Raters one by one, the least skilled first",
        ("rater", "ratings", "accuracy", "skill", "at chance"),
        tuple(
            (each.rater, each.ratings, each.accuracy, each.skill, each.at_chance) for each in shown
        ),
        caption="Skill is accuracy beyond what the rater's own habit of labels reaches without "
        "looking, 1 at most." + (f" {rest:,} more are not shown." if rest else ""),
        id="reliability",
    )


def rater_table(found: "SystemAccuracy") -> Table:
    """How often raters agree and are right, by either estimate."""
    latent = found.latent_class
    fitted = latent.rater_accuracy if isinstance(latent, LatentClasses) else None
    rows: tuple[tuple[Cell, ...], ...] = (
        ("agreement of two raters", found.agreement, None),
        (f"kappa (chance 1/{len(found.labels)})", found.kappa, None),
        ("rater accuracy, if they err on their own", found.rater_accuracy, fitted),
    )
    span = found.raters_span
    together = "" if span is None else span.estimate().text(percent=True)
    return Table(
        f"Raters: {found.ratings:,} ratings of {found.items:,} items",
        ("", "algebraic", "latent class"),
        rows,
        caption=f"A rater is right in {together} of items, {condition(found.misled)}."
        if together
        else "",
        id="raters",
    )


def base_rate_table(found: "SystemAccuracy") -> Table:
    """How common each label is, by either estimate."""
    latent = found.latent_class
    fitted = latent.base_rates if isinstance(latent, LatentClasses) else {}
    return Table(
        "Base rates",
        ("label", "share of ratings", "base rate (algebraic)", "base rate (latent class)"),
        tuple(
            (label, found.label_shares[label], found.base_rates[label], fitted.get(label))
            for label in found.labels
        ),
        id="base_rates",
    )


def bin_table(best: ClassifierAccuracy) -> Table:
    """Where a classifier is accurate, by how sure the truth is."""
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


@record
class GoldFacts(Record):
    """The gold there is: `items` with a true label of all the items.

    `misled` is the share of items on which people are misled together, the x of a span without
    gold: on `wrong` of `sure` gold items whose ratings point clearly to a label, gold denies it.
    """

    items: int
    of: int
    misled: Estimate
    sure: int
    wrong: int
    stratified: bool


@record
class SystemAccuracy(Result):
    """How accurate classifiers are against a truth nobody has, and how accurate the raters.

    Attributes
    ----------
    labels : tuple of str
        The labels in order.
    items, ratings : int
        What it was estimated from.
    agreement, kappa : Estimate
        How often two raters agree, as it is and beyond chance 1/N.
    rater_accuracy : Estimate
        How often a rater is right, by the algebra.
    raters_span : RatersSpan or None
        Between what and what that lies, where raters may err together.
    base_rates : dict of str to Estimate
        How common each label is.
    label_shares : dict of str to float
        How often raters gave each label.
    classifiers : tuple of ClassifierAccuracy
        Each with the span of its `accuracy` and what every model says.
    latent_class : LatentClasses or str
        The fitted latent-class model, or the reason there is none.
    raters : tuple of RaterReliability
        How reliable each is, the least skilled first.
    gold : GoldFacts or None
        What gold there was.
    misled : float
        The share of items on which everyone may be misled that spans allow for.
    checks : tuple of Check
        The assumptions with what the data say of them.
    believe : {"algebraic", "latent_class"}
        Where labels and raters' accuracy are read from.
    why : str
        The reason for that.
    confidence : float
        Of the intervals.
    n_bootstrap : int
        Bootstrap samples behind them.
    notes : tuple of str
        What became of the data.

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("fallible", cases=200, labels=2, accuracy=(0.8,), seed=2)
    >>> found = hc.system_accuracy(made.ratings, made.predictions, n_bootstrap=20)
    >>> found["system"].accuracy.is_span
    True
    """

    labels: tuple[str, ...]
    items: int
    ratings: int
    agreement: Estimate
    kappa: Estimate
    rater_accuracy: Estimate
    raters_span: RatersSpan | None
    base_rates: dict[str, Estimate]
    label_shares: dict[str, float]
    classifiers: tuple[ClassifierAccuracy, ...]
    latent_class: LatentClasses | str = hidden()
    raters: tuple[RaterReliability, ...]
    gold: GoldFacts | None
    misled: float
    checks: tuple[Check, ...]
    believe: Which
    why: str
    confidence: float
    n_bootstrap: int
    notes: tuple[str, ...] = ()
    samples: Plan = hidden(default=Plan(1))
    truths: TruthTable = hidden(default_factory=TruthTable)

    rows: ClassVar[str] = "classifiers"
    also = ("latent_class_told", "about")
    named: ClassVar[Mapping[str, str]] = {"latent_class_told": "latent_class"}

    @property
    def about(self) -> str:
        """What the intervals speak of."""
        return self.samples.sentence()

    @property
    def latent_class_told(self) -> LatentClasses | dict[str, str]:
        """The fitted latent-class model, or the reason there is none under "unavailable"."""
        found = self.latent_class
        return {"unavailable": found} if isinstance(found, str) else found

    def columns(self) -> dict[str, list[Any]]:
        """The classifiers' spans and estimates, with gold's own where there is gold."""
        columns = super().columns()
        columns.pop("gold", None)
        if all(each.correlation is None for each in self.classifiers):
            columns.pop("correlation", None)
        if self.gold is not None:
            alone = [each.gold.alone if each.gold else None for each in self.classifiers]
            for part in ("value", "low", "high"):
                name = "gold_alone" if part == "value" else f"gold_alone_{part}"
                columns[name] = [None if each is None else getattr(each, part) for each in alone]
        return columns

    def check(self, id: CheckId) -> Check:
        """The check of this id.

        Parameters
        ----------
        id : str
            Such as "even_errors"; `checks` has all of them.

        Returns
        -------
        Check
            With `state` ("holds", "violated", "unchecked") and `text`.

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("fallible", cases=200, labels=2, accuracy=(0.8,), seed=2)
        >>> found = hc.system_accuracy(made.ratings, made.predictions, n_bootstrap=20)
        >>> found.check("even_errors").state
        'holds'
        """
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
        """The probability of each label for each item: training targets.

        Parameters
        ----------
        estimate : {"algebraic", "latent_class"}, optional
            By which model; by default the one to believe.
        backend : {"pyarrow", "pandas", "polars"}, optional
            The library of the frame; by default the one the data came in.
        by_label : bool
            Columns `item` and `truth:label`, one a label, which headcount reads as the soft
            classifier `truth`; otherwise `item`, `label`, `probability`, a row each.

        Returns
        -------
        frame

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("fallible", cases=200, labels=2, accuracy=(0.8,), seed=2)
        >>> found = hc.system_accuracy(made.ratings, made.predictions, n_bootstrap=20)
        >>> found.truth().column_names
        ['item', 'truth:A', 'truth:B']
        """
        columns = self.truths.columns(self.labels, estimate or self.believe, by_label)
        return frame_from_columns(columns, backend or self.library)

    def save_truth(self, path: str | Path, *, estimate: Which | None = None) -> Path:
        """Write the truth probabilities to a .csv, .parquet or .jsonl file.

        Parameters
        ----------
        path : str or path
            Where to; the ending says the format.
        estimate : {"algebraic", "latent_class"}, optional
            By which model; by default the one to believe.

        Returns
        -------
        path
            The file written.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> import headcount as hc
        >>> made = hc.simulate.make("fallible", cases=200, labels=2, accuracy=(0.8,), seed=2)
        >>> found = hc.system_accuracy(made.ratings, made.predictions, n_bootstrap=20)
        >>> found.save_truth(pathlib.Path(tempfile.mkdtemp()) / "truth.csv").name
        'truth.csv'
        """
        table = self.truth(estimate=estimate, backend="pyarrow")
        return write_frame(table, path, "The truth probabilities")

    @property
    def spammers(self) -> tuple[str, ...]:
        """Raters whose answers could as well have been given without looking."""
        return tuple(each.rater for each in self.raters if each.at_chance)

    @property
    def believed_rater_accuracy(self) -> Estimate:
        """How often a rater is right, by the estimate that fits the data better."""
        latent = self.latent_class
        if self.believe == "latent_class" and isinstance(latent, LatentClasses):
            return latent.rater_accuracy
        return self.rater_accuracy

    def verdict(self) -> str:
        """One sentence that answers the question."""
        best = self._best() if self.classifiers else None
        scored = best is not None and best.correlation is not None and best.correlation.is_span
        if self.rater_accuracy.value is None and self.gold is None and not scored:
            return f"Accuracy cannot be estimated from these ratings: {self.rater_accuracy.note}."
        if best is None:
            assert self.raters_span is not None
            return f"{self.raters_span.sentence()}."
        which = f", the best of {len(self.classifiers)}," if len(self.classifiers) > 1 else ""
        if best.gold is None and best.span is not None and best.span.tipping_point is None:
            which = ""  # Of shares that cannot be told none is the highest.
        return f"{best.name}{which} {best.sentence()}."

    def tables(self) -> tuple[Table, ...]:
        """The spans, the models behind them, raters, base rates, and bins of the best."""
        shown = [rater_table(self), base_rate_table(self)]
        if self.raters:
            shown.append(reliability_table(self.raters))
        if self.classifiers:
            named = (classifier_table(self), model_table(self.classifiers))
            shown = [*named, *shown, bin_table(self._best())]
        return tuple(shown)

    def assumptions(self) -> tuple[str, ...]:
        """What the estimates rest on, and whether the data agree."""
        marks = {"holds": "Holds", "violated": "Fails", "unchecked": "Not tested"}
        said = tuple(f"{marks[check.state]}: {check.text}" for check in self.checks)
        return (*said, *self._about_samples())

    def _about_samples(self) -> tuple[str, ...]:
        """Whom the intervals speak of."""
        if not self.classifiers:
            return ()
        if self.gold is not None:
            units = replace(self.samples, raters=None).sentence().split(", ")[0]
            return (f"Intervals by gold speak of {units}: gold is not a matter of who rated.",)
        return (
            f"Spans speak of {self.samples.sentence()}; the estimates under their own names "
            "(algebraic, latent class, the raters') have intervals over items.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What gold says or would say, which estimate labels are read from, what was left out."""
        notes = [*self.about_gold(), self.why]
        if isinstance(self.latent_class, str):
            notes.append(f"There is no latent-class estimate: {self.latent_class}.")
        elif self.latent_class.note:
            notes.append(self.latent_class.note)
        if self.spammers:
            listed = ", ".join(repr(name) for name in self.spammers[:10])
            more = f" and {len(self.spammers) - 10} more" if len(self.spammers) > 10 else ""
            notes.append(
                f"{count(len(self.spammers), 'rater answers', 'raters answer')} no better than "
                f"without looking: {listed}{more}."
            )
        return (*notes, *self._about_items(), *self.notes)

    def _about_items(self) -> tuple[str, ...]:
        fitted = [each.span.items for each in self.classifiers if each.span is not None]
        if not fitted or min(fitted) == self.items:
            return ()
        return (
            f"The models of the span were fitted to {min(fitted):,} items drawn at random from the "
            f"{self.items:,}, which makes the span a little wider: all would take too long.",
        )

    def about_gold(self) -> tuple[str, ...]:
        """What gold says of the spans, or what it would do."""
        best = self._best() if self.classifiers else None
        if best is None or (best.span is None and best.gold is None):
            return ()
        if self.gold is None:
            assert best.span is not None
            hundred = next(each for each in best.span.gold_plan if each.items == 100)
            narrow = (
                f"{hundred.items} gold items, drawn at random, would narrow the accuracy of "
                f"{best.name} to ±{100 * hundred.half_width:.0f} points or less."
            )
            return (narrow, NEEDED) if best.span.tipping_point is not None else (narrow,)
        notes = [
            f"On {self.gold.wrong:,} of {self.gold.sure:,} gold items whose ratings point clearly "
            f"to a label, gold denies it: people are misled together on "
            f"{self.gold.misled.text(percent=True)} of items, where a span without gold would "
            f"have allowed for {100 * self.misled:g} %."
        ]
        judged = [each for each in self.classifiers if each.gold and each.gold.held is not None]
        if judged:
            held = [each for each in judged if each.gold and each.gold.held]
            notes.append(
                f"The spans without gold hold what gold says of {len(held)} of "
                f"{count(len(judged), 'classifier', 'classifiers')}."
            )
        return tuple(notes)

    def _best(self) -> ClassifierAccuracy:
        """The classifier with the highest accuracy, or middle of the span; the first of equals."""
        return max(self.classifiers, key=lambda each: _middle(each.accuracy))


def _middle(estimate: Estimate) -> float:
    """The value, or the middle of a span; below everything where there is neither."""
    if estimate.value is not None:
        return estimate.value
    if estimate.low is None or estimate.high is None:
        return -1.0
    return (estimate.low + estimate.high) / 2
