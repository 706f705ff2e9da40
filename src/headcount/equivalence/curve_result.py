"""The rater power curve as a result."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.crossing import falls
from headcount.equivalence.words import counted, digits_for, people
from headcount.errors import OptionError
from headcount.results import Cell, Estimate, Result, Table
from headcount.stats import Bootstrap, estimate_from_draws

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """What a curve was asked for and on which data: everything but the numbers.

    `raters` is K, the answers every used item has; the curve ends at K − `reference_raters`
    (at K where the label to predict comes from another pool). `clip` is None where the scorer
    takes no logarithm. `refitted` says whether the combiner learned anew in every bootstrap
    sample, None where it learns nothing.
    """

    combiner: str
    scorer: str
    clip: float | None
    raters: int
    reference_raters: int
    items_used: int
    items_dropped: int
    engine: str
    bootstrap: Bootstrap
    labels: tuple[str, ...]
    refitted: bool | None = None
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    undefined: str = "there is no value for these data"

    @property
    def tail(self) -> float:
        """The share of draws that an interval leaves out on each side."""
        return self.bootstrap.tail(self.items_used)


@dataclass(frozen=True)
class PowerCurve(Result):
    """How well surveys of 0, 1, 2, … raters predict one more rater.

    `values` (K,) scores and `draws` (B, K) their bootstrap, NaN where undefined; position k
    is a survey of k raters. `support` (K,) is the share of surveys that another item could
    have given too (a learned combiner backs off for the others, `backed_off` (K,) of them);
    `error` (K,) is the Monte-Carlo standard error where surveys were drawn, else 0.
    """

    asked: Asked
    values: Floats
    draws: Floats = field(repr=False)
    support: Floats = field(repr=False)
    backed_off: NDArray[np.int64] = field(repr=False)
    error: Floats = field(repr=False)

    @property
    def most(self) -> int:
        """The largest survey on the curve."""
        return len(self.values) - 1

    def score(self, raters: int) -> Estimate:
        """The score of a survey of `raters` raters."""
        self._check(raters)
        return self._estimate(self.values[raters], self.draws[:, raters])

    def gain(self, raters: int) -> Estimate:
        """What `raters` answers add to the score of none: c_k − c₀."""
        self._check(raters)
        return self._estimate(
            self.values[raters] - self.values[0], self.draws[:, raters] - self.draws[:, 0]
        )

    def with_confidence(self, confidence: float) -> "PowerCurve":
        """The same draws read at another confidence level."""
        bootstrap = replace(self.asked.bootstrap, confidence=confidence)
        return replace(self, asked=replace(self.asked, bootstrap=bootstrap))

    def not_monotone(self) -> tuple[int, ...]:
        """The k at which the curve is lower than at k − 1."""
        return falls(self.values)

    def verdict(self) -> str:
        """What the first and the last rater bring."""
        digits = digits_for(self.asked.scorer)
        last = self.score(self.most)
        if last.value is None or np.isnan(self.values[0]):
            return f"{self._who(self.most)} have {self.asked.scorer} {last.text(digits)}."
        total = self.values[-1] - self.values[0]
        said = (
            f"{self._who(self.most)} predict one more with {self.asked.scorer} "
            f"{last.text(digits)}, against {self.score(0).text(digits)} for none at all"
        )
        if total > 0 and self.most > 1 and self.values[1] > self.values[0]:
            said += f"; the first one brings {(self.values[1] - self.values[0]) / total:.0%} of it"
        return said + "."

    def tables(self) -> tuple[Table, ...]:
        """The curve, a row a survey size."""
        return (self.curve_table(),)

    def curve_table(self) -> Table:
        """The curve, a row a survey size."""
        columns = ["raters", self.asked.scorer, "gain"]
        show_support = bool((self.support < 1).any())
        drawn = bool((self.error > 0).any())
        columns += ["support"] * show_support + ["MC error"] * drawn
        rows: list[tuple[Cell, ...]] = []
        for k in range(self.most + 1):
            row: list[Cell] = [k, self.score(k), self.gain(k) if k else None]
            if show_support:
                row.append(f"{self.support[k]:.1%}")
            if drawn:
                row.append(float(self.error[k]) if self.error[k] else "exact")
            rows.append(tuple(row))
        return Table(
            f"Rater power curve ({self.asked.combiner} + {self.asked.scorer})",
            tuple(columns),
            tuple(rows),
            caption=self._caption(),
            digits=digits_for(self.asked.scorer),
        )

    def assumptions(self) -> tuple[str, ...]:
        """What the curve rests on."""
        return (
            "Raters are interchangeable: who answered is not used, only what was answered.",
            "Items are a random sample of the items that matter; intervals redraw them.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, dropped or drawn."""
        return (*self.asked.cautions, *self._falls_note(), *self.asked.notes)

    def columns(self) -> dict[str, list[Any]]:
        """The curve as columns."""
        scores = [self.score(k) for k in range(self.most + 1)]
        return {
            "raters": list(range(self.most + 1)),
            "score": [score.value for score in scores],
            "low": [score.low for score in scores],
            "high": [score.high for score in scores],
            "gain": [self.gain(k).value for k in range(self.most + 1)],
            "support": [float(share) for share in self.support],
        }

    def to_dict(self) -> dict[str, Any]:
        """The documented keys: what was used, and the curve point by point."""
        asked = self.asked
        return {
            "items_used": asked.items_used,
            "items_dropped": asked.items_dropped,
            "labels": list(asked.labels),
            "combiner": asked.combiner,
            "scorer": asked.scorer,
            "clip": asked.clip,
            "reference_raters": asked.reference_raters,
            "engine": asked.engine,
            "n_bootstrap": asked.bootstrap.samples,
            "confidence": asked.bootstrap.confidence,
            "seed": asked.bootstrap.seed,
            "refitted": asked.refitted,
            "monotone": not self.not_monotone(),
            "power_curve": [self._point(k) for k in range(self.most + 1)],
            "notes": list(self.unchecked()),
        }

    def _point(self, raters: int) -> dict[str, Any]:
        score = self.score(raters)
        point: dict[str, Any] = {
            "raters": raters,
            "score": score.value,
            "low": score.low,
            "high": score.high,
            "support": float(self.support[raters]),
            "gain": self.gain(raters).to_dict(),
            "backed_off": int(self.backed_off[raters]),
            "monte_carlo_error": float(self.error[raters]),
        }
        if score.note is not None:
            point["note"] = score.note
        return point

    def _estimate(self, value: float, draws: Floats) -> Estimate:
        return estimate_from_draws(
            float(value),
            draws,
            self.asked.tail,
            undefined=self.asked.undefined,
        )

    def _falls_note(self) -> tuple[str, ...]:
        down = self.not_monotone()
        if not down:
            return ()
        where = counted(down)
        return (
            f"The curve is not monotone: it falls at k = {where}; the equivalence is where it "
            "first rises above a score.",
        )

    def _caption(self) -> str:
        asked = self.asked
        against = (
            "one held-out rater"
            if asked.reference_raters == 1
            else f"the plurality of {asked.reference_raters} held-out raters"
        )
        items = f"{asked.items_used:,} items, scored against {against}"
        if not asked.bootstrap.samples:
            return items + "; no intervals were asked for."
        return (
            f"{items}; {asked.bootstrap.confidence:.0%} intervals from "
            f"{asked.bootstrap.samples:,} bootstrap samples of items."
        )

    def _who(self, raters: int) -> str:
        return people(raters, start=True)

    def _check(self, raters: int) -> None:
        if isinstance(raters, bool) or raters != int(raters) or not 0 <= raters <= self.most:
            raise OptionError(
                f"The curve has surveys of 0 to {self.most} raters; {raters!r} is not one."
            )
