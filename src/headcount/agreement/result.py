"""What `agreement` answers with."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.coefficients import Level
from headcount.agreement.contested import ContestedItem, observed_disagreement
from headcount.agreement.raters import Pairwise, RaterStanding
from headcount.data import Patterns
from headcount.results import Cell, Estimate, Result, Table, count
from headcount.stats import Bootstrap, estimate_from_draws

COEFFICIENTS = {
    "percent_agreement": ("percent agreement", "pairs of ratings on one item that are the same"),
    "kappa": ("kappa, chance 1/N", "beyond raters who pick labels evenly at random"),
    "fleiss_kappa": ("Fleiss's kappa", "beyond chance, by how often labels are used"),
    "krippendorff_alpha": ("Krippendorff's alpha", "beyond chance, weighing how labels differ"),
    "gwet_ac1": ("Gwet's AC1", "beyond chance, steady when one label is rare"),
}
"""Each coefficient's key, its name for people, and what it says."""

_SHOWN_RATERS = 10
_SHOWN_MATRIX = 8
_MATRIX_IN_JSON = 60
_FEW_ITEMS = 100


@dataclass(frozen=True)
class DisagreementBin:
    """How many items have a share of disagreeing pairs in (low, high]; the first bin is 0."""

    low: float
    high: float
    items: int


@dataclass(frozen=True, eq=False)
class Agreement(Result):
    """How much raters agree.

    `values` and `draws` hold every coefficient by key (draws of shape (samples,), NaN where
    a sample gave no value), with `alpha_nominal` and so on for each level the labels allow;
    `reasons` say why one has no value, where it has none. The coefficients themselves are
    estimates: `result.krippendorff_alpha.value`. `item_agreement` is percent agreement when
    every item counts the same. `raters_table` lists raters, least agreeing first;
    `pairwise` every pair of them; `contested` the items two more raters would most likely
    disagree on; `disagreement` how many items are how divided.
    """

    items: int
    items_compared: int
    raters: int | None
    ratings: int
    pairs: int
    labels: tuple[str, ...]
    level: Level
    plan: Bootstrap
    values: dict[str, float] = field(repr=False)
    reasons: dict[str, str] = field(repr=False)
    draws: dict[str, NDArray[np.float64]] = field(repr=False)
    item_agreement: float | None
    raters_table: tuple[RaterStanding, ...] = field(repr=False)
    pairwise: Pairwise | None = field(repr=False)
    contested: tuple[ContestedItem, ...] = field(repr=False)
    disagreement: tuple[DisagreementBin, ...] = field(repr=False)
    notes: tuple[str, ...] = field(repr=False)

    @property
    def percent_agreement(self) -> Estimate:
        """Share of pairs of ratings on the same item that agree."""
        return self.estimate("percent_agreement")

    @property
    def kappa(self) -> Estimate:
        """Kappa against chance 1/N for N labels."""
        return self.estimate("kappa")

    @property
    def fleiss_kappa(self) -> Estimate:
        """Fleiss's kappa, for ragged data too."""
        return self.estimate("fleiss_kappa")

    @property
    def krippendorff_alpha(self) -> Estimate:
        """Krippendorff's alpha at `level`."""
        return self.estimate("krippendorff_alpha")

    @property
    def gwet_ac1(self) -> Estimate:
        """Gwet's AC1."""
        return self.estimate("gwet_ac1")

    @property
    def alpha_by_level(self) -> dict[str, Estimate]:
        """Alpha at every level that the labels allow."""
        prefix = "alpha_"
        return {
            name.removeprefix(prefix): self.estimate(name)
            for name in self.values
            if name.startswith(prefix)
        }

    def estimate(self, name: str) -> Estimate:
        """The coefficient of that key with its interval."""
        one_item = self.items_compared == 1
        found = estimate_from_draws(
            self.values[name],
            () if one_item else self.draws[name],
            self.plan.tail(self.items_compared),
            undefined=self.reasons[name],
        )
        if one_item and found.value is not None:
            return found.with_note("one item only, so no interval")
        return found

    def at(self, confidence: float) -> "Agreement":
        """The same result with intervals of another confidence, from the same draws."""
        return replace(self, plan=replace(self.plan, confidence=confidence))

    def verdict(self) -> str:
        """How often two people agree, and what that is worth beyond chance."""
        share, alpha = self.percent_agreement, self.krippendorff_alpha
        if share.value is None:
            return f"Agreement cannot be measured: {share.note}."
        opening = (
            f"Two people asked about the same item agree {_percent(share)}; "
            f"Krippendorff's alpha is "
        )
        if alpha.value is None:
            return f"{opening}undefined: {alpha.note}."
        return f"{opening}{alpha.text(2)}, {_custom(alpha.value)}."

    def tables(self) -> tuple[Table, ...]:
        """The coefficients, the raters, the contested items."""
        tables = [self._coefficient_table()]
        if self.raters_table:
            tables.append(self._rater_table())
        if self.pairwise is not None and 2 < len(self.pairwise.raters) <= _SHOWN_MATRIX:
            tables.append(_matrix_table(self.pairwise))
        if self.contested:
            tables.append(_contested_table(self.contested))
        return tuple(tables)

    def assumptions(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        resampled = "items and raters" if self.plan.two_way else "items"
        sentences = [
            "Raters answered independently of each other, and each pair of ratings on an item "
            "is by two people.",
        ]
        if self.plan.samples:
            sentences.append(
                f"Intervals are for {100 * self.plan.confidence:g} % confidence, from "
                f"{self.plan.samples:,} bootstrap samples of {resampled}"
                + (
                    "; copies of one rater are never compared with each other."
                    if self.plan.two_way
                    else ": they speak of other items like these, rated by the same kind of crowd."
                )
            )
        return tuple(sentences)

    def unchecked(self) -> tuple[str, ...]:
        """What was left out, assumed or deserves a second look."""
        sentences = list(self.notes)
        single = self.items - self.items_compared
        if single:
            sentences.append(
                f"{single:,} of {self.items:,} items {'has' if single == 1 else 'have'} one rating "
                "only: nothing there can be compared."
            )
        share = self.percent_agreement.value
        by_item = self.item_agreement
        if share is not None and by_item is not None and abs(share - by_item) >= 0.005:
            sentences.append(
                "Items with more ratings have more pairs and so more weight in percent "
                f"agreement; if every item counted the same it would be {100 * by_item:.1f} %."
            )
        if 1 < self.items_compared < _FEW_ITEMS:
            sentences.append(
                f"With {self.items_compared} items to compare, intervals are a little too narrow."
            )
        others = [
            f"{estimate.value:.3f} {level}"
            for level, estimate in self.alpha_by_level.items()
            if level != self.level and estimate.value is not None
        ]
        if others and len(self.labels) > 2:
            sentences.append(
                f"Alpha is for {self.level} labels; taken otherwise it would be "
                f"{' and '.join(others)}."
            )
        return tuple(sentences)

    def columns(self) -> dict[str, list[Any]]:
        """The coefficients as columns."""
        found = [self.estimate(name) for name in COEFFICIENTS]
        return {
            "coefficient": list(COEFFICIENTS),
            "value": [estimate.value for estimate in found],
            "low": [estimate.low for estimate in found],
            "high": [estimate.high for estimate in found],
            "note": [estimate.note for estimate in found],
        }

    def to_dict(self) -> dict[str, Any]:
        """The documented keys, JSON-safe."""
        matrix = self.pairwise
        return {
            **{name: self.estimate(name).to_dict() for name in COEFFICIENTS},
            "level": self.level,
            "alpha_by_level": {
                level: estimate.to_dict() for level, estimate in self.alpha_by_level.items()
            },
            "items": self.items,
            "items_compared": self.items_compared,
            "raters": self.raters,
            "ratings": self.ratings,
            "pairs": self.pairs,
            "labels": list(self.labels),
            "confidence": self.plan.confidence,
            "bootstrap_samples": self.plan.samples,
            "two_way": self.plan.two_way,
            "raters_table": [
                standing.to_dict(self.plan.confidence) for standing in self.raters_table
            ],
            "pairwise": matrix.to_dict()
            if matrix is not None and len(matrix.raters) <= _MATRIX_IN_JSON
            else None,
            "contested": [item.to_dict() for item in self.contested],
            "disagreement": [
                {"low": each.low, "high": each.high, "items": each.items}
                for each in self.disagreement
            ],
            "notes": list(self.unchecked()),
        }

    def _coefficient_table(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for key, (name, says) in COEFFICIENTS.items():
            estimate = self.estimate(key)
            shown = f"{name}, {self.level}" if key == "krippendorff_alpha" else name
            remark = says if estimate.value is not None else str(estimate.note)
            rows.append((shown, estimate, remark))
        raters = "" if self.raters is None else f" by {count(self.raters, 'rater', 'raters')}"
        return Table(
            "How much people agree",
            ("coefficient", "estimate", "what it says"),
            tuple(rows),
            caption=f"{count(self.ratings, 'rating', 'ratings')} of "
            f"{count(self.items, 'item', 'items')}{raters}, "
            f"{count(self.pairs, 'pair', 'pairs')} to compare.",
        )

    def _rater_table(self) -> Table:
        confidence = self.plan.confidence
        shown = self.raters_table[:_SHOWN_RATERS]
        rows = tuple(
            (each.rater, each.ratings, each.estimate(confidence), each.compared) for each in shown
        )
        more = len(self.raters_table) - len(shown)
        return Table(
            "Raters who agree least with the others" if more else "Each rater against the others",
            ("rater", "ratings", "agreement with others", "answers compared with"),
            rows,
            caption=f"and {count(more, 'more rater', 'more raters')}" if more else "",
        )


def disagreement_bins(patterns: Patterns) -> tuple[DisagreementBin, ...]:
    """Items by their share of disagreeing pairs: none, then by tenths."""
    shares = observed_disagreement(patterns.counts)
    compared = ~np.isnan(shares)
    # Rounded up to tenths; rounding errors must not carry 0.3 into the next bin.
    tenth = np.ceil(np.round(10 * shares[compared], 9)).astype(np.int64)
    items = np.bincount(tenth, weights=patterns.items[compared], minlength=11)
    return tuple(
        DisagreementBin(max(t - 1, 0) / 10, t / 10, round(count)) for t, count in enumerate(items)
    )


def _percent(share: Estimate) -> str:
    return f"{share.text(percent=True)} of the time"


def _custom(alpha: float) -> str:
    if alpha >= 0.8:
        return "at or above the 0.8 that is customarily asked of reliable data"
    if alpha >= 2 / 3:
        return "between the customary 0.667 (tentative conclusions) and 0.8 (reliable data)"
    if alpha > 0:
        return (
            "below the customary 0.667: one person's label is not a truth to judge a classifier by"
        )
    return "no better than chance"


def _matrix_table(matrix: Pairwise) -> Table:
    rows = tuple((name, *row) for name, row in zip(matrix.raters, matrix.agreement(), strict=True))
    return Table("Agreement of each pair of raters", ("rater", *matrix.raters), rows)


def _contested_table(contested: tuple[ContestedItem, ...]) -> Table:
    return Table(
        "The most contested items",
        ("item", "ratings", "answers", "pairs that disagree", "two more would disagree"),
        tuple(
            (
                each.item,
                each.ratings,
                ", ".join(f"{label} × {count}" for label, count in each.counts.items()),
                each.disagreement,
                each.expected_disagreement,
            )
            for each in contested
        ),
        digits=2,
        caption="Ordered by the chance that two more raters would disagree.",
    )
