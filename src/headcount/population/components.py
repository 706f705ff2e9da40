"""How many Dirichlets: as many as best predict counts of items that they were not fitted to."""

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.population.dirichlet_fit import Tallies, fit_dirichlets
from headcount.population.folds import Folds
from headcount.population.mixtures import Dirichlets

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LADDER = (1, 2, 4, 8, 16, 32)
"""The numbers of components that are tried, until two in a row predict no better."""

ITEMS_A_COMPONENT = 20
"""No component for fewer items than this."""

ENOUGH_ITEMS = 5_000
"""With this many items one fold's held-out likelihood tells which number is best."""


@frozen
class Held:
    """Mixtures fitted to all folds but one, one for each fold, and what they were chosen by.

    `log_likelihoods` maps each number of components that was tried to the log-likelihood of
    the held-out items.
    """

    mixtures: tuple[Dirichlets, ...]
    log_likelihoods: dict[int, float]


def choose_dirichlets(
    counts: Ints, size: Floats, *, components: int | None = None, seed: int = 0
) -> Dirichlets:
    """The mixture fitted to counts (G, L), `size` (G,) items having each.

    The number of components is the one with the highest likelihood of held-out items, unless
    `components` sets it.
    """
    if components is None:
        scores = _ladder(counts, Folds.deal(size, 3, seed), seed)[0]
        components = max(scores, key=lambda each: scores[each])
    return _fit(counts, size, components, seed)


def cross_fit_dirichlets(
    counts: Ints, folds: Folds, *, components: int | None = None, seed: int = 0
) -> Held:
    """For each fold a mixture fitted to the others, the number of components by held-out items."""
    scores: dict[int, float] = {}
    fitted: dict[int, Dirichlets] = {}
    if components is None:
        scores, kept = _ladder(counts, folds, seed)
        components = max(scores, key=lambda each: scores[each])
        fitted = kept[components]
    mixtures = [
        fitted[each] if each in fitted else _without(counts, folds, each, components, seed)
        for each in range(folds.n)
    ]
    return Held(tuple(mixtures), scores)


def start_from(counts: Ints, size: Floats, components: int, seed: int) -> Dirichlets:
    """Components placed on items far from each other (as k-means++ places its centres)."""
    overall = size @ counts + 1.0
    overall /= overall.sum()
    if components == 1:
        return Dirichlets(np.ones(1), 2 * overall[None])
    shares = (counts + overall) / (counts.sum(axis=1, keepdims=True) + 1)
    rng = np.random.default_rng([seed, components])
    chosen = [int(rng.choice(len(counts), p=size / size.sum()))]
    roots, nearest = np.sqrt(shares), np.full(len(counts), np.inf)
    while len(chosen) < components:
        nearest = np.minimum(nearest, ((roots - roots[chosen[-1]]) ** 2).sum(axis=1))
        mass = size * nearest
        if mass.sum() <= 0:
            break
        chosen.append(int(rng.choice(len(counts), p=mass / mass.sum())))
    return Dirichlets(np.full(len(chosen), 1 / len(chosen)), 4 * shares[chosen])


def _ladder(
    counts: Ints, folds: Folds, seed: int
) -> tuple[dict[int, float], dict[int, dict[int, Dirichlets]]]:
    """The held-out log-likelihood of each number of components, and the mixtures themselves."""
    n_items = float(folds.size.sum())
    held_out = range(1 if n_items >= ENOUGH_ITEMS else folds.n)
    scores: dict[int, float] = {}
    kept: dict[int, dict[int, Dirichlets]] = {}
    for components in LADDER:
        if components > 1 and components * ITEMS_A_COMPONENT > n_items:
            break
        kept[components] = {
            each: _without(counts, folds, each, components, seed) for each in held_out
        }
        scores[components] = sum(
            _held_out(mixture, counts, folds, each) for each, mixture in kept[components].items()
        )
        if len(scores) > 2 and scores[components] <= max(scores.values()):
            tried = list(scores.values())
            if int(np.argmax(tried)) < len(tried) - 2:
                break
    return scores, kept


def _without(counts: Ints, folds: Folds, fold: int, components: int, seed: int) -> Dirichlets:
    pattern, size = folds.others(counts, fold)
    return _fit(pattern, size, components, seed)


def _held_out(mixture: Dirichlets, counts: Ints, folds: Folds, fold: int) -> float:
    held = folds.fold == fold
    return float(folds.size[held] @ mixture.log_probability(counts[folds.row[held]]))


def _fit(counts: Ints, size: Floats, components: int, seed: int) -> Dirichlets:
    start = start_from(counts, size, components, seed)
    return fit_dirichlets(Tallies.of(counts), size, start)[0]
