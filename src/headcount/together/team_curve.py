"""The curve that also sees a classifier: how well k people and its answer predict one more person.

Four ways stand for choice, by what predicts held-out answers best over all k: cells with weights
of their own in the fitted population, cells whose answer counts as so many people's, the pool by
item, and people alone, so that a classifier never hurts. What was learned is held fixed in samples
of items, and without each rater.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, group_rows
from headcount.equivalence import FittedSurveys, MeasuredStudy, places
from headcount.frozen import frozen
from headcount.population import Atoms, Mixture, label_scores, score_of
from headcount.sameness import exceeds, scale_of
from headcount.sampling.crossing import extended
from headcount.together.cells import learn_cells
from headcount.together.item_pool import ItemPool
from headcount.together.matrix_scaling import MatrixScaling
from headcount.together.predictors import predict_by_cells
from headcount.together.survey_tables import SurveyTables, reach_of_tables

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

Way = Literal["cells", "answers", "pool", "people"]

_DEALT_ONE_BY_ONE = 1_000_000
"""Items up to which each is given its fold by itself: for more, groups of items are drawn from."""

_ENOUGH_IN_A_CELL = 200
"""Items a cell from which on the law of j + k holds for two labels: with 240 one person and k more
were worth 1 + k within .01, with 120 up to .07 less."""


@frozen(eq=False)
class TeamCurve:
    """Scores (K + 1,) of 0..K people with a classifier, in samples (B, K + 1), without raters.

    `way` is how they were put together; "people" says that the classifier's answer was of no
    help: people alone predict better than the best way to heed it, whose scores these are.
    `held_out` has the mean score of each way
    that was tried. `thin` tells that cells are so thin that what it adds may be more, `tells`
    that there are different answers, from which something could be learned.
    """

    name: str
    way: Way
    scores: Floats
    draws: Floats
    without: Floats | None
    held_out: dict[str, float]
    thin: bool
    tells: bool = True


@frozen(eq=False)
class Dealt:
    """Rows in parts by fold: the `row`, `fold` and `size` of each (Q,)."""

    row: Ints
    fold: Ints
    size: Floats

    def mean_of_rows(self, of_parts: Floats, n_rows: int) -> Floats:
        """The mean (n,) over each row's items of what its parts have (Q,)."""
        total = np.bincount(self.row, weights=self.size, minlength=n_rows)
        summed = np.bincount(self.row, weights=self.size * of_parts, minlength=n_rows)
        mean: Floats = summed / np.maximum(total, 1e-300)
        return mean


@frozen(eq=False)
class Team:
    """A measured study ready to see its classifiers with people, up to `most` of them.

    `mixtures` has for each fold the population that was fitted to the others: the people's own.
    """

    found: MeasuredStudy
    mixtures: tuple[Mixture, ...]
    fold_items: Floats
    pattern: Ints
    most: int

    @classmethod
    def of(cls, found: MeasuredStudy, most: int | None = None) -> "Team":
        """Of what was measured of a study; the curve goes as far as people's does in the data."""
        question, everyone = found.question, found.measured.everyone
        people = FittedSurveys.fit(found.measured.setup, everyone, ordered=question.ordered)
        folds = people.cross.folds
        items = np.zeros((len(everyone.counts), folds.n))
        np.add.at(items, (folds.row, folds.fold), folds.size)
        pattern = places(everyone.counts, found.read_counts)
        patterns = len(group_rows(found.judged.counts))
        asked = len(found.measured.curve.scores) - 1
        reach = reach_of_tables(patterns, 40 * folds.n, found.judged.labels.n, asked)
        upto = reach if most is None else min(reach, most)
        return cls(found, people.cross.mixtures, items, pattern, upto)

    def curves(self) -> Iterator[TeamCurve]:
        """One of each classifier."""
        read = {each.name: each for each in self.found.judged.classifiers}
        return (self.curve(each, read[each.name]) for each in self.found.given)

    def curve(self, given: Classifier, read: Classifier) -> TeamCurve:
        """Of one classifier, as `given` and as it is `read` for a worth: calibrated."""
        found = self.found
        counts, people = found.judged.counts, found.measured.curve
        dealt = self.dealt(given)
        ways = self._ways(given, read, dealt)
        tables = {name: way.rows(counts, self.most) for name, way in ways.items()}
        size = found.judged.size
        held_out: dict[str, float] = {}
        held_out |= {
            name: float((size @ each).mean() / size.sum()) for name, each in tables.items()
        }
        held_out["people"] = float(people.scores[: self.most + 1].mean())
        best = max(ways, key=lambda name: held_out[name])
        scale = scale_of(people.scores)
        scores, draws = found.in_samples(tables[best])
        tried = TeamCurve(
            given.name,
            best,
            scores,
            draws,
            self._without(ways[best], scores),
            held_out,
            ways[best].thin,
            tells=len(group_rows(given.outputs())) > 1,
        )
        helps = tried.tells and exceeds(held_out[best], held_out["people"], scale=scale)
        return tried if helps else replace(tried, way="people", thin=False)

    def dealt(self, classifier: Classifier) -> Dealt:
        """The folds that the population was fitted without, item by item.

        Of items alike in counts, which of them are in a fold is drawn in the order of what the
        classifier said: neither the order of rows nor other classifiers matter.
        """
        judged = self.found.judged
        by_name = np.argsort(np.array(judged.labels.names))
        said = classifier.outputs()
        said = said[:, by_name] if classifier.probabilities is not None else said
        order = np.lexsort([*said.T[::-1], self.pattern])
        rng = np.random.default_rng([self.found.question.options.seed, 35])
        n_folds = self.fold_items.shape[1]
        if judged.n_items <= _DEALT_ONE_BY_ONE:
            row = np.repeat(order, judged.size[order])
            fold = _one_by_one(self.fold_items, self.pattern[row], rng)
            parts, number = np.unique(row * n_folds + fold, return_counts=True)
            return Dealt(parts // n_folds, parts % n_folds, number.astype(np.float64))
        # Rows alike in both are drawn from as one: into how many they are cut must not matter.
        alike = group_rows(self.pattern[order], said[order], size=judged.size[order])
        left = np.rint(self.fold_items).astype(np.int64)
        numbers = np.zeros((len(alike), n_folds), dtype=np.int64)
        for each, size in enumerate(alike.size):
            of = left[self.pattern[order[alike.first[each]]]]
            numbers[each] = rng.multivariate_hypergeometric(of, size, method="marginals")
            of -= numbers[each]
        ends, folds = np.cumsum(judged.size[order]), np.cumsum(numbers.ravel())
        stops = np.unique(np.concatenate([ends, folds[folds > 0]]))
        row = order[np.searchsorted(ends, stops)]
        fold = np.searchsorted(folds, stops) % n_folds
        return Dealt(row, fold, np.diff(stops, prepend=0).astype(np.float64))

    def _ways(self, given: Classifier, read: Classifier, dealt: Dealt) -> "dict[Way, _Way]":
        of_parts = given.take(dealt.row)
        counts = self.found.judged.counts[dealt.row]
        vectors = self._vectors(given, read, counts, dealt)
        calibrated = given.probabilities is not None and counts.shape[1] > 2
        if calibrated:
            of_parts = replace(of_parts, probabilities=vectors)
        ways: dict[Way, _Way] = {"cells": self._by_cells(of_parts, counts, dealt, calibrated)}
        if all(isinstance(each, Atoms) for each in self.mixtures):
            ways["answers"] = self._by_cells(of_parts, counts, dealt, calibrated, as_answers=True)
        pool = ItemPool.learn(counts, dealt.size, dealt.fold, vectors, self.mixtures, self.most)
        if pool is not None:
            ways["pool"] = _ByPool(self, dealt, pool, thin=counts.shape[1] > 2)
        return ways

    def _vectors(self, given: Classifier, read: Classifier, counts: Ints, dealt: Dealt) -> Floats:
        """What the classifier says of each part, calibrated without its fold, (Q, L).

        As it is read for its worth; of vectors over more labels the better of that and the
        scaling of whole vectors.
        """
        own = read.probabilities
        assert own is not None
        own = own[dealt.row]
        if given.probabilities is None or given.reading == "calibrated" or counts.shape[1] == 2:
            return own
        said, scaled = given.probabilities[dealt.row], np.empty_like(own)
        for each in range(len(self.mixtures)):
            here = dealt.fold == each
            if here.any():
                scaling = MatrixScaling.fit(said[~here], counts[~here], dealt.size[~here])
                scaled[here] = scaling.of(said[here])
        share = counts / counts.sum(axis=1, keepdims=True)

        def held_out(q: Floats) -> float:
            return float(dealt.size @ (share * label_scores(q, "cross_entropy")).sum(axis=1))

        better = exceeds(held_out(scaled), held_out(own), scale=float(dealt.size.sum()))
        return scaled if better else own

    def _by_cells(
        self,
        classifier: Classifier,
        counts: Ints,
        dealt: Dealt,
        calibrated: bool,
        *,
        as_answers: bool = False,
    ) -> "_ByCells":
        cells = learn_cells(classifier, counts, dealt.size, calibrated=calibrated)
        cell = cells.of(classifier)
        n_folds = len(self.mixtures)
        tables = SurveyTables.of(counts, dealt.size, cell, cells.n, dealt.fold, n_folds)
        predictions = predict_by_cells(tables, self.mixtures, self.most, as_answers=as_answers)
        used = len(np.unique(cell))
        thin = counts.shape[1] > 2 or dealt.size.sum() < _ENOUGH_IN_A_CELL * used
        return _ByCells(self, dealt, cell, cells.n, predictions, bool(thin))

    def _without(self, way: "_Way", scores: Floats) -> Floats | None:
        """The scores (J, K + 1) without each rater, on the items that people's curves are of."""
        found = self.found
        if found.left is None or found.samples.part is not None:
            return None
        least = int(found.judged.counts.sum(axis=1).min())
        upto = min(self.most, least - 2)
        if upto < 0:
            return None
        parts = []
        for counts in found.samples.without(found.judged.counts):
            rated = counts.sum(axis=1) > upto
            parts.append(way.rows(counts, upto)[rated].mean(axis=0))
        return extended(np.array(parts), scores)


@frozen(eq=False)
class _ByCells:
    """Prediction by cells: `predictions` (F, B, R, L) for each k."""

    team: Team
    dealt: Dealt
    cell: Ints
    n_cells: int
    predictions: list[Floats]
    thin: bool

    def rows(self, counts: Ints, upto: int) -> Floats:
        """Expected scores (n, upto + 1) on each row's items, which have `counts` (n, L)."""
        of, question = self.dealt, self.team.found.question
        n_folds, score = len(self.team.mixtures), score_of(question.scorer)
        assert score is not None
        of_parts = counts[of.row]
        tables = SurveyTables.of(of_parts, of.size, self.cell, self.n_cells, of.fold, n_folds)
        found = np.empty((len(counts), upto + 1))
        for k in range(upto + 1):
            scores = label_scores(self.predictions[k], score, question.clip)
            found[:, k] = of.mean_of_rows(tables.score_of_parts(scores, k), len(counts))
        return found


@frozen(eq=False)
class _ByPool:
    """Prediction by the item."""

    team: Team
    dealt: Dealt
    pool: ItemPool
    thin: bool

    def rows(self, counts: Ints, upto: int) -> Floats:
        """Expected scores (n, upto + 1) on each row's items, which have `counts` (n, L)."""
        of, question = self.dealt, self.team.found.question
        score = score_of(question.scorer)
        assert score is not None
        of_parts = counts[of.row]
        columns = [self.pool.scores(of_parts, k, score, question.clip) for k in range(upto + 1)]
        return np.column_stack([of.mean_of_rows(each, len(counts)) for each in columns])


_Way = _ByCells | _ByPool


def _one_by_one(fold_items: Floats, pattern: Ints, rng: np.random.Generator) -> Ints:
    """A fold for each item, whose patterns come in order, from how many items of it each has."""
    items = np.rint(fold_items).astype(np.int64)
    n_folds = items.shape[1]
    slot_fold = np.repeat(np.tile(np.arange(n_folds), len(items)), items.ravel())
    slot_pattern = np.repeat(np.arange(len(items)), items.sum(axis=1))
    slot_fold = slot_fold[np.lexsort([rng.random(len(slot_fold)), slot_pattern])]
    first = np.cumsum(items.sum(axis=1)) - items.sum(axis=1)
    start = np.searchsorted(pattern, pattern)  # the first of the same pattern
    found: Ints = slot_fold[first[pattern] + np.arange(len(pattern)) - start]
    return found
