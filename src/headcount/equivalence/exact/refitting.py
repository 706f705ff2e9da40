"""The bootstrap with the combiner refitted in every sample."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.exact.bayes import Predicted
from headcount.equivalence.exact.held_out import HeldOut
from headcount.equivalence.exact.level import Floats, Level
from headcount.equivalence.exact.predicting import Predictor
from headcount.equivalence.exact.setup import Setup
from headcount.results import Progress

_CELLS = 4_000_000
"""Predictions of one level held at once."""


@dataclass(frozen=True)
class Kept:
    """A level, the labels it is scored against, and whether its predictions are learned."""

    level: Level
    held_out: HeldOut
    learns: bool


def refitted_draws(
    setup: Setup, kept: list[Kept], samples: NDArray[np.integer], progress: Progress
) -> Floats:
    """Scores (B, learned levels) of samples (B, G), the combiner learning anew in each."""
    learned = [each for each in kept if each.learns]
    widest = max(each.level.size for each in learned) * setup.labels.n
    step = max(1, _CELLS // widest)
    starts = range(0, len(samples), step)
    draws = np.empty((len(samples), len(learned)))
    for start in progress(starts, total=len(starts), description="Bootstrap"):
        part = slice(start, start + step)
        items = samples[part].astype(np.float64)
        predictor = Predictor(setup, items, setup.copies(items))
        for j, each in enumerate(learned):
            draws[part, j] = _scores(setup, each, items, predictor(each.level))
    return draws


def _scores(setup: Setup, kept: Kept, items: Floats, predicted: Predicted) -> Floats:
    level, scoring, gives = kept.level, setup.scoring, setup.combiner.produces
    weight = items[:, level.pattern] * level.weight
    if setup.scorer.decomposable:
        row = scoring.row_means(predicted.chances, gives, kept.held_out)
        # Patterns outside a sample have no weight; their predictions may be undefined.
        total = np.einsum("br,br->b", weight, np.where(weight > 0, row, 0.0))
        return np.asarray(total / weight.sum(axis=1))
    return np.array(
        [
            scoring.pooled(level, said, gives, kept.held_out, of_sample)
            for said, of_sample in zip(predicted.chances, weight, strict=True)
        ]
    )
