"""Bootstrap samples of the cases, through the algebra and through the latent classes."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from headcount.accuracy.cases import Cases, Floats
from headcount.accuracy.estimates import estimate
from headcount.accuracy.latent_system import Fitted, rater_accuracy, system_accuracy
from headcount.accuracy.parts import Draws
from headcount.results import Progress
from headcount.stats import Bootstrap

_BLOCK = 4_000_000
"""Numbers held at once; a batch of samples is cut to it."""

_BATCH = 64
"""Samples that go through together: more do not fit the processor's caches."""


@dataclass(frozen=True)
class LatentFits:
    """The raters' model and one more for each system; `samples` bootstrap samples of them."""

    raters: Fitted
    systems: tuple[Fitted, ...]
    samples: int


def draw(cases: Cases, plan: Bootstrap, latent: LatentFits | None, *, progress: Progress) -> Draws:
    """Estimates of every bootstrap sample."""
    batch = _batch(cases)
    steps = -(-plan.samples // batch)
    batches = plan.item_batches(cases.cases, batch=batch)
    algebraic, fitted = [], []
    done = 0
    for weights in progress(batches, total=steps, description="Bootstrap samples"):
        drawn = weights.astype(float)
        algebraic.append(_algebraic(cases, drawn))
        if latent is not None and done < latent.samples:
            fitted.append(_latent(latent, drawn[: latent.samples - done]))
        done += len(drawn)
    return _packed(cases, algebraic, fitted)


def _batch(cases: Cases) -> int:
    widest = max(cases.counts.size * 2, len(cases.cases), cases.rows.n_rows * cases.n_labels)
    return max(1, min(_BATCH, _BLOCK // max(widest, 1)))


def _algebraic(cases: Cases, weights: Floats) -> tuple[Floats, ...]:
    found = estimate(cases, weights)
    return found.agreement, found.rater_accuracy, found.base_rates.T, found.accuracy()


def _latent(fits: LatentFits, weights: Floats) -> tuple[Floats, ...]:
    """Rater accuracy (S,), base rates (L, S) and the systems' accuracies (C, S)."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        raters, *models = pool.map(
            lambda each: each.refitted(weights), (fits.raters, *fits.systems)
        )
    systems = [
        system_accuracy(each.rows, model) for each, model in zip(fits.systems, models, strict=True)
    ]
    return (
        rater_accuracy(fits.raters.rows, fits.raters.weights(weights), raters)[0],
        raters.base_rates,
        np.array(systems).reshape(len(systems), len(weights)),
    )


def _packed(
    cases: Cases, algebraic: list[tuple[Floats, ...]], latent: list[tuple[Floats, ...]]
) -> Draws:
    shapes = ((), (cases.n_labels,), (len(cases.systems),))

    def joined(parts: list[tuple[Floats, ...]], which: int, shape: tuple[int, ...]) -> Floats:
        empty = np.empty((*shape, 0))
        return np.concatenate([empty, *(part[which] for part in parts)], axis=-1)

    return Draws(
        agreement=joined(algebraic, 0, ()),
        rater_accuracy=joined(algebraic, 1, ()),
        base_rates=joined(algebraic, 2, shapes[1]).T,
        accuracy=joined(algebraic, 3, shapes[2]),
        latent_rater_accuracy=joined(latent, 0, ()),
        latent_base_rates=joined(latent, 1, shapes[1]).T,
        latent_accuracy=joined(latent, 2, shapes[2]),
    )
