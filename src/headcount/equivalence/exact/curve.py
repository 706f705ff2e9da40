"""The exact rater power curve, and its bootstrap, on bare arrays."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.combiners import AnonymousBayes
from headcount.equivalence.exact.drawing import Budget, drawn_levels
from headcount.equivalence.exact.enumeration import count_surveys, levels
from headcount.equivalence.exact.level import Floats, Level
from headcount.equivalence.exact.point import Point, point
from headcount.equivalence.exact.predicting import Predictor
from headcount.equivalence.exact.refitting import Kept, refitted_draws
from headcount.equivalence.exact.setup import Setup
from headcount.results import Progress, no_progress

_REFIT_ROWS = 250_000_000
"""Rows × samples up to which the combiner is refitted in every sample (about a minute)."""


@dataclass(frozen=True)
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

    @property
    def drawn_from(self) -> int | None:
        """The first survey size whose surveys were drawn instead of enumerated, or None."""
        drawn = np.flatnonzero(self.error > 0)
        return int(drawn[0]) if len(drawn) else None


def power_curve(
    setup: Setup,
    samples: NDArray[np.integer],
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
    refit = bool(refit and learning.any() and affordable and exact_to == setup.most)
    data = setup.sizes[None].astype(np.float64)
    predictor = Predictor(setup, data, np.ones_like(data))
    points: list[Point] = []
    kept: list[Kept] = []
    for level in progress(
        _levels(setup, exact_to, budget), total=setup.most + 1, description="Rater power curve"
    ):
        held_out = setup.held_out(level)
        learns = refit and bool(learning[level.raters])
        predicted = predictor(level)
        points.append(point(setup, level, held_out, predicted, samples[: 0 if learns else None]))
        if refit and len(samples):
            kept.append(Kept(level, held_out, learns))
    draws = np.full((len(samples), len(points)), np.nan)
    for k, at in enumerate(points):
        if len(at.draws):
            draws[:, k] = at.draws
    if kept:
        draws[:, learning] = refitted_draws(setup, kept, samples, progress)
    return _pack(points, draws, refit)


def _levels(setup: Setup, exact_to: int, budget: Budget) -> Iterator[Level]:
    neighbours = isinstance(setup.combiner, AnonymousBayes)
    yield from levels(setup.counts, exact_to, targets=setup.targets, neighbours=neighbours)
    if exact_to < setup.most:
        yield from drawn_levels(
            setup.counts, setup.sizes, exact_to + 1, setup.most, budget, targets=setup.targets
        )


def _pack(points: list[Point], draws: Floats, refitted: bool) -> Curve:
    return Curve(
        scores=np.array([at.score for at in points]),
        draws=draws,
        support=np.array([at.support for at in points]),
        backed_off=np.array([at.backed_off for at in points]),
        error=np.array([at.error for at in points]),
        refitted=refitted,
        surveys=sum(at.surveys for at in points),
    )
