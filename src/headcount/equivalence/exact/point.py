"""One point of the curve, with the combiner as it learned from the data themselves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.exact.bayes import Predicted
from headcount.equivalence.exact.held_out import HeldOut
from headcount.equivalence.exact.level import Floats, Level
from headcount.equivalence.exact.scoring import Rows, Scoring
from headcount.equivalence.exact.setup import Setup

_BLOCKS = 20
"""Parts that drawn surveys are cut into, to see how far a score that is no mean varies."""


@dataclass(frozen=True)
class Point:
    """The curve at one k; see `Curve` for the names. `draws` (B,) hold the combiner fixed."""

    score: float
    draws: Floats
    support: float
    backed_off: int
    error: float
    surveys: int


def point(
    setup: Setup,
    level: Level,
    held_out: HeldOut,
    predicted: Predicted,
    samples: NDArray[np.integer],
) -> Point:
    """The score of a level's predictions against `held_out`, and in each sample."""
    scoring, gives = setup.scoring, setup.combiner.produces
    error = 0.0
    if setup.scorer.decomposable:
        row = scoring.row_means(predicted.chances, gives, held_out)[0]
        mean = np.bincount(level.pattern, weights=row * level.weight, minlength=level.patterns)
        # The data apart from the samples: their score must not depend on how many there are.
        score = setup.sizes @ mean / setup.sizes.sum()
        draws = samples @ mean / samples.sum(axis=1)
        if level.drawn:
            error = float(row.std(ddof=1) / np.sqrt(level.size))
    else:
        weight = setup.sizes[level.pattern] * level.weight
        rows = scoring.table(level, predicted.chances[0], gives, held_out, weight)
        score = scoring.of_rows(rows, weight[None])[0]
        draws = scoring.of_rows(rows, samples[:, level.pattern] * level.weight)
        if level.drawn:
            error = _error_of_blocks(scoring, rows, weight[None])
    support, backed_off = _support(setup, level, predicted)
    return Point(float(score), draws, support, backed_off, error, level.size)


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
