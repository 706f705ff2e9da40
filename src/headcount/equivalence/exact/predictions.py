"""A combiner's predictions for whole levels, in many samples of items at once."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.combiners import AnonymousBayes, Others
from headcount.equivalence.combiners.anonymous_bayes import (
    ROUNDING,
    SEEN,
    mean_of_nearest,
    predict_with_depth,
)
from headcount.equivalence.exact.curve_setup import Setup
from headcount.equivalence.exact.surveys import Floats, Level, SmallInts, prefix
from headcount.frozen import frozen

_CELLS = 200_000
"""Predictions worked on at once: what stays near the processor."""


@frozen
class Predicted:
    """Predictions (B, R, L) of a level and how many answers each had to forget (B, R).

    `forgotten` is None where no survey had to forget any.
    """

    chances: Floats
    forgotten: SmallInts | None


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
