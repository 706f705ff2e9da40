"""What is estimated of every bootstrap sample of the items."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from headcount.accuracy.bins import estimate
from headcount.accuracy.items import Floats, Ints, Items
from headcount.accuracy.latent_system import SIDE_BY_SIDE, LatentFits
from headcount.results import Progress
from headcount.sampling import Bootstrap, resample

Draws = dict[str, Floats]
"""Bootstrap samples by what was estimated of them, (S,) or (S, …)."""


def algebraic_draws(items: Items, plan: Bootstrap, progress: Progress) -> Draws:
    """The algebraic estimates of every bootstrap sample."""

    def measured(times: Ints) -> Draws:
        found = estimate(items, times.astype(float))
        return {
            "agreement": found.agreement,
            "kappa": found.kappa(),
            "rater_accuracy": found.rater_accuracy,
            "base_rates": found.base_rates,
            "accuracy": found.accuracy().T,
        }

    return _resampled(items, plan, measured, progress, "Bootstrap samples")


def latent_draws(items: Items, fits: LatentFits, plan: Bootstrap, progress: Progress) -> Draws:
    """The latent classes of bootstrap samples, as many as are affordable."""
    return _resampled(
        items,
        replace(plan, samples=fits.samples),
        fits.of_samples,
        progress,
        "Latent classes of bootstrap samples",
        at_once=SIDE_BY_SIDE,
    )


def _resampled(
    items: Items,
    plan: Bootstrap,
    statistic: Callable[[Ints], Draws],
    progress: Progress,
    description: str,
    at_once: int = 64,
) -> Draws:
    if not plan.samples:
        return {}
    widest = max(items.counts.size * 2, len(items.size), items.rows.n_rows * items.n_labels)
    drawn = resample(
        plan,
        items.size,
        statistic,
        width=widest,
        at_once=at_once,
        progress=progress,
        description=description,
    )
    return {name: np.asarray(values, dtype=np.float64) for name, values in drawn.items()}
