"""From counts to a curve: groups, bootstrap draws and the engine, without users or files."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.exact import Curve, Setup, power_curve
from headcount.equivalence.grouping import Grouping
from headcount.equivalence.plan import Plan
from headcount.stats import Bootstrap

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
ScoreDraws = Callable[[NDArray[np.integer]], Floats]

_BATCH_CELLS = 8_000_000
"""Draws held at once while groups are gathered into patterns."""


@dataclass(frozen=True)
class Drawn:
    """One bootstrap seen from several sides: patterns drawn, and scores in the same samples.

    `samples` one (B, G) for each grouping, `scores` one (1 + B,) for each scorer of draws,
    the first from the data themselves.
    """

    samples: tuple[Ints, ...]
    scores: tuple[Floats, ...]


def draw(
    bootstrap: Bootstrap,
    sizes: Ints,
    groupings: tuple[Grouping, ...],
    score: tuple[ScoreDraws, ...] = (),
) -> Drawn:
    """Draw items once; gather and score each batch while it is there."""
    batch = max(1, _BATCH_CELLS // len(sizes))
    samples: list[list[Ints]] = [[] for _ in groupings]
    scores = [[each(sizes[None])] for each in score]
    for draws in bootstrap.item_batches(sizes, batch=batch):
        for kept, grouping in zip(samples, groupings, strict=True):
            kept.append(grouping.gather(draws))
        for kept_scores, each in zip(scores, score, strict=True):
            kept_scores.append(each(draws))
    return Drawn(
        tuple(
            np.concatenate(kept) if kept else np.zeros((0, len(grouping.sizes)), dtype=np.int64)
            for kept, grouping in zip(samples, groupings, strict=True)
        ),
        tuple(np.concatenate(kept_scores) for kept_scores in scores),
    )


def measure_curve(plan: Plan, grouping: Grouping, samples: Ints, most: int) -> Curve:
    """The exact curve of one pool of raters, up to surveys of `most`."""
    return _run(plan, grouping, samples, most, grouping.counts, None)


def measure_two_pools(plan: Plan, grouping: Grouping, samples: Ints, most: int) -> Curve:
    """The curve of raters who predict experts; patterns hold their counts, then the experts'."""
    L = plan.labels.n
    return _run(plan, grouping, samples, most, grouping.counts[:, :L], grouping.counts[:, L:])


def _run(
    plan: Plan, grouping: Grouping, samples: Ints, most: int, counts: Ints, experts: Ints | None
) -> Curve:
    setup = Setup(
        counts=counts,
        sizes=grouping.sizes,
        most=most,
        labels=plan.labels,
        combiner=plan.combiner,
        scorer=plan.scorer,
        positive=plan.positive,
        clip=plan.clip,
        reference_raters=plan.reference_raters,
        experts=experts,
    )
    return power_curve(setup, samples, refit=plan.refit, budget=plan.budget, progress=plan.progress)
