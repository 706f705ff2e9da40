"""Flip rates: pooled over all items or by stratum, with bounds, and what they rest on."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.deconvolution.slips import Evidence, Trials, flip_rate, most_disagreement, totals
from headcount.deconvolution.strata import Strata
from headcount.frozen import frozen
from headcount.results import Cell, Record, Table, hidden, percent, record
from headcount.sampling.shares import binomial_bounds

Source = Literal["retest", "svd", "given", "none"]


@record
class Stratum(Record):
    """Answers at disagreement levels in [low, high) and what is known of their slips.

    `items` have such answers. `events` of `trials` is the pooled evidence (pairs that differ,
    or wrong predictions) and `observed` their ratio; None where the stratum had no evidence
    and took the flip rate of its nearest neighbour. `rate_low` and `rate_high` are the 5th and
    95th percentile.
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


@frozen
class Pooling:
    """How a sample's evidence becomes flip rates.

    `evidence` (n, S) is what every item tells of each stratum and `place` (n, L) the stratum of
    an answer of each label, (n, 1) where that is the item's. `donor` (S,) is the stratum
    whose evidence each one uses, itself unless it has none. `n_labels` is the L of the retest
    formula; None takes the observed rate as it is.
    """

    evidence: Evidence
    place: Ints
    donor: Ints
    n_labels: int | None

    @property
    def n_strata(self) -> int:
        """How many strata there are."""
        return len(self.donor)

    def rates(self, events: Floats, trials: Floats) -> Floats:
        """Flip rates by stratum, shape (…, S); NaN where a donor has no trials."""
        e, t = events[..., self.donor], trials[..., self.donor]
        return self.convert(np.divide(e, t, out=np.full(t.shape, np.nan), where=t > 0))

    def convert(self, observed: Floats) -> Floats:
        """An observed rate as a flip rate."""
        return observed if self.n_labels is None else flip_rate(observed, self.n_labels)

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "Pooling":
        """The pooling of some of the items."""
        return Pooling(self.evidence.take(rows), self.place[rows], self.donor, self.n_labels)


@record
class FlipRates(Record):
    """The flip rate of every item, `rate` (n,), with bounds `low` and `high` (n,).

    `method` says where they come from; "none" means that they could not be estimated and are
    all zero. `strata` describe pooled rates and are empty for given ones. `by_answer`
    (3, n, L) or (3, n, 1) holds the rate and its bounds behind an answer of each label, of
    which an item's rate is the mean. `pooling` lets a bootstrap pool other samples the same
    way; `cut` and `by_stratum` (S,) give the rates at other levels; `trials` (m,) and their
    `stratum` (m,) are what each rater told.
    """

    method: Source
    by_answer: Floats = hidden()
    rate: Floats = hidden()
    low: Floats = hidden()
    high: Floats = hidden()
    strata: tuple[Stratum, ...] = ()
    pooling: Pooling | None = hidden(default=None)
    facts: dict[str, Any] | None = hidden(default=None)
    notes: tuple[str, ...] = hidden(default=())
    cut: Strata | None = hidden(default=None)
    by_stratum: Floats | None = hidden(default=None)
    trials: Trials | None = hidden(default=None, compare=False)
    stratum: Ints | None = hidden(default=None, compare=False)

    also = ("mean", "mean_low", "mean_high", "facts")
    unfolded = ("facts",)

    def take(self, rows: Ints) -> "FlipRates":
        """The rates of some of the items, with what raters told of these."""
        place = np.full(len(self.rate), -1)
        place[rows] = np.arange(len(rows))
        trials, stratum = self.trials, self.stratum
        if trials is not None and stratum is not None:
            stratum = stratum[place[trials.item] >= 0]
            trials = trials.among(place)
        return replace(
            self,
            by_answer=self.by_answer[:, rows],
            rate=self.rate[rows],
            low=self.low[rows],
            high=self.high[rows],
            pooling=None if self.pooling is None else self.pooling.take(rows),
            trials=trials,
            stratum=stratum,
        )

    def without(self, stay: NDArray[np.bool_]) -> Floats:
        """The rates behind each answer, (n, L) or (n, 1), from the raters who `stay` (m,) alone.

        Given rates are anybody's; a stratum of which nobody else tells keeps its rate.
        """
        known = self.by_stratum
        if self.pooling is None or known is None or self.trials is None or self.stratum is None:
            whole: Floats = self.by_answer[0]
            return whole
        kept, n = stay[self.trials.rater], self.pooling.n_strata
        events, trials = (
            totals(self.stratum[kept], each[kept], n)
            for each in (self.trials.events, self.trials.trials)
        )
        rates = self.pooling.rates(events, trials)
        return np.where(np.isnan(rates), known, rates)[self.pooling.place]

    def at(self, level: Floats) -> Floats:
        """The rates at other levels of disagreement, any shape; pooled rates only."""
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

    @property
    def mean_low(self) -> float | None:
        """The mean of the lower bounds, where there are any."""
        return float(self.low.mean()) if self.bounded else None

    @property
    def mean_high(self) -> float | None:
        """The mean of the upper bounds, where there are any."""
        return float(self.high.mean()) if self.bounded else None

    def sentence(self) -> str:
        """Where the flip rates come from, as an assumption."""
        if self.method == "none":
            return "No slips are set aside: the flip rate could not be estimated and is taken as 0."
        return (
            f"An answer is not what the rater mostly holds with a chance of {self.mean:.3f} on "
            f"average ({_WORDS[self.method]})."
        )

    def memory(self) -> tuple[str, ...]:
        """Which way retests err where raters remember their first answer; nothing without them.

        Of second answers that are remembered none contradicts, so that r is (1 − m) times what it
        would be, and the flip rate about as much.
        """
        if self.method != "retest":
            return ()
        return (
            "Raters asked again have forgotten their first answer. Where they remember it the flip "
            f"rate is too low (if half of second answers are remembered, about {2 * self.mean:.3f} "
            f"is true and not {self.mean:.3f}), and shares of people who agree above one half are "
            "told too low.",
        )

    def tables(self) -> tuple[Table, ...]:
        """Flip rates by stratum; nothing for given rates."""
        if not self.strata:
            return ()
        retest = self.method == "retest"
        trials, observed = ("pairs", "differ") if retest else ("ratings", "mispredicted")
        return (
            Table(
                f"Flip rate by disagreement, the share of labels that are not the majority's "
                f"(mean over items {self.mean:.3f})",
                (
                    "disagreement",
                    "items",
                    "with retests" if retest else "with ratings",
                    trials,
                    observed,
                    "flip rate",
                    "5th to 95th percentile",
                ),
                tuple(_row(stratum) for stratum in self.strata),
                id="flip_rate",
            ),
        )


_WORDS = {
    "retest": "from retests: how often raters contradict themselves",
    "svd": "from matrix factorisation: how often a model of each rater is wrong",
    "given": "as given",
}


def pooled(
    method: Source,
    shares: Floats,
    place: Ints,
    evidence: Evidence,
    strata: Strata,
    *,
    n_labels: int | None,
    facts: dict[str, Any] | None = None,
    trials: Trials | None = None,
    stratum: Ints | None = None,
) -> FlipRates:
    """Evidence (n, S) pooled within strata, as one flip rate each.

    `place` (n, L) is the stratum behind an answer of each label, (n, 1) where it is the item's.
    `trials` (m,), of a `stratum` (m,) each, are what the evidence was summed from.
    """
    events, held = evidence.events.sum(axis=0), evidence.trials.sum(axis=0)
    pooling = Pooling(evidence, place, _donors(strata, held), n_labels)
    rate = pooling.rates(events, held)
    bounds = binomial_bounds(events[pooling.donor], held[pooling.donor])
    low, high = pooling.convert(bounds[0]), pooling.convert(bounds[1])
    given_by = shares > 0 if place.shape[1] > 1 else np.ones((len(shares), 1), dtype=bool)
    present = (evidence.trials > 0).sum(axis=0)
    items = [int(((place == s) & given_by).any(axis=1).sum()) for s in range(strata.n)]
    rows = tuple(
        Stratum(
            low=float(strata.edges[s]),
            high=float(strata.edges[s + 1]),
            items=items[s],
            items_with_evidence=int(present[s]),
            trials=round(held[s]),
            events=round(events[s]),
            observed=float(events[s] / held[s]) if held[s] else None,
            rate=float(rate[s]),
            rate_low=float(low[s]),
            rate_high=float(high[s]),
        )
        for s in range(strata.n)
        if items[s] or held[s]
    )
    by_answer = np.stack([rate[place], low[place], high[place]])
    means = (by_answer * (shares if place.shape[1] > 1 else 1.0)).sum(axis=2)
    return FlipRates(
        method,
        by_answer,
        rate=means[0],
        low=means[1],
        high=means[2],
        strata=rows,
        pooling=pooling,
        facts=facts,
        notes=tuple(_remarks(rows, n_labels)),
        cut=strata,
        by_stratum=rate,
        trials=trials,
        stratum=stratum,
    )


def given(
    rate: Floats, method: Source = "given", notes: tuple[str, ...] = (), **facts: Any
) -> FlipRates:
    """Flip rates that were not estimated: no strata, no bounds."""
    by_answer = np.broadcast_to(rate[None, :, None], (3, len(rate), 1))
    return FlipRates(method, by_answer, rate, rate, rate, facts=facts or None, notes=notes)


def level_name(low: float, high: float) -> str:
    """A stratum in words: "5 % to 10 %"."""
    if high >= 1:
        return "all levels" if low <= 0 else f"{percent(low, None)} or more"
    return f"{percent(low, None)} to {percent(high, None)}"


def _row(stratum: Stratum) -> tuple[Cell, ...]:
    return (
        level_name(stratum.low, stratum.high),
        stratum.items,
        stratum.items_with_evidence,
        stratum.trials,
        "–" if stratum.observed is None else f"{stratum.observed:.3f}",
        stratum.rate,
        f"{stratum.rate_low:.3f} to {stratum.rate_high:.3f}",
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
