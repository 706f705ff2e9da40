"""Flip rates: pooled by stratum, with bounds, and what they were estimated from."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.deconvolution.flips import binomial_bounds, flip_rate, most_disagreement
from headcount.deconvolution.retest import Evidence
from headcount.deconvolution.strata import Strata
from headcount.deconvolution.totals import totals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Method = Literal["retest", "svd", "given", "none"]


@dataclass(frozen=True)
class Stratum:
    """Items with disagreement levels in [low, high) and what is known of their slips.

    `events` of `trials` is the pooled evidence (pairs that differ, or wrong predictions) and
    `observed` their ratio; None where the stratum had no evidence and took the flip rate of
    its nearest neighbour. `rate_low` and `rate_high` are the 5th and 95th percentile.
    """

    low: float
    high: float
    items: int
    items_with_evidence: int
    trials: int
    events: int
    observed: float | None
    rate: float
    rate_low: float
    rate_high: float

    def to_dict(self) -> dict[str, Any]:
        """The stratum as JSON-safe values."""
        return dict(vars(self))


@dataclass(frozen=True)
class FlipRates:
    """The flip rate of every item, `rate` (n,), with bounds `low` and `high` (n,).

    `method` says where they come from; "none" means that they could not be estimated and are
    all zero. `strata` describe pooled rates and are empty for given ones. `evidence`,
    `stratum` (n,) and `pooling` let a bootstrap pool the evidence of other samples the same way;
    `cut` and `by_stratum` (S,) give the rates of other items.
    """

    method: Method
    rate: Floats
    low: Floats
    high: Floats
    strata: tuple[Stratum, ...] = ()
    stratum: Ints | None = None
    evidence: Evidence | None = None
    pooling: "Pooling | None" = None
    facts: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()
    cut: Strata | None = None
    by_stratum: Floats | None = None

    def at(self, level: Floats) -> Floats:
        """The rates of other items with these levels of disagreement; pooled rates only."""
        assert self.cut is not None
        assert self.by_stratum is not None
        return self.by_stratum[self.cut.of(level)]

    @property
    def mean(self) -> float:
        """The mean flip rate over items."""
        return float(self.rate.mean()) if self.rate.size else 0.0

    @property
    def bounded(self) -> bool:
        """Whether the bounds say anything: given rates have none."""
        return self.method in ("retest", "svd")

    def to_dict(self) -> dict[str, Any]:
        """The flip rates as JSON-safe values, stratum by stratum."""
        out: dict[str, Any] = {
            "mean": self.mean,
            "method": self.method,
            "strata": [stratum.to_dict() for stratum in self.strata],
        }
        if self.bounded:
            out["mean_low"], out["mean_high"] = float(self.low.mean()), float(self.high.mean())
        return out | (self.facts or {})


@dataclass(frozen=True)
class Pooling:
    """How pooled evidence becomes a flip rate.

    `donor` (S,) is the stratum whose evidence each one uses, itself unless it has none.
    `n_labels` is the L of the retest formula; None takes the observed rate as it is.
    """

    donor: Ints
    n_labels: int | None

    def rates(self, events: Floats, trials: Floats) -> Floats:
        """Flip rates by stratum, shape (…, S); NaN where a donor has no trials."""
        e, t = events[..., self.donor], trials[..., self.donor]
        return self.convert(np.divide(e, t, out=np.full(t.shape, np.nan), where=t > 0))

    def convert(self, observed: Floats) -> Floats:
        """An observed rate as a flip rate."""
        return observed if self.n_labels is None else flip_rate(observed, self.n_labels)


def pooled(
    method: Method,
    level: Floats,
    evidence: Evidence,
    strata: Strata,
    *,
    n_labels: int | None,
    facts: dict[str, Any] | None = None,
) -> FlipRates:
    """Evidence pooled within strata of the disagreement level, as one flip rate each."""
    stratum = strata.of(level)
    events, trials, items, present = (
        totals(stratum, column, strata.n)
        for column in (evidence.events, evidence.trials, np.ones(len(level)), evidence.present)
    )
    pooling = Pooling(_donors(strata, trials), n_labels)
    rate = pooling.rates(events, trials)
    bounds = binomial_bounds(events[pooling.donor], trials[pooling.donor])
    low, high = pooling.convert(bounds[0]), pooling.convert(bounds[1])
    rows = tuple(
        Stratum(
            low=float(strata.edges[s]),
            high=float(strata.edges[s + 1]),
            items=int(items[s]),
            items_with_evidence=int(present[s]),
            trials=round(trials[s]),
            events=round(events[s]),
            observed=float(events[s] / trials[s]) if trials[s] else None,
            rate=float(rate[s]),
            rate_low=float(low[s]),
            rate_high=float(high[s]),
        )
        for s in range(strata.n)
        if items[s]
    )
    return FlipRates(
        method,
        rate[stratum],
        low[stratum],
        high[stratum],
        rows,
        stratum,
        evidence,
        pooling,
        facts,
        tuple(_remarks(rows, n_labels)),
        strata,
        rate,
    )


def _donors(strata: Strata, trials: Floats) -> Ints:
    """The nearest stratum with evidence, by the middle of the strata; the lower of equals."""
    middle = (strata.edges[1:] + strata.edges[:-1]) / 2
    able = np.flatnonzero(trials > 0)
    distance = np.abs(middle[:, None] - middle[able][None, :])
    nearest: Ints = able[np.round(distance, 9).argmin(axis=1)]
    return nearest


def _remarks(rows: tuple[Stratum, ...], n_labels: int | None) -> list[str]:
    remarks = []
    borrowed = [row for row in rows if row.observed is None]
    if borrowed:
        n = sum(row.items for row in borrowed)
        remarks.append(
            f"{len(borrowed)} of {len(rows)} strata ({n:,} items) have no evidence of their own "
            "and took the flip rate of the nearest stratum that has."
        )
    if n_labels is not None:
        limit = most_disagreement(n_labels)
        past = [row for row in rows if row.observed is not None and row.observed > limit]
        if past:
            remarks.append(
                f"In {len(past)} of {len(rows)} strata raters contradict themselves more often "
                f"than blind answers would ({limit:.2f}): the flip rate was cut to its limit there."
            )
    return remarks


def given(
    rate: Floats, method: Method = "given", notes: tuple[str, ...] = (), **facts: Any
) -> FlipRates:
    """Flip rates that were not estimated: no strata, no bounds."""
    return FlipRates(method, rate, rate, rate, facts=facts or None, notes=notes)
