"""What a plan from a pilot answers."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.budget import ComparisonPlan
from headcount.budget.wording import chance, labels_each, money
from headcount.results import Cell, Estimate, Result, Table
from headcount.stats import estimate_from_draws

Floats = NDArray[np.float64]

NAMES = {
    "label_accuracy": "a label is right",
    "better_accuracy": "the better one is right",
    "worse_accuracy": "the worse one is right (p_w)",
    "margin": "margin",
    "disagreement": "they differ",
    "better_if_worse_wrong": "the better one is right where the worse is wrong (p_b|¬w)",
    "better_if_worse_right": "the better one is right where the worse is right (p_b|w)",
    "label_accuracy_if_better": "a label is right where only the better one is (q_b)",
    "label_accuracy_if_worse": "a label is right where only the worse one is (q_w)",
    "label_bias": "q_b − q_w",
}


@dataclass(frozen=True)
class PilotDraws:
    """The quantities of the pilot (row 0) and of its bootstrap samples, (1 + S,) each."""

    label_accuracy: Floats
    both: Floats
    only_better: Floats
    only_worse: Floats
    neither: Floats
    labels_better: Floats
    labels_worse: Floats

    def named(self) -> dict[str, Floats]:
        """Every quantity that a plan is made of, under its public name."""
        better, worse = self.both + self.only_better, self.both + self.only_worse
        with np.errstate(invalid="ignore", divide="ignore"):
            if_wrong, if_right = self.only_better / (1 - worse), self.both / worse
        return {
            "label_accuracy": self.label_accuracy,
            "better_accuracy": better,
            "worse_accuracy": worse,
            "margin": self.only_better - self.only_worse,
            "disagreement": self.only_better + self.only_worse + self.neither,
            "better_if_worse_wrong": np.where(worse < 1, if_wrong, np.nan),
            "better_if_worse_right": np.where(worse > 0, if_right, np.nan),
            "label_accuracy_if_better": self.labels_better,
            "label_accuracy_if_worse": self.labels_worse,
            "label_bias": self.labels_better - self.labels_worse,
        }


@dataclass(frozen=True)
class Uncertain:
    """What the pilot's uncertainty makes of one offer of the plan.

    `probability` at the planned items, `items` needed for the target (the planned ones with a
    budget), and `best`, the share of bootstrap samples in which this offer is the best.
    """

    probability: Estimate
    items: Estimate
    best: float

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "probability": self.probability.to_dict(),
            "items": self.items.to_dict(),
            "best": self.best,
        }


def quantities(draws: PilotDraws, tail: float) -> dict[str, Estimate]:
    """The pilot's quantities with their intervals."""
    return {
        name: estimate_from_draws(
            float(values[0]), values[1:], tail, undefined="no item to learn it from"
        )
        for name, values in draws.named().items()
    }


@dataclass(frozen=True)
class PilotPlan(Result):
    """A plan made from a pilot, with the pilot's uncertainty carried into it.

    `plan` is the plan from the pilot's own estimates, `quantities` those estimates with
    intervals, `uncertain` what the bootstrap samples of the pilot make of each offer in
    `plan.plans`. `right_order` is the share of samples in which `better` is the better one,
    `misled` that in which labels prefer the worse one, however many items there are.
    """

    plan: ComparisonPlan
    better: str
    worse: str
    items: int
    differing: int
    quantities: dict[str, Estimate]
    uncertain: tuple[Uncertain, ...]
    right_order: float | None
    misled: float | None
    own_accuracies: bool
    varies: bool
    spread_fails: bool | None
    failed_checks: tuple[str, ...]
    confidence: float
    samples: int
    notes: tuple[str, ...] = ()
    equal_labels: bool = False
    draws: PilotDraws | None = field(default=None, repr=False)

    def verdict(self) -> str:
        """The best offer with its uncertainty in a sentence."""
        best = self.plan.best
        place = self.plan.plans.index(best)
        sentence = (
            f"Label {best.items:,} more items, {labels_each(best)}: the better of "
            f"{self.better!r} and {self.worse!r} comes first with probability "
            f"{chance(best.probability)}"
        )
        if self.uncertain:
            known = self.uncertain[place]
            if self.plan.target is None:
                sentence += f" (between {_ends(known.probability)} by the pilot's uncertainty)"
            else:
                sentence += f" (the pilot allows {_item_ends(known.items)} items)"
        return f"{sentence}, at a cost of {money(best.cost)}."

    def tables(self) -> tuple[Table, ...]:
        """What the pilot says, the plan with its uncertainty, and the other question."""
        rows = tuple((NAMES[name], value) for name, value in self.quantities.items())
        said = Table(
            f"What the pilot says: {self.items:,} items, {self.differing:,} on which they differ",
            ("quantity", "estimate"),
            rows,
            caption=f"Better: {self.better}. Intervals at {100 * self.confidence:g} % from "
            f"{self.samples} bootstrap samples of the pilot's items.",
        )
        return said, self._plan_table(), *self.plan.tables()[1:]

    def _plan_table(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        known: list[Uncertain | None] = [*self.uncertain] or [None] * len(self.plan.plans)
        for offer, unsure in zip(self.plan.plans, known, strict=True):
            rows.append(
                (
                    offer.strategy.name,
                    self._items_text(offer.items, unsure),
                    money(offer.cost),
                    unsure.probability if unsure else f"{offer.probability:.3f}",
                    None if unsure is None else f"{100 * unsure.best:.0f} %",
                    "←" if offer is self.plan.best else "",
                )
            )
        return Table(
            "The plan, with the pilot's uncertainty",
            ("labels an item", "items", "cost", "probability", "best in", "best"),
            tuple(rows),
            caption="Probability at the planned items; 'best in' is the share of bootstrap "
            "samples in which these many labels are the best.",
        )

    def _items_text(self, items: int, unsure: Uncertain | None) -> str:
        if unsure is None or self.plan.target is None:
            return f"{items:,}"
        return f"{items:,} ({_item_ends(unsure.items)})"

    def assumptions(self) -> tuple[str, ...]:
        """What the plan rests on."""
        lines = [*self.plan.assumptions()]
        lines.append("The next items are like the pilot's, and so are the people who label them.")
        if self.own_accuracies:
            bias = self.quantities["label_bias"]
            lines.append(
                "Assumption 1 of the paper (labels are no worse where only the better one is "
                f"right): q_b − q_w is {bias.text(3)}, so it {_state(bias)}."
            )
        if self.spread_fails is False:
            lines.append(
                "Assumption 2 of the paper (difficulty varies no more where only the worse one is "
                "right) holds on the pilot."
            )
        return tuple(lines)

    def unchecked(self) -> tuple[str, ...]:
        """Warnings, and what the pilot is too small to tell."""
        lines = []
        if self.right_order is not None and self.right_order < 0.975:
            lines.append(
                f"The pilot is not sure which is better: {self.better!r} is in "
                f"{100 * self.right_order:.0f} % of its bootstrap samples. The plan is for the "
                "margin seen, and the true one may be smaller or of the other sign."
            )
        if self.misled is not None and self.misled > (1 - self.confidence) / 2:
            lines.append(
                f"In {100 * self.misled:.0f} % of the samples labels are so much better where only "
                "the worse classifier is right that no number of items would pick the better one: "
                "that is where the interval's far end comes from."
            )
        if self.own_accuracies and (self.quantities["label_bias"].high or 0.0) < 0:
            lines.append(
                "Assumption 1 of the paper fails on the pilot: labels are worse where only the "
                "better classifier is right, so they favour the worse one, and more labels an "
                "item can win."
            )
        if self.equal_labels:
            lines.append(
                "Labels were taken as equally good wherever the two differ (the paper's "
                "assumption 1 was not checked)."
            )
        elif not self.own_accuracies:
            lines.append(
                "Too few items differ with three labels or more to tell whether labels are worse "
                "where one of the two is right: they are taken as equally good (the paper's "
                "assumption 1 was not checked)."
            )
        if self.spread_fails:
            lines.append(
                "Assumption 2 of the paper fails on the pilot: difficulty varies more where only "
                "the worse classifier is right."
            )
        if self.spread_fails is None:
            lines.append(
                "Too few items differ with four labels or more to look at the paper's assumption 2."
            )
        lines += [f"Method 2 on the pilot: {text}" for text in self.failed_checks]
        if self.plan.pairing.categories > 2:
            lines.append(
                f"There are {self.plan.pairing.categories} labels; the paper's theorem is about "
                "two. Here wrong labels are taken to be spread evenly over the others."
            )
        own = [line for line in self.plan.unchecked() if "assumption" not in line]
        return (*lines, *own, *self.notes)

    def columns(self) -> dict[str, list[Any]]:
        """A row a plan, with the ends of the intervals."""
        columns = self.plan.columns()
        for name in ("probability", "items"):
            for end in ("low", "high"):
                known = [getattr(getattr(u, name), end) for u in self.uncertain]
                columns[f"{name}_{end}"] = known or [None] * len(self.plan.plans)
        return columns

    def to_dict(self) -> dict[str, Any]:
        """The plan's own keys, each offer with its `uncertainty`, and `pilot`."""
        told = self.plan.to_dict()
        for offer, unsure in zip(told["plans"], self.uncertain, strict=False):
            offer["uncertainty"] = unsure.to_dict()
        if self.uncertain:
            place = self.plan.plans.index(self.plan.best)
            told["best"]["uncertainty"] = self.uncertain[place].to_dict()
        told["pilot"] = {
            "better": self.better,
            "worse": self.worse,
            "items": self.items,
            "differing": self.differing,
            "quantities": {name: value.to_dict() for name, value in self.quantities.items()},
            "right_order": self.right_order,
            "misled": self.misled,
            "label_accuracies_apart": self.own_accuracies,
            "label_accuracy_varies": self.varies,
            "assumption_2_fails": self.spread_fails,
            "confidence": self.confidence,
            "samples": self.samples,
        }
        told["warnings"] = list(self.unchecked())
        return told


def _state(bias: Estimate) -> str:
    if (bias.low if bias.low is not None else -1.0) >= 0:
        return "holds on the pilot"
    return "fails on the pilot" if (bias.high or 0.0) < 0 else "is not contradicted by the pilot"


def _ends(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "unknown"
    return f"{chance(estimate.low)} and {chance(estimate.high)}"


def _item_ends(estimate: Estimate) -> str:
    low = f"{estimate.low:,.0f}" if estimate.low is not None else "any number of"
    high = f"{estimate.high:,.0f}" if estimate.high is not None else "more than a billion"
    return low if low == high else f"{low} to {high}"
