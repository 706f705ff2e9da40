"""Survey equivalence as its paper prints it: subsets of raters' columns, each scored, averaged.

Algorithms 1 to 3 of Resnick, Kong, Schoenebeck and Weninger on a rating matrix: slow and sampled,
but they know raters by name. On full matrices and scores that are means of rows they agree with
`headcount.power_curve`, which makes them its cross-check; on matrices padded with blanks they
reproduce what the paper's own package does (docs/published-wikipedia.md).

    >>> import headcount as hc
    >>> made = hc.simulate.make("running-example", items=50, seed=1)
    >>> curve = curve_by_columns(
    ...     made.ratings.answers().matrix(), plan_for(made.ratings.labels, "abc", "brier")
    ... )
    >>> len(curve.score)
    10
"""

import math
import sys
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Labels, calibrate, group_rows, judge
from headcount.equivalence.combiners import (
    Combiner,
    Others,
    alike,
    resolve_combiner,
)
from headcount.equivalence.crossing import worth
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.metrics import (
    Rows,
    RowScorer,
    Scorer,
    prediction_for,
    resolve_scorer,
    rows_for,
    top_shares,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_CELLS = 4_000_000
"""Subset × item × label cells worked on at once: some 32 megabytes."""


@frozen
class ByColumns:
    """How the algorithms of the paper are run.

    `subsets` is the most subsets of raters taken for each k (and of reference raters, where
    `reference_raters` is more than one); `leave_out` keeps an item's own answers from a
    combiner that learns; `refit` lets it learn anew in each bootstrap sample.
    """

    labels: Labels
    combiner: Combiner
    scorer: Scorer
    reference_raters: int = 1
    subsets: int = 200
    leave_out: bool = True
    refit: bool = True
    positive: int | None = None
    clip: float | None = None
    seed: int = 0


def plan_for(labels: Labels, combiner: str, scorer: str, **options: Any) -> ByColumns:
    """The plan with a combiner and a scorer by their names; `options` are its other fields."""
    named = resolve_combiner(combiner, n_labels=labels.n)
    return ByColumns(labels, named, resolve_scorer(scorer), **options)


@frozen
class ColumnCurve:
    """The curve by columns, for k = 0, 1, …, K − 1 raters.

    `score` (K,), NaN where undefined; `draws` (B, K) the same in each bootstrap sample;
    `subsets` (K,) how many subsets each score is the mean of; `error` (K,) the standard error
    from drawing subsets, 0 where all of them were taken.
    """

    score: Floats
    draws: Floats
    subsets: Ints
    error: Floats


def worth_by_columns(
    ratings: Any,
    predictions: Any,
    *,
    positive: str | None = None,
    max_raters: int | None = None,
    calibrated: bool = True,
) -> dict[str, float]:
    """How many columns of raters each classifier is worth, by abc and cross-entropy."""
    judged, answers = judge(ratings, predictions, positive=positive), ratings.answers()
    assert judged.items is not None
    row = {item: place for place, item in enumerate(answers.items)}
    matrix = answers.matrix()[[row[item] for item in judged.items]]
    plan = plan_for(judged.labels, "abc", "cross_entropy")
    curve = curve_by_columns(matrix, plan, max_raters=max_raters).score
    read = calibrate(judged) if calibrated else judged
    wanted = "calibrated" if calibrated else "given"
    found = {}
    for each in read.classifiers:
        if each.reading == wanted:
            prediction = prediction_for(each, plan.scorer, plan.labels)
            score, _ = score_by_columns(prediction, matrix, plan)
            found[each.name] = float(worth([score], curve[None])[0])
    return found


def curve_by_columns(
    answers: NDArray[np.integer],
    plan: ByColumns,
    *,
    max_raters: int | None = None,
    draws: NDArray[np.integer] | None = None,
) -> ColumnCurve:
    """The power curve of the columns of `answers` (N, J), −1 where a rater gave no answer.

    k raters are k *columns*: where columns are padded with blanks they are fewer people than
    that, which is how the paper's figure for Wikipedia came about. `draws` (B, N) says how
    often each bootstrap sample holds each item. The curve ends where `reference_raters`
    columns are left to be scored against, or with `max_raters` columns in all.
    """
    matrix = Matrix.of(answers, plan.labels.n)
    columns = matrix.n_raters if max_raters is None else max_raters
    if not plan.reference_raters < columns <= matrix.n_raters:
        raise OptionError(
            f"The curve needs more columns than reference raters and has {matrix.n_raters}: "
            f"choose max_raters from {plan.reference_raters + 1} to {matrix.n_raters}."
        )
    weight = _with_samples(matrix, draws)
    points = range(columns - plan.reference_raters + 1)
    score, subsets, error = zip(*(_point(matrix, plan, k, weight) for k in points), strict=True)
    by_sample = np.stack(score, axis=1)
    return ColumnCurve(by_sample[0], by_sample[1:], np.array(subsets), np.array(error))


def score_by_columns(
    prediction: NDArray[np.generic],
    answers: NDArray[np.integer],
    plan: ByColumns,
    *,
    draws: NDArray[np.integer] | None = None,
) -> tuple[float, Floats]:
    """A classifier's score: the mean of its scores against each column, and in each sample.

    `prediction` has a row an item, in the form the scorer takes.
    """
    matrix = Matrix.of(answers, plan.labels.n)
    every = np.arange(matrix.n_items)
    rows = Rows(np.asarray(prediction), every, np.ones(matrix.n_items))
    predicted = ScoredCases(rows, np.ones(matrix.n_items, dtype=bool), plan)
    references = reference_columns(matrix.said, _panels(np.arange(matrix.n_raters), plan))
    scores = mean_column_score(predicted, every, references, _with_samples(matrix, draws))
    return float(scores[0]), scores[1:]


@frozen
class Matrix:
    """A rating matrix: `said[j, i, ℓ]` is 1 where rater j gave item i the label ℓ.

    `patterns` (G, L) are the distinct label counts of the items and `pattern` (N,) says which
    one each item has.
    """

    said: NDArray[np.int16]
    patterns: Ints
    pattern: Ints

    @classmethod
    def of(cls, answers: NDArray[np.integer], n_labels: int) -> "Matrix":
        """From items × raters label positions, −1 where a rater did not rate the item."""
        said = (answers.T[:, :, None] == np.arange(n_labels)).astype(np.int16)
        counts = said.sum(axis=0, dtype=np.int64)
        groups = group_rows(counts)
        return cls(said, counts[groups.first], groups.of_row)

    @property
    def n_raters(self) -> int:
        """How many columns there are."""
        return len(self.said)

    @property
    def n_items(self) -> int:
        """How many rows there are."""
        return len(self.pattern)


@frozen
class Cases:
    """The distinct (survey, item's pattern) pairs among all subsets.

    `surveys` (C, L) and `pattern` (C,) describe them; `index` (S, N) says which case each
    subset makes of each item.
    """

    surveys: Ints
    pattern: Ints
    index: Ints

    @classmethod
    def of(cls, matrix: Matrix, subsets: Ints) -> "Cases":
        """What each subset of columns says about each item; blanks say nothing."""
        shape = (len(subsets), *matrix.said.shape[1:])
        surveys = np.zeros(shape, dtype=np.int16)
        for column in subsets.T:
            surveys += matrix.said[column]
        flat = surveys.reshape(-1, shape[2])
        pattern = np.broadcast_to(matrix.pattern, shape[:2]).ravel()
        groups = group_rows(pattern, flat)
        return cls(
            flat[groups.first].astype(np.int64),
            pattern[groups.first],
            groups.of_row.reshape(shape[:2]),
        )


def rater_subsets(raters: int, k: int, *, limit: int, rng: np.random.Generator) -> Ints:
    """Subsets of k of the raters 0..`raters` − 1, shape (S, k), each in rising order.

    All of them where there are at most `limit`; otherwise `limit` different ones, drawn.
    """
    if math.comb(raters, k) <= limit:
        return np.array([*combinations(range(raters), k)], dtype=np.int64)
    found: dict[bytes, Ints] = {}
    while len(found) < limit:
        drawn = rng.permuted(np.tile(np.arange(raters), (limit, 1)), axis=1)[:, :k]
        for subset in np.sort(drawn, axis=1):
            found.setdefault(subset.tobytes(), subset)
            if len(found) == limit:
                break
    return np.array([*found.values()], dtype=np.int64)


def _with_samples(matrix: Matrix, draws: NDArray[np.integer] | None) -> Floats:
    """Weights of the items (1 + B, N): once each, and then as often as they were drawn."""
    samples = np.zeros((0, matrix.n_items)) if draws is None else np.asarray(draws, dtype=float)
    return np.concatenate([np.ones((1, matrix.n_items)), samples])


def _point(matrix: Matrix, plan: ByColumns, k: int, weight: Floats) -> tuple[Floats, int, float]:
    """Scores (1 + B,) of k raters, the number of subsets, and their Monte-Carlo error."""
    rng = np.random.default_rng([plan.seed, 0, k])
    chosen = rater_subsets(matrix.n_raters, k, limit=plan.subsets, rng=rng)
    cases = Cases.of(matrix, chosen)
    scores = np.empty((len(chosen), len(weight)))
    for together in _sharing_a_fit(plan, k, len(weight)):
        predicted, case = _predicted(matrix, cases, plan, weight[together[0]])
        scores[:, together] = _subset_scores(
            matrix, plan, predicted, case, chosen, weight[together]
        )
    whole = scores[:, 0][~np.isnan(scores[:, 0])]
    error = _monte_carlo_error(whole, math.comb(matrix.n_raters, k))
    return _mean_of_defined(scores, axis=0), len(chosen), error


def _monte_carlo_error(scores: Floats, population: int) -> float:
    """Standard error of the mean over drawn subsets; 0 where all of them were taken."""
    if len(scores) >= population or len(scores) < 2:
        return 0.0
    spared = 1 - len(scores) / population
    return float(np.std(scores, ddof=1) * math.sqrt(spared / len(scores)))


def _sharing_a_fit(plan: ByColumns, k: int, samples: int) -> list[Ints]:
    """Which weight vectors share one fit of the combiner; the first of each is fitted to."""
    everything = np.arange(samples)
    if plan.refit and plan.combiner.learns(k):
        return [everything[[sample]] for sample in everything]
    return [everything]


def _panels(unused: Ints, plan: ByColumns) -> Ints:
    """Panels of reference raters among the unused columns, (J, r).

    Single columns are all used, however many there are; only panels are limited.
    """
    rng = np.random.default_rng([plan.seed, 1, len(unused)])
    limit = sys.maxsize if plan.reference_raters == 1 else plan.subsets
    return unused[rater_subsets(len(unused), plan.reference_raters, limit=limit, rng=rng)]


@frozen
class ScoredCases:
    """Predictions for some cases, as the scorer takes them, and how to score them.

    `rows` stand for the cases in order; `known` (C,) is False where there was nothing to
    predict from.
    """

    rows: Rows
    known: NDArray[np.bool_]
    plan: ByColumns

    @cached_property
    def table(self) -> Floats:
        """Scores of each case against each label, (C, L), for decomposable scorers."""
        plan = self.plan
        assert isinstance(plan.scorer, RowScorer)
        scores = plan.scorer.against_every_label(
            self.rows.prediction, labels=plan.labels, positive=plan.positive, clip=plan.clip
        )
        columns = [
            np.bincount(self.rows.index, weights=column, minlength=len(self.known))
            for column in (scores * self.rows.share[:, None]).T
        ]
        return np.where(self.known[:, None], np.stack(columns, axis=1), 0.0)


def _predicted(
    matrix: Matrix, cases: Cases, plan: ByColumns, weight: Floats
) -> tuple[ScoredCases, Ints]:
    """What the combiner, fitted to weighted items, says of each case; and each item's case (S, N).

    All copies of an item are left out for itself, so the prediction depends on how many there
    are. An item that was not drawn has none.
    """
    copies = np.unique(weight)
    place = cases.index * len(copies) + np.searchsorted(copies, weight)
    items = np.bincount(matrix.pattern, weights=weight, minlength=len(matrix.patterns))
    surveys = np.repeat(cases.surveys, len(copies), axis=0)
    own = np.repeat(cases.pattern, len(copies))
    left_out = np.tile(copies, len(cases.surveys)) * plan.leave_out
    # A copy more than the pattern holds cannot occur; it must not make a sum negative.
    left_out = np.minimum(left_out, items[own])
    others = Others(matrix.patterns, items, own, left_out, reference=plan.reference_raters)
    given = plan.combiner(surveys, others, labels=plan.labels)
    if plan.scorer.scale_free:
        times = np.bincount(
            place.ravel(), weights=np.tile(weight, len(place)), minlength=len(surveys)
        )
        given = alike(given, surveys, times.astype(np.float64))
    known: NDArray[np.bool_] = ~np.isnan(given.reshape(len(given), -1).sum(axis=1))
    safe = np.where(known.reshape(-1, *[1] * (given.ndim - 1)), given, 1.0)
    rows = rows_for(safe, plan.combiner.produces, plan.scorer, plan.labels)
    return ScoredCases(rows, known, plan), place


def _subset_scores(
    matrix: Matrix,
    plan: ByColumns,
    predicted: ScoredCases,
    case: Ints,
    chosen: Ints,
    weight: Floats,
) -> Floats:
    """The score of each subset against the columns it left unused, (S, B)."""
    unused = np.ones((len(chosen), matrix.n_raters), dtype=bool)
    np.put_along_axis(unused, chosen, False, axis=1)
    if plan.scorer.decomposable and plan.reference_raters == 1 and len(weight) == 1:
        only = _mean_single_columns(predicted, case, matrix.said, unused, weight[0])
        return only[:, None]
    panels = [_panels(np.flatnonzero(columns), plan) for columns in unused]
    return np.stack(
        [
            mean_column_score(predicted, row, reference_columns(matrix.said, panel), weight)
            for row, panel in zip(case, panels, strict=True)
        ]
    )


def reference_columns(said: NDArray[np.int16], panels: Ints) -> Floats:
    """What predictions are scored against, (J, N, L): the share of each label in each item.

    `panels` (J, r) are columns: the label is the one column's, or the plurality of r of them;
    zero where nobody of them rated the item.
    """
    if panels.shape[1] == 1:
        return said[panels[:, 0]].astype(np.float64)
    votes = np.stack([said[panel].sum(axis=0, dtype=np.int64) for panel in panels])
    shares: Floats = top_shares(votes) * (votes.sum(axis=2, keepdims=True) > 0)
    return shares


def _mean_single_columns(
    predicted: ScoredCases,
    case: Ints,
    said: NDArray[np.int16],
    unused: NDArray[np.bool_],
    weight: Floats,
) -> Floats:
    """`mean_column_score` of many subsets at once, for row scores and single columns: (S,).

    `case` (S, N), `unused` (S, J), item weights (N,). Column sums are one matrix product.
    """
    columns = said * weight[:, None]
    flat = columns.reshape(len(said), -1).T
    rated_items = columns.sum(axis=2).T
    means = np.full(unused.shape, np.nan)
    step = max(1, _CELLS // len(flat))
    for start in range(0, len(case), step):
        part = case[start : start + step]
        total = predicted.table[part].reshape(len(part), -1) @ flat
        rated = predicted.known[part].astype(np.float64) @ rated_items
        held = unused[start : start + step] & (rated > 0)
        np.divide(total, rated, out=means[start : start + step], where=held)
    return _mean_of_defined(means, axis=1)


def mean_column_score(
    predicted: ScoredCases, case: Ints, references: Floats, weight: Floats
) -> Floats:
    """The mean over reference columns of the score in each, for item weights (B, N): (B,).

    `case` (N,) says which case each item is. A column that has no score, because it rates no
    item or the scorer is undefined there, is left out of the mean.
    """
    references = references * predicted.known[case][None, :, None]
    if predicted.plan.scorer.decomposable:
        total = np.einsum("jnl,nl->jn", references, predicted.table[case]) @ weight.T
        rated = references.sum(axis=2) @ weight.T
        scores = np.divide(total, rated, out=np.full(total.shape, np.nan), where=rated > 0)
    else:
        scores = _column_scores(predicted, case, references, weight)
    return _mean_of_defined(scores, axis=0)


def _column_scores(
    predicted: ScoredCases, case: Ints, references: Floats, weight: Floats
) -> Floats:
    """(J, B) scores of each column's rows (prediction, label, weight)."""
    rows, plan = predicted.rows, predicted.plan
    row, item = _rows_of_items(rows, case)
    prediction = np.repeat(rows.prediction[row], plan.labels.n, axis=0)
    label = np.tile(np.arange(plan.labels.n), len(row))
    share = references[:, item] * rows.share[row][None, :, None]
    scores = [
        plan.scorer(
            prediction,
            label,
            (share * each[item][None, :, None]).reshape(len(share), -1),
            labels=plan.labels,
            positive=plan.positive,
            clip=plan.clip,
        )
        for each in weight
    ]
    return np.stack(scores, axis=1)


def _rows_of_items(rows: Rows, case: Ints) -> tuple[Ints, Ints]:
    """The rows that stand for each item's case (several where labels tie), and their items."""
    start = np.searchsorted(rows.index, case, side="left")
    many = np.searchsorted(rows.index, case, side="right") - start
    item = np.repeat(np.arange(len(case)), many)
    within = np.arange(len(item)) - np.repeat(np.cumsum(many) - many, many)
    return np.repeat(start, many) + within, item


def _mean_of_defined(scores: Floats, axis: int) -> Floats:
    """The mean of what is not NaN; NaN where nothing is left."""
    defined = ~np.isnan(scores)
    many = defined.sum(axis=axis)
    total = np.where(defined, scores, 0.0).sum(axis=axis)
    means: Floats = np.divide(total, many, out=np.full(total.shape, np.nan), where=many > 0)
    return means
