"""The people behind a score: what they said about each item, and how often they slip."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from headcount.deconvolution.grouping import group_rows
from headcount.deconvolution.rates import FlipRates, Pooling
from headcount.deconvolution.retest import Evidence
from headcount.deconvolution.sharpen import primary_shares
from headcount.deconvolution.totals import totals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rows = NDArray[np.integer] | NDArray[np.bool_]


@dataclass(frozen=True)
class Jury:
    """Items as the scores see them, a row an item or a group of identical ones.

    `shares` (G, L) are the labels as given; `weight` (G,) is how much one item counts and
    `size` (G,) how many items a row stands for; `rate`, `low`, `high` (G,) are flip rates.
    `stratum`, `evidence` and `pooling` are there where a bootstrap can pool the rates anew.
    """

    shares: Floats
    size: Ints
    weight: Floats
    rate: Floats
    low: Floats
    high: Floats
    stratum: Ints | None = None
    evidence: Evidence | None = None
    pooling: Pooling | None = None

    @classmethod
    def of(cls, shares: Floats, weight: Floats, flips: FlipRates) -> "Jury":
        """Items with their flip rates, one row each."""
        ones = np.ones(len(shares), dtype=np.int64)
        return cls(
            shares,
            ones,
            weight,
            flips.rate,
            flips.low,
            flips.high,
            flips.stratum,
            flips.evidence,
            flips.pooling,
        )

    @property
    def n_items(self) -> int:
        """How many items the rows stand for."""
        return int(self.size.sum())

    def take(self, rows: Rows) -> "Jury":
        """Some of the rows, or rows several times."""
        return replace(
            self,
            shares=self.shares[rows],
            size=self.size[rows],
            weight=self.weight[rows],
            rate=self.rate[rows],
            low=self.low[rows],
            high=self.high[rows],
            stratum=None if self.stratum is None else self.stratum[rows],
            evidence=None if self.evidence is None else self.evidence.take(rows),
        )

    def grouped(self, *outputs: NDArray[np.generic]) -> tuple["Jury", Ints]:
        """Identical rows as one, and the position of the first of each.

        Rows are identical where the people and all the `outputs` (G, …) are. They come out
        ordered by content, so the order of the items never matters, not even to a bootstrap.
        """
        evidence = self.evidence
        columns = [
            *(np.round(part, 12) for part in (self.shares, self.weight, self.rate)),
            *(() if self.stratum is None else (self.stratum,)),
            *(() if evidence is None else (evidence.events, evidence.trials)),
            *outputs,
        ]
        first, kind = group_rows(columns)
        size = totals(kind, self.size, len(first))
        return replace(self.take(first), size=np.rint(size).astype(np.int64)), first

    def primary(self, rate: Floats | None = None) -> Floats:
        """The shares of people who hold each label, at the estimated rate or another."""
        return primary_shares(self.shares, self.rate if rate is None else rate)

    def redrawn_rates(self, draws: Ints) -> Floats | None:
        """Flip rates (B, G) pooled anew from the items that each bootstrap sample drew.

        `draws` (B, G) says how often each row was drawn. None where the rates were given.
        A sample without evidence on a stratum keeps the rate estimated from all the data.
        """
        if self.pooling is None or self.stratum is None or self.evidence is None:
            return None
        n_strata = len(self.pooling.donor)
        place = self.stratum[:, None] == np.arange(n_strata)
        events = draws @ (place * self.evidence.events[:, None])
        trials = draws @ (place * self.evidence.trials[:, None])
        rates: Floats = self.pooling.rates(events, trials)[:, self.stratum]
        return np.where(np.isnan(rates), self.rate, rates)
