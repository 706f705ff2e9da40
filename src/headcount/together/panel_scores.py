"""Panels of the judges of a study, cross-fitted: their predictions for each item, and their scores.

Judges are read, weighed and selected without an item's own fold, whatever is then said of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, group_rows
from headcount.equivalence import MeasuredStudy
from headcount.frozen import frozen
from headcount.population import label_scores, score_of
from headcount.sampling.crossing import extended
from headcount.together.judge_pool import JudgePool, JudgeReading, PoolItems, evidence_of
from headcount.together.team_curve import Dealt, Team

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_MEMBERS = 12
"""Members up to which the best panels are looked for one by one: a thirteenth judge hardly tells,
and of 148 each step tries many."""


@frozen(eq=False)
class PanelReading:
    """How a panel answers about any item: its judges' readings, and how they are pooled."""

    readings: tuple[JudgeReading, ...]
    pool: JudgePool

    @classmethod
    def learn(cls, judges: Sequence[Classifier], counts: Ints, size: Floats) -> "PanelReading":
        """From all items at once, for items that are none of them."""
        readings = tuple(JudgeReading.learn(each, counts, size) for each in judges)
        items = _items(judges, readings, counts, size)
        return cls(readings, items.pool(range(len(judges))))

    def of(self, judges: Sequence[Classifier]) -> Floats:
        """How often people give each label (n, L), where the judges answer as they do."""
        said = [reading.of(judge) for reading, judge in zip(self.readings, judges, strict=True)]
        return self.pool.of(evidence_of(said, self.pool.base))


def _items(
    judges: Sequence[Classifier], readings: Sequence[JudgeReading], counts: Ints, size: Floats
) -> PoolItems:
    share = counts / counts.sum(axis=1, keepdims=True)
    said = [reading.of(judge) for reading, judge in zip(readings, judges, strict=True)]
    return PoolItems(evidence_of(said, size @ share / size.sum()), share, size)


@frozen(eq=False)
class PanelFolds:
    """Items that judges answered, by fold: what panels say of each, learned without its fold.

    Alike in answers and fold, items are one of C cells: `cell` (Q,) is that of each part, `fold`
    (C,), people's mean `share` (C, L), and how many items, `size` (C,). `evidence` (C, J, L) is
    read without a cell's own fold; `outside` has for each fold the items of all others, read
    without either fold: honest to the last, and no judge is trusted for what it was fitted to.
    """

    cell: Ints
    fold: Ints
    evidence: Floats
    share: Floats
    size: Floats
    outside: tuple[PoolItems, ...]

    @classmethod
    def of(
        cls, judges: Sequence[Classifier], counts: Ints, size: Floats, fold: Ints
    ) -> "PanelFolds":
        """Of parts with counts (Q, L), `size` (Q,) items each in a `fold` (Q,)."""
        share = counts / counts.sum(axis=1, keepdims=True)
        cells = group_rows(fold, *(each.outputs() for each in judges))
        held = np.bincount(cells.of_row, weights=size).astype(np.float64)
        summed = [np.bincount(cells.of_row, weights=size * each) for each in share.T]
        shares = np.column_stack(summed) / held[:, None]
        folds = fold[cells.first]
        known = np.unique(fold)
        own = np.empty((len(held), len(judges), counts.shape[1]))
        nested = [np.empty_like(own) for _ in known]
        for first, one in enumerate(known):
            start = None
            # With two folds there is nothing left outside both: what is outside one must do.
            for other in known[first:] if len(known) > 2 else known[first : first + 1]:
                kept = (fold != one) & (fold != other)
                readings = _readings(judges, counts, size, kept, start)
                start = readings if one == other else start
                base = size[kept] @ share[kept] / size[kept].sum()
                there = int(np.searchsorted(known, other))
                for place, into in ((one, nested[there]), (other, nested[first])):
                    rows = folds == place
                    here = cells.first[rows]
                    said = [
                        reading.of(judge.take(here))
                        for reading, judge in zip(readings, judges, strict=True)
                    ]
                    (own if one == other else into)[rows] = evidence_of(said, base)
        outside = []
        for each, evidence in zip(known, nested, strict=True):
            keep = folds != each
            read = (evidence if len(known) > 2 else own)[keep]
            outside.append(PoolItems(read, shares[keep], held[keep]))
        return cls(cells.of_row, folds, own, shares, held, tuple(outside))

    def of_pools(self, make: Iterable[list[JudgePool]], n: int) -> Floats:
        """What `n` pools of each fold in turn say of its own items, (n, Q, L)."""
        found = np.empty((n, *self.share.shape))
        for each, pools in zip(np.unique(self.fold), make, strict=True):
            own = self.fold == each
            for place, pool in enumerate(pools):
                found[place, own] = pool.of(self.evidence[own])
        return found[:, self.cell]

    def everything(self) -> PoolItems:
        """All items."""
        return PoolItems(self.evidence, self.share, self.size)


def _readings(
    judges: Sequence[Classifier],
    counts: Ints,
    size: Floats,
    kept: NDArray[np.bool_],
    start: Sequence[JudgeReading] | None,
) -> list[JudgeReading]:
    near = [None] * len(judges) if start is None else start
    return [
        JudgeReading.learn(judge.take(kept), counts[kept], size[kept], start=reading)
        for judge, reading in zip(judges, near, strict=True)
    ]


@frozen(eq=False)
class PanelsOfStudy:
    """A team's judges as panels: the parts of its items, and their folds."""

    team: Team
    judges: tuple[Classifier, ...]
    dealt: Dealt
    folds: PanelFolds

    @classmethod
    def of(cls, team: Team) -> "PanelsOfStudy":
        """Judges as given, in an order that their answers decide: names and columns do not."""
        judges, judged = team.found.given, team.found.judged
        counts = judged.counts
        in_turn = sorted(judges, key=lambda each: _answers_by_label(each, counts, judged.size))
        answers = group_rows(*(each.outputs() for each in in_turn)).of_row
        dealt = team.dealt(Classifier("", codes=answers))
        parts = tuple(each.take(dealt.row) for each in judges)
        folds = PanelFolds.of(parts, counts[dealt.row], dealt.size, dealt.fold)
        return cls(team, judges, dealt, folds)

    def best(self) -> tuple[list[JudgePool], Floats]:
        """The best panels of one, two, three, … judges: on all items, and cross-fitted (M, Q, L).

        Each fold's panels are selected outside it, and may be of other judges.
        """
        most = min(len(self.judges), MOST_MEMBERS)
        paths = [items.path(most) for items in self.folds.outside]
        return self.folds.everything().path(most), self.folds.of_pools(paths, most)

    def everyone(self) -> tuple[JudgePool, list[JudgePool], Floats]:
        """The panel of all judges: on all items, by fold, and what it says of each (Q, L)."""
        members = range(len(self.judges))
        pools = [items.pool(members) for items in self.folds.outside]
        said = self.folds.of_pools(([each] for each in pools), 1)[0]
        return self.folds.everything().pool(members), pools, said

    def without(self, pools: Sequence[JudgePool]) -> dict[int, Floats]:
        """What the panel says without each judge that has any weight, (Q, L) each.

        `pools` are those of all judges by fold: a judge without weight in any would not be missed.
        """
        members = range(len(self.judges))
        weighed = np.flatnonzero(np.max([each.weights for each in pools], axis=0) > 0)
        outside = self.folds.outside
        found = {}
        for judge in weighed:
            others = [each for each in members if each != judge]
            fewer = [
                items.pool(others, pool) if pool.weights[judge] else pool
                for items, pool in zip(outside, pools, strict=True)
            ]
            found[int(judge)] = self.folds.of_pools(([each] for each in fewer), 1)[0]
        return found

    def scores(self, said: Floats) -> tuple[Floats, Floats, Floats | None]:
        """The scores (M,) of predictions (M, Q, L), in samples (B, M), without raters (J, M)."""
        question = self.team.found.question
        score = score_of(question.scorer)
        assert score is not None
        return mean_scores(self.team, self.dealt, label_scores(said, score, question.clip))

    def as_classifier(self, name: str, said: Floats) -> tuple[Team, Classifier]:
        """The panel as one of the classifiers of a team whose rows are the parts."""
        found, row = self.team.found, self.dealt.row
        judged = replace(found.judged.take(row), size=self.dealt.size.astype(np.int64))
        first = self.judges[0]
        panel = Classifier(
            name,
            probabilities=said,
            answered=first.answered,
            out_of=first.out_of,
            reading="calibrated",
        )
        parts: MeasuredStudy = replace(
            found,
            judged=replace(judged, classifiers=(panel,)),
            given=(panel,),
            groups=replace(found.groups, of_row=found.groups.of_row[row]),
            read_counts=found.read_counts[row],
        )
        return replace(self.team, found=parts, pattern=self.team.pattern[row]), panel

    def error_correlation(self) -> float | None:
        """How far judges err alike: the mean correlation of the shares of people who disagree."""
        counts = self.team.found.judged.counts
        share = counts / counts.sum(axis=1, keepdims=True)
        rows = np.arange(len(counts))
        errors = []
        for each in self.judges:
            top = each.top()
            errors.append(np.where(top >= 0, 1 - share[rows, np.maximum(top, 0)], 1.0))
        table = np.cov(np.array(errors), aweights=self.team.found.judged.size)
        spread = np.sqrt(np.diag(table))
        told = np.flatnonzero(spread > _NO_SPREAD)
        if len(told) < 2:
            return None
        correlations = table[np.ix_(told, told)] / np.outer(spread[told], spread[told])
        n = len(told)
        return float((correlations.sum() - n) / (n * (n - 1)))


def _answers_by_label(judge: Classifier, counts: Ints, size: Ints) -> list[int]:
    """How often people gave each label where the judge decides for each, as one list."""
    top, weighed = judge.top(), counts * size[:, None]
    found: list[int] = []
    for each in range(-1, counts.shape[1]):
        found += weighed[top == each].sum(axis=0).tolist()
    return found


def mean_scores(team: Team, dealt: Dealt, scores: Floats) -> tuple[Floats, Floats, Floats | None]:
    """Means (M,) of the scores (M, Q, L) of people's answers, as `PanelsOfStudy.scores`."""
    found = team.found
    counts = found.judged.counts

    def means(of_rows: Ints) -> Floats:
        of_parts = of_rows[dealt.row]
        share = of_parts / np.maximum(of_parts.sum(axis=1, keepdims=True), 1)
        return np.column_stack(
            [dealt.mean_of_rows((share * each).sum(axis=1), len(of_rows)) for each in scores]
        )

    values, draws = found.in_samples(means(counts))
    if found.left is None or found.samples.part is not None:
        return values, draws, None
    # The items that people's curves without a rater are of: those with as many ratings left.
    upto = min(len(found.measured.curve.scores) - 1, int(counts.sum(axis=1).min()) - 2)
    if upto < 0:
        return values, draws, None
    parts = [
        means(own)[own.sum(axis=1) > upto].mean(axis=0) for own in found.samples.without(counts)
    ]
    return values, draws, extended(np.array(parts), values)


_NO_SPREAD = 1e-9
"""A judge that never errs, or always as much, goes with nobody."""
