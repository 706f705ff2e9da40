"""The Anonymous Bayesian Combiner on a whole level, for many samples of items at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.combiners.abc import mean_of_nearest
from headcount.equivalence.exact.level import Floats, Level, SmallInts

_SEEN = 1e-12
"""Below this share of the item's own term, what is left of a sum is rounding."""

_CELLS = 500_000
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
    B, R, L = len(items), level.size, level.surveys.shape[1]
    sums = level.sums(items)
    chances = np.empty((B, R, L))
    seen = np.empty((B, R), dtype=bool)
    step = max(1, _CELLS // (B * L))
    for start in range(0, R, step):
        part = slice(start, start + step)
        left_out = copies[:, level.pattern[part]] * level.chance[part]
        rest = np.take(sums, level.survey[part], axis=1)
        rest -= left_out[:, :, None] * level.following[part]
        np.maximum(rest, 0.0, out=rest)
        total = rest @ np.ones(L)
        # Patterns that a sample does not hold predict for nobody: they need no backing off.
        seen[:, part] = (total > _SEEN * left_out) | (left_out == 0)
        np.divide(rest, np.where(total > 0, total, 1.0)[:, :, None], out=chances[:, part])
    if seen.all():
        return Predicted(chances, None)
    return _back_off(level, chances, seen, before)


def _back_off(
    level: Level, chances: Floats, seen: NDArray[np.bool_], before: Predicted | None
) -> Predicted:
    """Where unseen, the mean prediction of the nearest smaller surveys that were seen."""
    forgotten = np.zeros(seen.shape, dtype=np.int32)
    sample, row = np.nonzero(~seen)
    if before is None:
        chances[sample, row] = np.nan
        forgotten[sample, row] = -1
        return Predicted(chances, forgotten)
    assert level.smaller is not None
    L, below = level.surveys.shape[1], before.chances.shape[1]
    flat = before.chances.reshape(-1, L)
    depths = None if before.forgotten is None else before.forgotten.ravel()
    for start in range(0, len(row), _CELLS):
        b, r = sample[start : start + _CELLS], row[start : start + _CELLS]
        ways = level.surveys[level.survey[r]]
        case, label = np.nonzero(ways)
        smaller = level.smaller[r[case], label] + b[case] * below
        first = np.searchsorted(case, np.arange(len(r) + 1))
        depth = np.zeros(len(case), np.int32) if depths is None else depths[smaller]
        chances[b, r], forgotten[b, r] = mean_of_nearest(
            flat, smaller, ways[case, label].astype(np.float64), depth, first
        )
    return Predicted(chances, forgotten)
