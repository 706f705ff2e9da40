"""The exact rater power curve, and its bootstrap, on bare arrays.

A combiner predicts whole levels, in many samples of items at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats
from headcount.equivalence.combiners import AnonymousBayes, Others
from headcount.equivalence.combiners.anonymous_bayes import (
    ROUNDING,
    SEEN,
    mean_of_nearest,
    predict_with_depth,
)
from headcount.equivalence.exact.curve_setup import Rows, Scoring, Setup
from headcount.equivalence.exact.surveys import (
    Budget,
    Level,
    SmallInts,
    drawn_levels,
    levels,
    prefix,
)
from headcount.frozen import frozen
from headcount.population import count_surveys
from headcount.results import Progress, no_progress

# Rows × samples up to which the combiner is refitted in every sample (about a minute).
_REFIT_ROWS = 250_000_000

# Predictions of one level held at once.
_LEVEL_CELLS = 4_000_000

# Parts that drawn surveys are cut into, to see how far a score that is no mean varies.
_BLOCKS = 20


@frozen
class Predicted:
    """Predictions (B, R, L) of a level and how many answers each had to forget (B, R).

    `forgotten` is None where no survey had to forget any.
    """

    chances: Floats
    forgotten: SmallInts | None


@frozen
class Curve:
    """A power curve for surveys of 0..`most` raters.

    `scores` (K,) and `draws` (B, K); NaN where the scorer has no value. `support` (K,) is
    the share of surveys that another item could have given too, and `backed_off` (K,) how
    many (pattern, survey) pairs could not. `error` (K,) is the Monte-Carlo standard error, 0
    where every survey was enumerated. `refitted` says whether the combiner learned anew in
    every bootstrap sample, `surveys` how many (pattern, survey) pairs were looked at.
    """

    scores: Floats
    draws: Floats
    support: Floats
    backed_off: NDArray[np.int64]
    error: Floats
    refitted: bool
    surveys: int

    @classmethod
    def of_scores(
        cls, scores: Floats, draws: Floats, *, refitted: bool, error: Floats | None = None
    ) -> "Curve":
        """A curve that looked at no surveys one by one: none is unlike all others."""
        points = len(scores)
        return cls(
            scores=scores,
            draws=draws,
            support=np.ones(points),
            backed_off=np.zeros(points, dtype=np.int64),
            error=np.zeros(points) if error is None else error,
            refitted=refitted,
            surveys=0,
        )

    @property
    def drawn_from(self) -> int | None:
        """The first survey size whose surveys were drawn instead of enumerated, or None."""
        drawn = np.flatnonzero(self.error > 0)
        return int(drawn[0]) if len(drawn) else None


@frozen
class _Point:
    """The curve at one k; see `Curve` for the names. `draws` (B,) hold the combiner fixed."""

    score: float
    draws: Floats
    support: float
    backed_off: int
    error: float
    surveys: int


@frozen
class _Kept:
    """A level, and whether its predictions are learned."""

    level: Level
    learns: bool


def power_curve(
    setup: Setup,
    samples: NDArray[Any],
    *,
    refit: bool = True,
    budget: Budget | None = None,
    progress: Progress = no_progress,
) -> Curve:
    """The curve of `setup`, and its bootstrap: `samples` (B, G), how often each pattern is drawn.

    With `refit` the combiner learns anew in every sample, as far as that is affordable; else
    it keeps what it learned from the data themselves.
    """
    budget = budget or Budget()
    at_each_k = count_surveys(setup.counts, setup.most).sum(axis=0)
    exact_to = budget.exact_to(at_each_k, setup.labels.n)
    learning = np.array([setup.combiner.learns(k) for k in range(setup.most + 1)])
    affordable = float(at_each_k[learning].sum()) * len(samples) <= _REFIT_ROWS
    # Drawn surveys are not refitted: their rows would have to be looked up in every sample.
    refit = bool(refit and learning.any() and affordable and exact_to == setup.most)
    data = setup.sizes[None].astype(np.float64)
    predictor = Predictor(setup, data, np.ones_like(data))
    points: list[_Point] = []
    kept: list[_Kept] = []
    for plain in progress(
        _levels(setup, exact_to, budget), total=setup.most + 1, description="Rater power curve"
    ):
        level = setup.aimed(plain)
        learns = refit and bool(learning[level.raters])
        predicted = predictor(level)
        points.append(_point(setup, level, predicted, samples[: 0 if learns else None]))
        if refit and len(samples):
            kept.append(_Kept(level, learns))
    draws = np.full((len(samples), len(points)), np.nan)
    for k, at in enumerate(points):
        if len(at.draws):
            draws[:, k] = at.draws
    if kept:
        draws[:, learning] = _refitted_draws(setup, kept, samples, progress)
    return _pack(points, draws, refit)


def _levels(setup: Setup, exact_to: int, budget: Budget) -> Iterator[Level]:
    neighbours = isinstance(setup.combiner, AnonymousBayes)
    yield from levels(setup.counts, exact_to, targets=setup.targets, neighbours=neighbours)
    if exact_to < setup.most:
        yield from drawn_levels(
            setup.counts, setup.sizes, exact_to + 1, setup.most, budget, targets=setup.targets
        )


def _pack(points: list[_Point], draws: Floats, refitted: bool) -> Curve:
    return Curve(
        scores=np.array([at.score for at in points]),
        draws=draws,
        support=np.array([at.support for at in points]),
        backed_off=np.array([at.backed_off for at in points]),
        error=np.array([at.error for at in points]),
        refitted=refitted,
        surveys=sum(at.surveys for at in points),
    )


def _point(
    setup: Setup,
    level: Level,
    predicted: Predicted,
    samples: NDArray[Any],
) -> _Point:
    """The score of a level's predictions, and in each sample."""
    scoring, gives = setup.scoring, setup.combiner.produces
    error = 0.0
    if setup.scorer.decomposable:
        row = scoring.row_means(predicted.chances, gives, level)[0]
        mean = np.bincount(level.pattern, weights=row * level.weight, minlength=level.patterns)
        # The data apart from the samples: their score must not depend on how many there are.
        score = setup.sizes @ mean / setup.sizes.sum()
        draws = samples @ mean / samples.sum(axis=1)
        if level.drawn:
            error = float(row.std(ddof=1) / np.sqrt(level.size))
    else:
        weight = setup.sizes[level.pattern] * level.weight
        rows = scoring.table(level, predicted.chances[0], gives, weight)
        score = scoring.of_rows(rows, weight[None])[0]
        draws = scoring.of_rows(rows, samples[:, level.pattern] * level.weight)
        if level.drawn:
            error = _error_of_blocks(scoring, rows, weight[None])
    support, backed_off = _support(setup, level, predicted)
    return _Point(float(score), draws, support, backed_off, error, level.size)


def _support(setup: Setup, level: Level, predicted: Predicted) -> tuple[float, int]:
    """The share of surveys that needed no backing off, and how many rows did."""
    if predicted.forgotten is None:
        return 1.0, 0
    unseen = predicted.forgotten[0] != 0
    share = setup.sizes[level.pattern] * level.weight
    return float(1 - share[unseen].sum() / share.sum()), int(unseen.sum())


def _error_of_blocks(scoring: Scoring, rows: Rows, weight: Floats) -> float:
    """Standard error of a score that is no mean: its spread over parts of the drawn surveys."""
    part = np.arange(weight.shape[1]) % _BLOCKS
    in_parts = weight * (part == np.arange(_BLOCKS)[:, None])
    scores = scoring.of_rows(rows, in_parts)
    scores = scores[~np.isnan(scores)]
    return float(scores.std(ddof=1) / np.sqrt(len(scores))) if len(scores) > 1 else 0.0


def _refitted_draws(
    setup: Setup, kept: list[_Kept], samples: NDArray[Any], progress: Progress
) -> Floats:
    """Scores (B, learned levels) of samples (B, G), the combiner learning anew in each."""
    learned = [each for each in kept if each.learns]
    widest = max(each.level.size for each in learned) * setup.labels.n
    step = max(1, _LEVEL_CELLS // widest)
    starts = range(0, len(samples), step)
    draws = np.empty((len(samples), len(learned)))
    for start in progress(starts, total=len(starts), description="Bootstrap"):
        part = slice(start, start + step)
        items = samples[part].astype(np.float64)
        predictor = Predictor(setup, items, setup.copies(items))
        for j, each in enumerate(learned):
            draws[part, j] = _scores(setup, each, items, predictor(each.level))
    return draws


def _scores(setup: Setup, kept: _Kept, items: Floats, predicted: Predicted) -> Floats:
    level, scoring, gives = kept.level, setup.scoring, setup.combiner.produces
    weight = items[:, level.pattern] * level.weight
    if setup.scorer.decomposable:
        row = scoring.row_means(predicted.chances, gives, level)
        # Patterns outside a sample have no weight; their predictions may be undefined.
        total = np.einsum("br,br->b", weight, np.where(weight > 0, row, 0.0))
        return np.asarray(total / weight.sum(axis=1))
    return np.array(
        [
            scoring.pooled(level, said, gives, of_sample)
            for said, of_sample in zip(predicted.chances, weight, strict=True)
        ]
    )


# Predictions worked on at once: what stays near the processor.
_CELLS = 200_000


@dataclass
class Predictor:
    """Predicts level after level, in order: a level may fall back on the one below.

    `items` (B, G) says how many items have each pattern in each of B samples, and `copies`
    (B, G) how many of them to leave out when predicting for one of them.
    """

    setup: Setup
    items: Floats
    copies: Floats
    _before: Predicted | None = field(default=None, init=False)
    _drawn_before: Predicted | None = field(default=None, init=False)

    def __call__(self, level: Level) -> Predicted:
        """Predictions (B, R, L) or (B, R); B is 1 where they are the same in all samples."""
        combiner = self.setup.combiner
        if not combiner.learns(level.raters):
            return Predicted(self._myopic(level), None)
        if isinstance(combiner, AnonymousBayes):
            if level.drawn:
                return self._bayes_of_drawn(level)
            self._before = predict_level(level, self.items, self.copies, self._before)
            return self._before
        surveys = level.surveys[level.survey].astype(np.int64)
        each = [
            combiner(surveys, self.setup.others(level, items, left_out), labels=self.setup.labels)
            for items, left_out in zip(self.items, self.copies, strict=True)
        ]
        return Predicted(np.stack(each), None)

    def _myopic(self, level: Level) -> Floats:
        """The same for every item with that survey, whatever the sample."""
        nobody = np.zeros(len(level.surveys), dtype=np.int64)
        others = Others(
            self.setup.counts,
            self.setup.sizes,
            nobody,
            nobody.astype(np.float64),
            self.setup.targets,
            self.setup.reference_raters,
        )
        surveys = level.surveys.astype(np.int64)
        said = self.setup.combiner(surveys, others, labels=self.setup.labels)
        return said[level.survey][None]

    def _bayes_of_drawn(self, level: Level) -> Predicted:
        """Drawn surveys forget one answer in every way there is, and then the last ones.

        All smaller surveys would be too many to try. The rows are the same at every k, so one
        that was not seen even so takes over what it had with one answer less.
        """
        assert level.order is not None
        before = self._drawn_before or self._below_the_first(level)
        self._drawn_before = self._one_more(level, level.raters, before)
        return self._drawn_before

    def _below_the_first(self, level: Level) -> Predicted:
        """What the drawn rows had at every smaller k, as far as one of them needs it."""
        nothing = np.full((1, level.size, self.setup.labels.n), np.nan)
        before = Predicted(nothing, np.full((1, level.size), -1, dtype=np.int32))
        for raters in range(level.raters):
            before = self._one_more(level, raters, before)
        return before

    def _one_more(self, level: Level, raters: int, before: Predicted) -> Predicted:
        assert level.order is not None
        assert before.forgotten is not None
        surveys = prefix(level.order, raters, self.setup.labels.n)
        others = self.setup.others(level, self.items[0], self.copies[0])
        chances, depth = predict_with_depth(surveys, others, deepest=1)
        found = depth >= 0
        deeper = np.where(before.forgotten[0] >= 0, before.forgotten[0] + 1, -1)
        return Predicted(
            np.where(found[:, None], chances, before.chances[0])[None],
            np.where(found, depth, deeper).astype(np.int32)[None],
        )


def predict_level(
    level: Level, items: Floats, copies: Floats, before: Predicted | None
) -> Predicted:
    """p(ℓ | y) ∝ seq(y + e_ℓ) without `copies` (B, G) of the row's own item.

    `items` (B, G) says how many items have each pattern in each sample. Surveys seen in no
    other item take over from `before`, the level below.
    """
    B, L = len(items), level.surveys.shape[1]
    chances = np.empty((B, level.size, L))
    seen = np.empty((B, level.size), dtype=bool)
    _fill_alone(level, items, copies, chances, seen)
    sums = level.sums(items)
    step = max(1, _CELLS // (B * L))
    for start in range(0, len(level.shared), step):
        rows = level.shared[start : start + step]
        left_out = copies[:, level.pattern[rows]] * level.chance[rows]
        rest = np.take(sums, level.survey[rows], axis=1)
        rest -= left_out[:, :, None] * level.following(rows)
        np.maximum(rest, 0.0, out=rest)
        total = rest @ np.ones(L)
        # Patterns that a sample does not hold predict for nobody: they need no backing off.
        seen[:, rows] = (total > ROUNDING * left_out) | (left_out == 0)
        # Nothing left over stays nothing, and is backed off below.
        rest /= np.where(total > 0, total, 1.0)[:, :, None]
        chances[:, rows] = rest
    if seen.all():
        return Predicted(chances, None)
    return _back_off(level, chances, seen, before)


def _fill_alone(
    level: Level, items: Floats, copies: Floats, chances: Floats, seen: NDArray[np.bool_]
) -> None:
    """Surveys of a single pattern: what follows there, if another item has that pattern."""
    step = max(1, _CELLS // chances.shape[2])
    for start in range(0, len(level.alone), step):
        rows = level.alone[start : start + step]
        pattern = level.pattern[rows]
        # Whole items are left over, or half of one at least: (m − 1)(1 − 1/g).
        known = (items[:, pattern] - copies[:, pattern] > SEEN) | (items[:, pattern] == 0)
        seen[:, rows] = known
        filled = rows[known.any(axis=0)]
        chances[:, filled] = level.following(filled)


def _back_off(
    level: Level, chances: Floats, seen: NDArray[np.bool_], before: Predicted | None
) -> Predicted:
    """Where unseen, the mean prediction of the nearest smaller surveys that were seen."""
    forgotten = np.zeros(seen.size, dtype=np.int32)
    place = np.flatnonzero(~seen.ravel())
    R, L = chances.shape[1:]
    into = chances.reshape(-1, L)
    if before is None:
        into[place], forgotten[place] = np.nan, -1
        return Predicted(chances, forgotten.reshape(seen.shape))
    assert level.smaller is not None
    below = before.chances.shape[1]
    source = before.chances.reshape(-1, L)
    depths = None if before.forgotten is None else before.forgotten.ravel()
    for start in range(0, len(place), _CELLS // L):
        here = place[start : start + _CELLS // L]
        sample, row = np.divmod(here, R)
        smaller = np.ascontiguousarray(level.smaller[:, row].T)
        case, label = np.nonzero(smaller >= 0)
        at = smaller[case, label] + sample[case] * below
        ways = level.surveys[level.survey[row][case], label].astype(np.float64)
        first = np.searchsorted(case, np.arange(len(row) + 1))
        depth = np.zeros(len(case), np.int32) if depths is None else depths[at]
        into[here], forgotten[here] = mean_of_nearest(source, at, ways, depth, first)
    return Predicted(chances, forgotten.reshape(seen.shape))
