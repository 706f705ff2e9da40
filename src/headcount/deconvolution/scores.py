"""Scores before and after people's slips are set aside, beside what an oracle would reach."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.deconvolution.flip_table import flip_sentence, flip_table
from headcount.deconvolution.rates import FlipRates
from headcount.errors import OptionError
from headcount.results import Cell, Estimate, Result, Table

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """One classifier (or the oracle) by one metric.

    `aggregated` is the score against the majority label, `raw` against every label as given,
    `adjusted` against primary labels; each with its bootstrap interval. `bound_low` and
    `bound_high` are the adjusted score at the 5th and 95th percentile of the flip rates, in
    rising order; None where the rates were given. `of_oracle` is the adjusted score as a
    share of the oracle's. `draws` (3, samples) are the bootstrap's aggregated, raw and
    adjusted scores.
    """

    name: str
    metric: str
    aggregated: Estimate
    raw: Estimate
    adjusted: Estimate
    bound_low: float | None
    bound_high: float | None
    of_oracle: Estimate
    draws: Floats = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The score as JSON-safe values."""
        return {
            "name": self.name,
            "metric": self.metric,
            "aggregated": self.aggregated.to_dict(),
            "raw": self.raw.to_dict(),
            "adjusted": self.adjusted.to_dict(),
            "bounds": {"low": self.bound_low, "high": self.bound_high},
            "of_oracle": self.of_oracle.to_dict(),
        }


@dataclass(frozen=True)
class Scores(Result):
    """Classifiers and the oracle by one or more metrics.

    `classifiers` and `oracle` hold a `Score` for each metric; `classifiers` is empty where the
    oracle alone was asked for. The oracle always says what most people say. Metrics that read
    probabilities have another ceiling, the `soft_oracle`, which says what share of people hold
    each label; it is there where a classifier gives probabilities, or where it was asked for.
    With a single classifier and a single metric, or the oracle
    and a single metric, `aggregated`, `raw`, `adjusted` and `of_oracle` are its estimates;
    otherwise pick one: `scores["model"]`, `scores["model", "f1"]`.
    """

    classifiers: tuple[Score, ...]
    oracle: tuple[Score, ...]
    flips: FlipRates
    items_used: int
    items_dropped: int
    positive: str | None
    confidence: float
    notes: tuple[str, ...] = ()
    soft_oracle: tuple[Score, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics' names."""
        return tuple(dict.fromkeys(score.metric for score in self.oracle))

    @property
    def aggregated(self) -> Estimate:
        """Against the majority label."""
        return self._only().aggregated

    @property
    def raw(self) -> Estimate:
        """Against every label as given."""
        return self._only().raw

    @property
    def adjusted(self) -> Estimate:
        """Against primary labels."""
        return self._only().adjusted

    @property
    def of_oracle(self) -> Estimate:
        """The adjusted score as a share of the oracle's."""
        return self._only().of_oracle

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The adjusted score at the 5th and 95th percentile of the flip rates."""
        only = self._only()
        return only.bound_low, only.bound_high

    def __getitem__(self, which: str | tuple[str, str]) -> Score:
        name, metric = which if isinstance(which, tuple) else (which, self.metrics[0])
        for score in self._all:
            if (score.name, score.metric) == (name, metric):
                return score
        names = dict.fromkeys(score.name for score in self._all)
        raise KeyError(
            f"no score of {name!r} by {metric!r}: there are {', '.join(names)} "
            f"by {', '.join(self.metrics)}"
        )

    def ceiling(self, metric: str) -> Score:
        """The best possible: the soft oracle's score where there is one, else the oracle's."""
        for score in self.soft_oracle:
            if score.metric == metric:
                return score
        return self["oracle", metric]

    def verdict(self) -> str:
        """How many people would agree, in one sentence."""
        metric = self.metrics[0]
        ceiling = self.ceiling(metric).adjusted
        if not self.classifiers:
            return _ceiling_sentence(self["oracle", metric], self.flips)
        best = max(
            (score for score in self.classifiers if score.metric == metric),
            key=lambda score: -np.inf if score.adjusted.value is None else score.adjusted.value,
        )
        if metric == "accuracy":
            return (
                f"{best.name} decides as {best.adjusted.text(percent=True)} of people would; "
                f"no classifier could pass {ceiling.text(percent=True)}."
            )
        return (
            f"{best.name} has an adjusted {metric} of {best.adjusted.text()}; "
            f"the best possible is {ceiling.text()}."
        )

    def tables(self) -> tuple[Table, ...]:
        """The scores, metric by metric, and the flip rates."""
        return (self._table(), *flip_table(self.flips))

    def assumptions(self) -> tuple[str, ...]:
        """What the adjusted scores rest on."""
        evenly = (
            "A slip lands on each of the other labels alike, and is as likely on every item of "
            "a stratum and for every rater."
        )
        return (
            flip_sentence(self.flips),
            *((evenly,) if self.flips.method != "none" else ()),
            "The raters stand for the people whose agreement is meant.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was left out, and what could not be computed."""
        undefined = {
            f"{score.name}, {score.metric}: {estimate.note}."
            for score in self._all
            for estimate in (score.aggregated, score.raw, score.adjusted)
            if estimate.note
        }
        return (*self.flips.notes, *self.notes, *sorted(undefined))

    def columns(self) -> dict[str, list[Any]]:
        """A row for each classifier and metric, then the oracles."""
        scores = self._all
        out: dict[str, list[Any]] = {
            "name": [score.name for score in scores],
            "metric": [score.metric for score in scores],
        }
        for view in ("aggregated", "raw", "adjusted", "of_oracle"):
            estimates: list[Estimate] = [getattr(score, view) for score in scores]
            out[view] = [estimate.value for estimate in estimates]
            out[f"{view}_low"] = [estimate.low for estimate in estimates]
            out[f"{view}_high"] = [estimate.high for estimate in estimates]
        out["bound_low"] = [score.bound_low for score in scores]
        out["bound_high"] = [score.bound_high for score in scores]
        return out

    def to_dict(self) -> dict[str, Any]:
        """The scores as JSON-safe values.

        `classifiers` and `oracle` list every score. Where there is only one to speak of, its
        `aggregated`, `raw`, `adjusted`, `bounds` and `of_oracle` stand at the top as well.
        """
        out: dict[str, Any] = {
            "items_used": self.items_used,
            "items_dropped": self.items_dropped,
            "positive": self.positive,
            "confidence": self.confidence,
            "flip_rate": self.flips.to_dict(),
            "classifiers": [score.to_dict() for score in self.classifiers],
            "oracle": [score.to_dict() for score in self.oracle],
            "soft_oracle": [score.to_dict() for score in self.soft_oracle],
            "notes": list(self.unchecked()),
        }
        asked = self.classifiers or self.oracle
        return out if len(asked) != 1 else asked[0].to_dict() | out

    @property
    def _all(self) -> tuple[Score, ...]:
        return (*self.classifiers, *self.oracle, *self.soft_oracle)

    def _only(self) -> Score:
        asked = self.classifiers or self.oracle
        if len(asked) != 1:
            which = ", ".join(f"[{score.name!r}, {score.metric!r}]" for score in asked[:4])
            raise OptionError(f"There are {len(asked)} scores here: pick one, such as {which}.")
        return asked[0]

    def _table(self) -> Table:
        scores = [score for metric in self.metrics for score in self._all if score.metric == metric]
        bounded = any(score.bound_low is not None for score in scores)
        heads = ["metric", "", "aggregated", "raw", "adjusted", *(["bounds"] if bounded else [])]
        rows = []
        for score in scores:
            row: list[Cell] = [
                score.metric,
                score.name,
                score.aggregated.value,
                score.raw.value,
                score.adjusted,
            ]
            if bounded:
                row.append(_range(score.bound_low, score.bound_high))
            rows.append((*row, _share(score.of_oracle)))
        return Table(
            "Scores against the majority label, all labels as given, and primary labels",
            (*heads, "of oracle"),
            tuple(rows),
        )


def _ceiling_sentence(oracle: Score, flips: FlipRates) -> str:
    metric, adjusted, raw = oracle.metric, oracle.adjusted, oracle.raw
    if flips.method == "none" and metric == "accuracy":
        return (
            f"At best {raw.text(percent=True)} of people would agree with a classifier's "
            "decisions, their slips included: no flip rate is known."
        )
    if metric == "accuracy":
        return (
            f"At best {adjusted.text(percent=True)} of people would agree with a classifier's "
            f"decisions: so many hold the majority's label ({raw.text(percent=True)} gave it)."
        )
    return (
        f"A classifier that always says what most people say has an adjusted {metric} of "
        f"{adjusted.text()} ({raw.text()} before slips are set aside)."
    )


def _range(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def _share(estimate: Estimate) -> Cell:
    return None if estimate.value is None else f"{100 * estimate.value:.1f} %"
