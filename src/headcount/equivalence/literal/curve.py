"""Algorithm 3: the power curve by subsets of the columns of a rating matrix."""

import math
import sys

import numpy as np
from numpy.typing import NDArray

from headcount.data import Labels
from headcount.equivalence.combiners import Combiner, Others, alike
from headcount.equivalence.literal.columns import (
    Cases,
    Matrix,
    cases,
    monte_carlo_error,
    rater_subsets,
)
from headcount.equivalence.literal.scoring import (
    Predicted,
    mean_column_score,
    mean_of_defined,
    mean_single_columns,
    reference_columns,
)
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.metrics import Rows, Scorer, rows_for
from headcount.results import Progress, no_progress

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen
class Literal:
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


@frozen
class LiteralCurve:
    """The curve by columns, for k = 0, 1, …, K − 1 raters.

    `score` (K,), NaN where undefined; `draws` (B, K) the same in each bootstrap sample;
    `subsets` (K,) how many subsets each score is the mean of; `error` (K,) the standard error
    from drawing subsets, 0 where all of them were taken.
    """

    score: Floats
    draws: Floats
    subsets: Ints
    error: Floats


def literal_curve(
    answers: NDArray[np.integer],
    plan: Literal,
    *,
    max_raters: int | None = None,
    draws: NDArray[np.integer] | None = None,
    progress: Progress = no_progress,
) -> LiteralCurve:
    """The power curve of the columns of `answers` (N, J), −1 where a rater gave no answer.

    k raters are k *columns*: where columns are padded with blanks they are fewer people than
    that, which is how the paper's figure for Wikipedia came about. `draws` (B, N) says how
    often each bootstrap sample holds each item. The curve ends where `reference_raters`
    columns are left to be scored against, or with `max_raters` columns in all.
    """
    matrix = Matrix.of(answers, plan.labels.n)
    points = _points(matrix, plan, max_raters)
    samples = np.zeros((0, matrix.n_items)) if draws is None else np.asarray(draws, dtype=float)
    weight = np.concatenate([np.ones((1, matrix.n_items)), samples])
    results = [
        _point(matrix, plan, k, weight)
        for k in progress(range(points), total=points, description="Columns of raters")
    ]
    score, subsets, error = zip(*results, strict=True)
    by_sample = np.stack(score, axis=1)
    return LiteralCurve(by_sample[0], by_sample[1:], np.array(subsets), np.array(error))


def literal_score(
    prediction: NDArray[np.generic],
    answers: NDArray[np.integer],
    plan: Literal,
    *,
    draws: NDArray[np.integer] | None = None,
) -> tuple[float, Floats]:
    """A classifier's score: the mean of its scores against each column, and in each sample.

    `prediction` has a row an item, in the form the scorer takes.
    """
    matrix = Matrix.of(answers, plan.labels.n)
    every = np.arange(matrix.n_items)
    rows = Rows(np.asarray(prediction), every, np.ones(matrix.n_items))
    predicted = _predicted(rows, np.ones(matrix.n_items, dtype=bool), plan)
    samples = np.zeros((0, matrix.n_items)) if draws is None else np.asarray(draws, dtype=float)
    references = reference_columns(matrix.said, _panels(np.arange(matrix.n_raters), plan))
    weight = np.concatenate([np.ones((1, matrix.n_items)), samples])
    scores = mean_column_score(predicted, every, references, weight)
    return float(scores[0]), scores[1:]


def _points(matrix: Matrix, plan: Literal, max_raters: int | None) -> int:
    columns = matrix.n_raters if max_raters is None else max_raters
    if not plan.reference_raters < columns <= matrix.n_raters:
        raise OptionError(
            f"The curve needs more columns than reference raters and has {matrix.n_raters}: "
            f"choose max_raters from {plan.reference_raters + 1} to {matrix.n_raters}."
        )
    return columns - plan.reference_raters + 1


def _point(matrix: Matrix, plan: Literal, k: int, weight: Floats) -> tuple[Floats, int, float]:
    """Scores (1 + B,) of k raters, the number of subsets, and their Monte-Carlo error."""
    rng = np.random.default_rng([plan.seed, 0, k])
    chosen = rater_subsets(matrix.n_raters, k, limit=plan.subsets, rng=rng)
    found = cases(matrix, chosen)
    scores = np.empty((len(chosen), len(weight)))
    for together in _fits(plan, k, len(weight)):
        predictions = _predictions(matrix, found, plan, weight[together[0]])
        case = predictions.place(found.index, weight[together[0]])
        scores[:, together] = _subset_scores(
            matrix, plan, predictions.predicted, case, chosen, weight[together]
        )
    whole = scores[:, 0][~np.isnan(scores[:, 0])]
    error = monte_carlo_error(whole, math.comb(matrix.n_raters, k))
    return mean_of_defined(scores, axis=0), len(chosen), error


def _subset_scores(
    matrix: Matrix,
    plan: Literal,
    predicted: Predicted,
    case: Ints,
    chosen: Ints,
    weight: Floats,
) -> Floats:
    """The score of each subset against the columns it left unused, (S, B)."""
    unused = np.ones((len(chosen), matrix.n_raters), dtype=bool)
    np.put_along_axis(unused, chosen, False, axis=1)
    if plan.scorer.decomposable and plan.reference_raters == 1 and len(weight) == 1:
        only = mean_single_columns(predicted, case, matrix.said, unused, weight[0])
        return only[:, None]
    panels = [_panels(np.flatnonzero(columns), plan) for columns in unused]
    return np.stack(
        [
            mean_column_score(predicted, row, reference_columns(matrix.said, panel), weight)
            for row, panel in zip(case, panels, strict=True)
        ]
    )


def _panels(unused: Ints, plan: Literal) -> Ints:
    """Panels of reference raters among the unused columns, (J, r)."""
    rng = np.random.default_rng([plan.seed, 1, len(unused)])
    panels = rater_subsets(len(unused), plan.reference_raters, limit=_most(plan), rng=rng)
    return unused[panels]


def _most(plan: Literal) -> int:
    """Single columns are all used, however many there are; only panels are limited."""
    return sys.maxsize if plan.reference_raters == 1 else plan.subsets


def _fits(plan: Literal, k: int, samples: int) -> list[Ints]:
    """Which weight vectors share one fit of the combiner; the first of each is fitted to."""
    everything = np.arange(samples)
    if plan.refit and plan.combiner.learns(k):
        return [everything[[sample]] for sample in everything]
    return [everything]


@frozen
class _Predictions:
    """Predictions for each case, once for every number of copies left out."""

    predicted: Predicted
    copies: Floats

    def place(self, case: Ints, weight: Floats) -> Ints:
        """Where the prediction for each item's case stands."""
        return _place(case, self.copies, weight)


def _place(case: Ints, copies: Floats, weight: Floats) -> Ints:
    return case * len(copies) + np.searchsorted(copies, weight)


def _predictions(matrix: Matrix, found: Cases, plan: Literal, weight: Floats) -> _Predictions:
    """What the combiner, fitted to weighted items, says of each case.

    All copies of an item are left out for itself, so the prediction depends on how many there
    are. An item that was not drawn has none.
    """
    copies = np.unique(weight)
    items = np.bincount(matrix.pattern, weights=weight, minlength=len(matrix.patterns))
    surveys = np.repeat(found.surveys, len(copies), axis=0)
    own = np.repeat(found.pattern, len(copies))
    left_out = np.tile(copies, len(found.surveys)) * plan.leave_out
    # A copy more than the pattern holds cannot occur; it must not make a sum negative.
    left_out = np.minimum(left_out, items[own])
    others = Others(matrix.patterns, items, own, left_out, reference=plan.reference_raters)
    given = plan.combiner(surveys, others, labels=plan.labels)
    if plan.scorer.scale_free:
        place = _place(found.index, copies, weight)
        times = np.bincount(
            place.ravel(), weights=np.tile(weight, len(place)), minlength=len(surveys)
        )
        given = alike(given, surveys, times.astype(np.float64))
    known: NDArray[np.bool_] = ~np.isnan(given.reshape(len(given), -1).sum(axis=1))
    safe = np.where(known.reshape(-1, *[1] * (given.ndim - 1)), given, 1.0)
    rows = rows_for(safe, plan.combiner.produces, plan.scorer, plan.labels)
    return _Predictions(_predicted(rows, known, plan), copies)


def _predicted(rows: Rows, known: NDArray[np.bool_], plan: Literal) -> Predicted:
    return Predicted(rows, known, plan.scorer, plan.labels, plan.positive, plan.clip)
