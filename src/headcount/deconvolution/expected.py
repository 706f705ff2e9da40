"""Expected scores: every person's label is a row, weighted by how many hold it; no drawing.

A test set drawn from the primary labels has, in expectation, the weights p̂ on its labels, and
every scorer takes weights. Aggregated, raw and adjusted scores differ in the weights alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, Labels
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.outputs import Contender
from headcount.deconvolution.sharpen import majority_shares
from headcount.results import Progress, no_progress
from headcount.scorers import RowScorer, Scorer, Task, prediction_for
from headcount.scorers.ranking import RankingScorer, Ranks, area_of_ranks, over_labels
from headcount.stats import Bootstrap

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

VIEWS = ("aggregated", "raw", "adjusted")
BOUNDS = ("adjusted_low", "adjusted_high")
_BATCH_CELLS = 2_000_000
"""Weights held at a time: rows × bootstrap samples × labels."""


@dataclass(frozen=True)
class Metric:
    """A scorer with what it must be told: the positive label and the clip."""

    scorer: Scorer
    labels: Labels
    positive: int | None = None
    clip: float | None = None

    @property
    def name(self) -> str:
        """What people call it: agreement with people's labels is accuracy here."""
        return "accuracy" if self.scorer.name == "agreement" else self.scorer.name

    def __call__(self, prediction: NDArray[np.generic], label: Ints, weight: Floats) -> Floats:
        """The score under each of the weights (B, R)."""
        scores: Floats = self.scorer(
            prediction,
            label,
            weight,
            labels=self.labels,
            positive=self.positive,
            clip=self.clip,
        )
        return scores


@dataclass(frozen=True)
class Part:
    """Rows of a jury, and who is scored on them: contenders know these rows only."""

    rows: Ints
    contenders: tuple[Contender, ...]


Scored = dict[str, Floats]
"""Scores by view, each (contenders, metrics) or (contenders, metrics, samples)."""


def point_scores(jury: Jury, parts: Sequence[Part], metrics: Sequence[Metric]) -> list[Scored]:
    """Scores (contenders, metrics) of each part, the bounds of the adjusted view included."""
    truths = {
        **_truths(jury, None),
        "adjusted_low": jury.primary(jury.low),
        "adjusted_high": jury.primary(jury.high),
    }
    once = jury.size[None, :]
    scored = [_part_scores(jury, part, metrics, once, truths) for part in parts]
    return [{view: scores[..., 0] for view, scores in each.items()} for each in scored]


def bootstrap_scores(
    jury: Jury,
    parts: Sequence[Part],
    metrics: Sequence[Metric],
    plan: Bootstrap,
    *,
    progress: Progress = no_progress,
) -> list[Scored]:
    """Scores (contenders, metrics, samples) of each part, in samples of all the items.

    Flip rates that were pooled from evidence are pooled anew in each sample, so that the
    spread of the adjusted scores holds their uncertainty too.
    """
    batches: list[list[Scored]] = []
    for draws in _batches(jury, plan, progress):
        truths = _truths(jury, jury.redrawn_rates(draws))
        batches.append([_part_scores(jury, part, metrics, draws, truths) for part in parts])
    return [
        {
            view: np.concatenate(
                [
                    np.empty((len(part.contenders), len(metrics), 0)),
                    *(batch[p][view] for batch in batches),
                ],
                axis=-1,
            )
            for view in VIEWS
        }
        for p, part in enumerate(parts)
    ]


def _batches(jury: Jury, plan: Bootstrap, progress: Progress) -> Iterator[Ints]:
    rows = max(1, _BATCH_CELLS // max(jury.shares.size, 1))
    total = -(-plan.samples // rows)
    draws = plan.item_batches(jury.size, batch=rows)
    yield from progress(draws, total=total, description="Bootstrap of adjusted scores")


def _truths(jury: Jury, rates: Floats | None) -> dict[str, Floats]:
    return {
        "aggregated": majority_shares(jury.shares),
        "raw": jury.shares,
        "adjusted": jury.primary(rates),
    }


def _part_scores(
    jury: Jury, part: Part, metrics: Sequence[Metric], times: Ints, truths: dict[str, Floats]
) -> Scored:
    """Scores (contenders, metrics, B) of one part, items counted `times` (B, G)."""
    counted = times[:, part.rows] * jury.weight[part.rows]
    met = {view: truth[..., part.rows, :] for view, truth in truths.items()}
    scores = {view: np.empty((len(part.contenders), len(metrics), len(times))) for view in truths}
    for c, contender in enumerate(part.contenders):
        rows = _Rows(contender, counted)
        for view, truth in met.items():
            weighed = _Weighed(rows, truth, own=view == "aggregated")
            for m, metric in enumerate(metrics):
                scores[view][c, m] = weighed.score(metric)
    return scores


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class _Weighed:
    """A contender's rows and the weights of the labels they meet in one view.

    `truth` (G, L) or (B, G, L) are the labels' shares. Parts that several metrics need are
    worked out once.
    """

    rows: _Rows
    truth: Floats
    own: bool

    @property
    def contender(self) -> Contender:
        return self.rows.contender

    @property
    def _items(self) -> Floats:
        return self.rows.items

    def score(self, metric: Metric) -> Floats:
        """The score under each of the B weights."""
        if self.contender.hard_for(metric.scorer):
            return self._from_cells(metric)
        if isinstance(metric.scorer, RowScorer):
            return self._from_means(metric, metric.scorer)
        if isinstance(metric.scorer, RankingScorer):
            return over_labels(self._area, Task(metric.labels, metric.positive))
        return self._from_rows(metric)

    @cached_property
    def _labels(self) -> Floats:
        """The shares of the labels that each output row meets, (Q, L) or (B, Q, L)."""
        codes = self.contender.outputs.codes
        if self.own and self.contender.own_truth and codes is not None:
            said: Floats = (codes[:, None] == np.arange(self.truth.shape[-1])).astype(np.float64)
            return said
        return self.truth[..., self.contender.index, :]

    @cached_property
    def _cells(self) -> tuple[Ints, Ints, Floats]:
        """Answer, label and weight (B, cells): all that is left of the rows of hard answers."""
        codes = self.contender.outputs.top()
        n_labels = self.truth.shape[-1]
        answers = np.unique(codes)
        weight = np.empty((len(self._items), len(answers), n_labels))
        for a, answer in enumerate(answers):
            rows = codes == answer
            labels = self._labels[..., rows, :]
            if labels.ndim == 2:
                weight[:, a] = self._items[:, rows] @ labels
            else:
                weight[:, a] = np.einsum("bq,bql->bl", self._items[:, rows], labels)
        answer, label = np.repeat(answers, n_labels), np.tile(np.arange(n_labels), len(answers))
        return answer, label, weight.reshape(len(weight), -1)

    def _from_cells(self, metric: Metric) -> Floats:
        answer, label, weight = self._cells
        cells = Classifier(self.contender.name, codes=answer)
        return metric(prediction_for(cells, metric.scorer, metric.labels), label, weight)

    def _from_means(self, metric: Metric, scorer: RowScorer) -> Floats:
        """A mean of row scores: each item has an expected score, and those are averaged."""
        known = self.contender.row_scores
        if metric.name not in known:
            known[metric.name] = self._row_scores(metric, scorer)
        table = known[metric.name]
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

    def _row_scores(self, metric: Metric, scorer: RowScorer) -> Floats:
        """What each output row scores on meeting each label, (Q, L)."""
        told = self.contender.told(scorer, metric.labels)
        n_rows, n_labels = self._labels.shape[-2:]
        scores = scorer.rows(
            np.repeat(told, n_labels, axis=0),
            np.tile(np.arange(n_labels), n_rows),
            labels=metric.labels,
            positive=metric.positive,
            clip=metric.clip,
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

    def _from_rows(self, metric: Metric) -> Floats:
        """Any scorer at all: a row for each output and each label that anyone holds."""
        held = self._labels if self._labels.ndim == 2 else self._labels.max(axis=0)
        row, label = np.nonzero(held)
        told = self.contender.told(metric.scorer, metric.labels)
        weight = self._items[:, row] * self._labels[..., row, label]
        return metric(told[row], label, weight)
