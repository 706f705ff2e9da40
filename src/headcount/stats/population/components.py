"""How many Dirichlets: as many as predict counts of items that they were not fitted to."""

import numpy as np
from numpy.typing import NDArray

from headcount.stats.population.dirichlet import Dirichlets, Tallies, fit_dirichlets
from headcount.stats.population.folds import deal

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LADDER = (1, 2, 4, 8, 16, 32)
"""The numbers of components that are tried, until two in a row predict no better."""


def choose_dirichlets(
    counts: Ints,
    size: Floats,
    *,
    components: int | None = None,
    folds: int = 3,
    seed: int = 0,
) -> Dirichlets:
    """The mixture fitted to counts (G, L) of `size` (G,) items each.

    The number of components is the one with the highest likelihood of held-out items over
    `folds` folds, unless `components` sets it.
    """
    chosen = components or _by_held_out(counts, size, folds, seed)
    return _fit(counts, size, chosen, seed)


def start_from(counts: Ints, size: Floats, components: int, seed: int) -> Dirichlets:
    """Components placed on items far from each other (as k-means++ places its centres)."""
    n_labels = counts.shape[1]
    overall = (size @ counts + 1) / (size @ counts + 1).sum()
    pull = n_labels if components == 1 else 1.0
    shares = (counts + pull * overall) / (counts.sum(axis=1, keepdims=True) + pull)
    if components == 1:
        return Dirichlets(np.ones(1), 2 * overall[None])
    rng = np.random.default_rng([seed, components])
    chosen = [int(rng.choice(len(counts), p=size / size.sum()))]
    nearest = np.full(len(counts), np.inf)
    roots = np.sqrt(shares)
    for _ in range(components - 1):
        distance = ((roots - roots[chosen[-1]]) ** 2).sum(axis=1)
        nearest = np.minimum(nearest, distance)
        mass = size * nearest
        if mass.sum() <= 0:
            break
        chosen.append(int(rng.choice(len(counts), p=mass / mass.sum())))
    centres = shares[chosen]
    return Dirichlets(np.full(len(chosen), 1 / len(chosen)), 4 * centres)


def _fit(counts: Ints, size: Floats, components: int, seed: int) -> Dirichlets:
    start = start_from(counts, size, components, seed)
    return fit_dirichlets(Tallies.of(counts), size, start)[0]


def _by_held_out(counts: Ints, size: Floats, folds: int, seed: int) -> int:
    row, dealt, fold = deal(size, folds, seed)
    scores: list[float] = []
    for components in LADDER:
        if components > max(1, size.sum() // 20):
            break
        total = 0.0
        for each in range(folds):
            held = fold == each
            mixture = _fit(counts[row[~held]], dealt[~held], components, seed)
            total += float(dealt[held] @ mixture.log_probability(counts[row[held]]))
        scores.append(total)
        if len(scores) > 2 and int(np.argmax(scores)) < len(scores) - 2:
            break
    return LADDER[int(np.argmax(scores))]
