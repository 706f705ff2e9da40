"""A promise is kept by a test: policies learned on two thirds of the items, tested on the last.

From the dearest policy to the cheapest each is tested on items that nothing was learned from, and
the last one before the first that fails is promised: that chain promises falsely in no more than
its level, however many policies it holds. Differences are paired by item, with items, their
clusters and raters as samples.
"""

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, Judged, deal_rows
from headcount.frozen import frozen
from headcount.population import Atoms, Dirichlets, Mixture, fit_population
from headcount.results import Estimate
from headcount.sameness import as_good
from headcount.sampling import Plan, Samples
from headcount.sampling.people import interval_from_error, rater_variance, total_variance
from headcount.together.asking import Asking, Learned, Outcome, Payoff, of_everyone, outcome_of
from headcount.together.cells import Cells, learn_cells
from headcount.together.predictors import Components, predict_by_cells, weights_by_cell
from headcount.together.survey_tables import SurveyTables

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_PARTS = 3
"""Parts that items, or their clusters, are dealt into: policies are learned on all but one."""

MOST_GROUPS = 12
"""Groups of raters left out in turn where there are more than twice as many raters: each is a
round of every policy's test."""


@frozen(eq=False)
class Judging:
    """Items that nothing was learned from: rows of `counts` (n, L), `size`, `cell`, and samples.

    `without` (J, n, L) are their counts without each rater, or group of raters, where raters are a
    sample.
    """

    counts: Ints
    size: Floats
    cell: Ints
    n_cells: int
    plan: Plan
    cluster: Ints | None
    without: Ints | None = None
    _kept: dict[tuple[bool, bool], SurveyTables] = field(default_factory=dict, init=False)

    def tables(self, *, cells: bool = True, without: bool = False) -> SurveyTables:
        """Their surveys, by cell or all together, which are kept.

        `without` each rater in turn the items come once for every one of them, one after the other.
        """
        if (cells, without) not in self._kept:
            own, size = self.counts, self.size
            cell, n_cells = (self.cell, self.n_cells) if cells else (np.zeros_like(self.cell), 1)
            if without:
                assert self.without is not None
                times = len(self.without)
                own = self.without.reshape(-1, own.shape[1])
                size, cell = np.tile(size, times), np.tile(cell, times)
            self._kept[cells, without] = SurveyTables.of(own, size, cell, n_cells)
        return self._kept[cells, without]

    def estimate(
        self, of_rows: Floats, without: Sequence[float] = (), confidence: float = 0.95
    ) -> Estimate:
        """The mean over items of what rows have (n,), with its interval."""
        total = self.size.sum()
        mean = float(self.size @ of_rows / total)
        off = of_rows - mean
        if self.cluster is None:
            items = float(self.size @ off**2) / total / max(total - 1, 1)
        else:
            sums = np.bincount(self.cluster, weights=self.size * off)
            n = len(sums)
            items = float((sums**2).sum()) / total**2 * n / max(n - 1, 1)
        raters = rater_variance(np.array(without)) if len(without) > 1 else 0.0
        plan = self.plan if len(without) > 1 else replace(self.plan, raters=None)
        error = float(np.sqrt(total_variance(items, raters)))
        # Groups of raters are fewer here than a plan would have.
        freedom = min(plan.freedom(), len(without) - 1.0) if len(without) > 1 else None
        return interval_from_error(mean, error, plan=plan, confidence=confidence, freedom=freedom)


@frozen(eq=False)
class Asker:
    """A classifier whose policies were `learned` with `cells`, and the items they are judged on.

    `limit` is the most answers of an item that the data can judge.
    """

    cells: Cells
    learned: Learned
    judging: Judging
    limit: int
    _kept: dict[Any, Any] = field(default_factory=dict, init=False)

    @classmethod
    def learn(
        cls,
        judged: Judged,
        given: Classifier,
        samples: Samples,
        mixture: Mixture,
        *,
        limit: int,
        as_answers: bool,
        seed: int,
    ) -> "Asker":
        """Learn on two thirds of the `judged` items; `mixture` is where a population starts."""
        row, size, learns = _dealt(judged, given, samples, seed)
        counts, on = judged.counts[row], given.take(row)
        cells = learn_cells(on.take(learns), counts[learns], size[learns])
        cell = cells.of(on)
        own = _population(counts[learns], size[learns], mixture)
        of_answers = as_answers and isinstance(own, Atoms)
        table = SurveyTables.of(counts[learns], size[learns], cell[learns], cells.n)
        with_it = predict_by_cells(table, [own], limit, as_answers=of_answers)
        nobody = SurveyTables.of(counts[learns], size[learns], np.zeros_like(cell[learns]), 1)
        alone = predict_by_cells(nobody, [own], limit)
        learned = Learned(tuple(q[0] for q in with_it), tuple(q[0] for q in alone))
        judging = _judging(counts, size, cell, cells.n, ~learns, row, samples)
        return cls(cells, learned, judging, limit)

    def promised(
        self, payoff: Payoff, *, most: int, than: int | None, at_least: float | None = None
    ) -> Asking | None:
        """The cheapest policy shown to be as good as `than` people asked about every item.

        Or whose score is shown to be `at_least` so much. None where none is.
        """
        chosen = None
        for asking in self.policies(payoff, most):
            if not self._holds(asking, payoff, than, at_least):
                break
            chosen = asking
        return chosen

    def within(self, payoff: Payoff, *, most: int, labels: float) -> Asking:
        """The dearest policy shown to ask no more than so many labels an item on average."""
        chosen = self.policies(payoff, most)[-1]
        for asking in reversed(self.policies(payoff, most)):
            asked = self.judging.estimate(self.outcome(asking, payoff).labels, confidence=0.9)
            if asked.high is None or not as_good(labels, asked.high, scale=1.0):
                break
            chosen = asking
        return chosen

    def policies(self, payoff: Payoff, most: int) -> list[Asking]:
        """Different policies of up to `most` answers an item, the dearest first."""
        key = ("policies", payoff, most)
        if key not in self._kept:
            self._kept[key] = self.learned.policies(payoff, most)
        found: list[Asking] = self._kept[key]
        return found

    def outcome(self, asking: Asking, payoff: Payoff) -> Outcome:
        """What a policy costs and brings on the items that it is judged on."""
        key = (asking, payoff)
        if key not in self._kept:
            predictions = self.learned.predictions
            self._kept[key] = outcome_of(asking, predictions, payoff, self.judging.tables())
        found: Outcome = self._kept[key]
        return found

    def everyone(self, payoff: Payoff, k: int) -> Floats:
        """The score of asking k people about every such item, without the classifier (n,)."""
        tables = self.judging.tables(cells=False)
        return of_everyone(self.learned.people[k], payoff, tables, k)

    def scores_without(
        self, asking: Asking, payoff: Payoff, than: int | None
    ) -> tuple[list[float], list[float]]:
        """The mean score of a policy, and what it leads so many people by, without each rater.

        Policies and people are cut one answer short: an item has one less to judge by.
        """
        judging = self.judging
        most = min(asking.most, int(judging.counts.sum(axis=1).min()) - 2)
        if judging.without is None or most < 0:
            return [], []
        weight = judging.size * (judging.without.sum(axis=2) > most)
        weight = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)

        def means(of_rows: Floats) -> Floats:
            found: Floats = (weight * of_rows.reshape(weight.shape)).sum(axis=1)
            return found

        short = Asking((*asking.asks[:most], np.zeros_like(asking.asks[most])), asking.price)
        tables = judging.tables(without=True)
        key = (payoff, asking.price, asking.most, most)
        if key not in self._kept:
            scores = outcome_of(short, self.learned.predictions, payoff, tables).scores
            self._kept[key] = means(scores)
        own = self._kept[key]
        if than is None:
            return own.tolist(), []
        k = min(than, most)
        if (payoff, k) not in self._kept:
            alone = judging.tables(cells=False, without=True)
            self._kept[payoff, k] = means(of_everyone(self.learned.people[k], payoff, alone, k))
        return own.tolist(), (own - self._kept[payoff, k]).tolist()

    def _holds(
        self, asking: Asking, payoff: Payoff, than: int | None, at_least: float | None
    ) -> bool:
        lead, bound = self.outcome(asking, payoff).scores, at_least or 0.0
        if than is not None:
            lead = lead - self.everyone(payoff, than)
        # One-sided at 95 %: the low end of an interval at 90 %. What items alone do not show is not
        # shown with raters as a sample beside them.
        found = self.judging.estimate(lead, confidence=0.9)
        if found.low is None or not as_good(found.low, bound, scale=1.0):
            return False
        of_raters, leads = self.scores_without(asking, payoff, than)
        found = self.judging.estimate(lead, of_raters if than is None else leads, 0.9)
        return found.low is not None and bool(as_good(found.low, bound, scale=1.0))


def _dealt(
    judged: Judged, given: Classifier, samples: Samples, seed: int
) -> tuple[Ints, Floats, NDArray[np.bool_]]:
    """Rows in parts (Q,), how many items each has, and which parts are learned on."""
    if samples.cluster is not None:
        n = int(samples.cluster.max()) + 1
        third = np.random.default_rng([seed, 36]).permutation(n) % _PARTS
        row = np.arange(len(judged.counts))
        return row, judged.size.astype(np.float64), third[samples.cluster] > 0
    numbered = np.arange(len(judged.counts)).astype(object)
    alone = replace(judged, classifiers=(given,), items=numbered)
    rows, (fold,) = deal_rows(alone, _PARTS, seed + 36)
    assert rows.items is not None
    return rows.items.astype(np.int64), rows.size.astype(np.float64), fold > 0


def _population(counts: Ints, size: Floats, start: Mixture) -> Mixture:
    """The population of the items that are learned from, and of no others."""
    if isinstance(start, Dirichlets):
        return fit_population(counts, size, start=start).mixture
    if counts.shape[1] == 2:
        return fit_population(counts, size).mixture
    table = SurveyTables.of(counts, size, np.zeros(len(counts), dtype=np.int64), 1)
    even = Components(replace(start, weights=np.full(len(start.weights), 1 / len(start.weights))),
                      np.arange(len(start.weights)))  # fmt: skip
    weights = weights_by_cell(even, table.patterns, table.held()[0])[0]
    return replace(start, weights=weights / weights.sum())


def _judging(
    counts: Ints,
    size: Floats,
    cell: Ints,
    n_cells: int,
    keep: NDArray[np.bool_],
    row: Ints,
    samples: Samples,
) -> Judging:
    items = max(int(size[keep].sum()), 1)
    if not samples.by_row:
        plan = Plan(items)
        return Judging(counts[keep], size[keep], cell[keep], n_cells, plan, None)
    # Looked at by the row, every row is one item.
    mask = np.zeros(len(row), dtype=bool)
    mask[row[keep]] = True
    order = np.flatnonzero(mask)
    place = np.empty(len(row), dtype=np.int64)
    place[row] = np.arange(len(row))
    at = place[order]
    those = samples.take(mask)
    without = None
    if those.plan.counts_raters and those.part is None:
        without = np.array(list(those.without(counts[at], most=MOST_GROUPS)))
    return Judging(counts[at], size[at], cell[at], n_cells, those.plan, those.cluster, without)
