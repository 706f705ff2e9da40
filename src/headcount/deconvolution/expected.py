"""Expected scores: every person's label is a row, weighted by how many hold it; no drawing.

A test set drawn from the primary labels has, in expectation, the weights p̂ on its labels, and
every scorer takes weights. Aggregated, raw and adjusted scores differ in the weights alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.data import Classifier
from headcount.deconvolution.contenders import Contender, Part, ScoringRule
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.slips import majority_shares
from headcount.deconvolution.sources import Method
from headcount.frozen import frozen
from headcount.metrics import (
    RankingScorer,
    Ranks,
    RowScorer,
    Task,
    area_of_ranks,
    over_labels,
    prediction_for,
)
from headcount.results import Progress, no_progress
from headcount.sampling import Bootstrap, Plan, Sampled, sampled

View = Literal["aggregated", "raw", "adjusted", "adjusted_low", "adjusted_high"]
Scored = dict[View, Floats]
"""Scores by view, each (contenders, scorers) or (samples, contenders, scorers)."""

VIEWS: tuple[View, ...] = ("aggregated", "raw", "adjusted")


@frozen
class Truth:
    """The labels' shares in one view, (G, L) or (B, G, L), worked out when asked for.

    Labels as given are what they are. For labels held, `held` are shares fit to be labels of
    single items, and `on_average` shares that are right on average (signed), which the paper's
    method does without.
    """

    given: Floats | None = None
    jury: Jury | None = None
    rates: Floats | None = None
    method: Method = "paper"

    @cached_property
    def held(self) -> Floats:
        if self.given is not None:
            return self.given
        assert self.jury is not None
        return self.jury.held(self.rates)

    def behind(self, known: Floats, rows: Ints) -> Floats:
        """The labels held on some rows, from those `known` (3, rows, L) at three flip rates."""
        assert self.jury is not None
        assert self.jury.opinions is not None
        if self.rates is None:
            first: Floats = known[0]
            return first
        return self.jury.opinions.at(known, self.rates[..., rows, :])

    @cached_property
    def on_average(self) -> Floats | None:
        if self.given is not None or self.method == "paper":
            return None
        assert self.jury is not None
        return self.jury.unbiased(self.rates)


def point_scores(
    jury: Jury, parts: Sequence[Part], scorers: Sequence[ScoringRule], method: Method
) -> list[Scored]:
    """Scores (contenders, scorers) of each part, the bounds of the adjusted view included."""
    truths: dict[View, Truth] = {
        **_truths(jury, None, method),
        "adjusted_low": Truth(None, jury, jury.low, method),
        "adjusted_high": Truth(None, jury, jury.high, method),
    }
    once = jury.size[None, :]
    scored = [_part_scores(jury, part, scorers, once, truths) for part in parts]
    return [{view: scores[0] for view, scores in each.items()} for each in scored]


def sampled_scores(
    jury: Jury,
    parts: Sequence[Part],
    scorers: Sequence[ScoringRule],
    plan: Bootstrap,
    method: Method,
    *,
    samples: Sequence[Plan],
    clusters: Any = None,
    tables: Iterable[tuple[Jury, Sequence[Part]]] = (),
    elsewhere: tuple[Jury, Sequence[Part]] | None = None,
    progress: Progress = no_progress,
) -> list[dict[View, Sampled]]:
    """Scores (contenders, scorers) of each part, in samples of all the items and without raters.

    `samples` says what is a sample in each part. `tables` are the same parts without each rater;
    where that was done on a part of the items, `elsewhere` is that part with everyone there.
    Flip rates that were pooled from evidence are pooled anew in each sample, so that the
    spread of the adjusted scores holds their uncertainty too.
    """

    def statistic(draws: Ints) -> Mapping[str, Floats]:
        return of(jury, parts, draws, jury.redrawn_rates(draws))

    def of(jury: Jury, parts: Sequence[Part], times: Ints, rates: Floats | None) -> dict[str, Any]:
        truths = _truths(jury, rates, method)
        found = [_part_scores(jury, part, scorers, times, truths) for part in parts]
        return {f"{p} {view}": each[view] for p, each in enumerate(found) for view in VIEWS}

    def table(jury: Jury, parts: Sequence[Part]) -> dict[str, Any]:
        return of(jury, parts, jury.size[None], jury.rate[None])

    drawn = sampled(
        statistic,
        jury.size,
        plan=plan,
        samples=samples[-1],
        clusters=clusters,
        without=(table(*each) for each in tables),
        part=None if elsewhere is None else table(*elsewhere),
        width=2 * jury.shares.size,
        progress=progress,
        description="Bootstrap of adjusted scores",
    )
    return [
        {view: replace(drawn[f"{p} {view}"], samples=own) for view in VIEWS}
        for p, own in enumerate(samples)
    ]


def _truths(jury: Jury, rates: Floats | None, method: Method) -> dict[View, Truth]:
    return {
        "aggregated": Truth(majority_shares(jury.shares)),
        "raw": Truth(jury.said),
        "adjusted": Truth(None, jury, rates, method),
    }


def _part_scores(
    jury: Jury,
    part: Part,
    scorers: Sequence[ScoringRule],
    times: Ints,
    truths: Mapping[View, Truth],
) -> Scored:
    """Scores (B, contenders, scorers) of one part, items counted `times` (B, G)."""
    counted = times[:, part.rows] * jury.weight[part.rows]
    shape = (len(times), len(part.contenders), len(scorers))
    scores: Scored = {view: np.empty(shape) for view in truths}
    every = [_Rows(contender, counted) for contender in part.contenders]
    as_given = truths["raw"].held[part.rows]
    for view, truth in truths.items():
        shares: dict[bool, Floats] = {}
        for c, rows in enumerate(every):
            contender, weighed = rows.contender, dict[bool, _Weighed]()
            for m, scorer in enumerate(scorers):
                mean = not part.by_labels and scorer.on_average(contender)
                signed = mean and truth.on_average is not None
                if signed not in shares:
                    all_rows = truth.on_average if signed else truth.held
                    assert all_rows is not None
                    shares[signed] = all_rows[..., part.rows, :]
                if signed not in weighed:
                    met = shares[signed]
                    if truth.given is None and contender.held is not None:
                        met = truth.behind(contender.held, part.rows)
                    own = view == "aggregated"
                    weighed[signed] = _Weighed(rows, met, own=own, signed=signed)
                if signed and _same(weighed[signed].truth, as_given):
                    scores[view][:, c, m] = scores["raw"][:, c, m]
                else:
                    scores[view][:, c, m] = weighed[signed].score(scorer)
    return scores


def _same(one: Floats, other: Floats) -> bool:
    """Whether labels are those given: nobody slips."""
    return one is other or (one.shape == other.shape and bool((one == other).all()))


@frozen
class _Rows:
    """A contender's rows under the items' weights, `counted` (B, G): what all views share."""

    contender: Contender
    counted: Floats

    @cached_property
    def items(self) -> Floats:
        """The weight of each output row, (B, Q)."""
        index, portion = self.contender.index, self.contender.portion
        whole = len(index) == self.counted.shape[1] and bool((portion == 1).all())
        return self.counted if whole else self.counted[:, index] * portion

    @cached_property
    def in_order(self) -> Floats:
        """`items` with rows that give the same answer side by side."""
        return self.items[:, self.contender.by_answer.order]

    @cached_property
    def _running(self) -> dict[int, Floats]:
        return {}

    def ranked(self, label: int) -> tuple[Ranks, Floats]:
        """The rows ranked by their probability of a label, and the weight below each place."""
        ranks, probabilities = self.contender.ranks, self.contender.outputs.probabilities
        assert probabilities is not None
        if label not in ranks:
            ranks[label] = Ranks.of(probabilities[:, label])
        if label not in self._running:
            self._running[label] = ranks[label].running(self.items)
        return ranks[label], self._running[label]


@frozen
class _Weighed:
    """A contender's rows and the weights of the labels they meet in one view.

    `truth` (G, L) or (B, G, L) are the labels' shares, `signed` where they are right on average
    only; `own` tells that an oracle's own answer is the label. What several scorers need is
    worked out once.
    """

    rows: _Rows
    truth: Floats
    own: bool = False
    signed: bool = False

    @property
    def contender(self) -> Contender:
        return self.rows.contender

    @property
    def _items(self) -> Floats:
        return self.rows.items

    def score(self, scorer: ScoringRule) -> Floats:
        """The score under each of the B weights."""
        scores = self._scored(scorer)
        return scorer.within_bounds(scores) if self.signed else scores

    def _scored(self, scorer: ScoringRule) -> Floats:
        if self.contender.hard_for(scorer.rule):
            return self._from_cells(scorer)
        if isinstance(scorer.rule, RowScorer):
            return self._from_means(scorer, scorer.rule)
        if isinstance(scorer.rule, RankingScorer):
            return over_labels(self._area, Task(scorer.labels, scorer.positive))
        return self._from_rows(scorer)

    @cached_property
    def _labels(self) -> Floats:
        """The shares of the labels that each output row meets, (Q, L) or (B, Q, L)."""
        codes = self.contender.outputs.codes
        if self.own and self.contender.kind == "oracle" and codes is not None:
            said: Floats = (codes[:, None] == np.arange(self.truth.shape[-1])).astype(np.float64)
            return said
        return self.truth[..., self.contender.index, :]

    @cached_property
    def _cells(self) -> tuple[Ints, Ints, Floats]:
        """Answer, label and weight (B, cells): all that is left of the rows of hard answers."""
        n_labels, by_answer = self.truth.shape[-1], self.contender.by_answer
        answers, labels = by_answer.answers, self._labels[..., by_answer.order, :]
        weight = np.empty((len(self._items), len(answers), n_labels))
        for a, rows in enumerate(by_answer.rows):
            items, met = self.rows.in_order[:, rows], labels[..., rows, :]
            weight[:, a] = items @ met if met.ndim == 2 else np.einsum("bq,bql->bl", items, met)
        answer, label = np.repeat(answers, n_labels), np.tile(np.arange(n_labels), len(answers))
        return answer, label, weight.reshape(len(weight), -1)

    def _from_cells(self, scorer: ScoringRule) -> Floats:
        answer, label, weight = self._cells
        if self.signed and not isinstance(scorer.rule, RowScorer):
            weight = np.maximum(weight, 0.0)  # a sum over items: below zero by chance alone
        cells = Classifier(self.contender.name, codes=answer)
        return scorer(prediction_for(cells, scorer.rule, scorer.labels), label, weight)

    def _from_means(self, scorer: ScoringRule, rule: RowScorer) -> Floats:
        """A mean of row scores: each item has an expected score, and those are averaged."""
        known = self.contender.row_scores
        if scorer.name not in known:
            known[scorer.name] = self._row_scores(scorer, rule)
        table = known[scorer.name]
        held = self._labels.sum(axis=-1)
        expected = (self._labels * table).sum(axis=-1)
        if expected.ndim == 1:
            total, weight = self._items @ expected, self._items @ held
        else:
            total = np.einsum("bq,bq->b", self._items, expected)
            weight = np.einsum("bq,bq->b", self._items, held)
        scores: Floats = np.full(len(total), np.nan)
        np.divide(total, weight, out=scores, where=weight > 0)
        return scores

    def _row_scores(self, scorer: ScoringRule, rule: RowScorer) -> Floats:
        """What each output row scores on meeting each label, (Q, L)."""
        told = self.contender.told(rule, scorer.labels)
        n_rows, n_labels = self._labels.shape[-2:]
        scores = rule.rows(
            np.repeat(told, n_labels, axis=0),
            np.tile(np.arange(n_labels), n_rows),
            labels=scorer.labels,
            positive=scorer.positive,
            clip=scorer.clip,
        )
        return scores.reshape(n_rows, n_labels)

    def _area(self, label: int) -> Floats:
        """The area under the curve of one label: every item is ranked once for all views.

        An item's labels share its rank, so all its weight stands there, some of it with the
        label. What is left without the label is summed by itself: none must be exactly none.
        """
        ranks, running = self.rows.ranked(label)
        share = self._labels[..., label]
        held = np.flatnonzero(share if share.ndim == 1 else share.any(axis=0))
        with_label = self._items[:, held] * share[..., held]
        others = 1 - share
        without = (
            self._items @ others if others.ndim == 1 else np.einsum("bq,bq->b", self._items, others)
        )
        return area_of_ranks(ranks, held, with_label, without, running)

    def _from_rows(self, scorer: ScoringRule) -> Floats:
        """Any scorer at all: a row for each output and each label that anyone holds."""
        held = self._labels if self._labels.ndim == 2 else self._labels.max(axis=0)
        row, label = np.nonzero(held)
        told = self.contender.told(scorer.rule, scorer.labels)
        weight = self._items[:, row] * self._labels[..., row, label]
        return scorer(told[row], label, weight)
