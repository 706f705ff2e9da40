"""The Anonymous Bayesian Combiner on a whole level, for many samples of items at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.combiners.abc import mean_of_nearest
from headcount.equivalence.combiners.sequences import ROUNDING, SEEN
from headcount.equivalence.exact.level import Floats, Level, SmallInts

_CELLS = 200_000
"""Predictions worked on at once: what stays near the processor."""


@dataclass(frozen=True)
class Predicted:
    """Predictions (B, R, L) of a level and how many answers each had to forget (B, R).

    `forgotten` is None where no survey had to forget any.
    """

    chances: Floats
    forgotten: SmallInts | None


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
