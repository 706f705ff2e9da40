"""A population of items seen through strata: what classifiers say of items tells its shape.

Two ratings an item fix two moments of the population. Among the populations that have them, and
are equally likely, the fit ends in the middle. But items that classifiers answer alike are a
population of their own, with moments of its own: fitted stratum by stratum and put together, they
tell how far the whole leans, and none of that rests on the classifiers being right. From three
ratings an item on, the ratings tell enough.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headcount.population.folds import grouped
from headcount.population.mixtures import Atoms
from headcount.population.model import Population, fit_kinds
from headcount.population.profile_likelihood import farthest

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Counts = tuple[Ints, Floats]

MOST_STRATA = 5
"""Strata that items are divided into, about equal in size."""

FEWEST_ITEMS = 200
"""Items that a stratum needs: with fewer, what chance does to its moments would be believed."""

MOST_RATINGS = 2
"""Ratings an item that leave the shape open."""

_LOST = 0.5
"""Log-likelihood that strata may lose to the best population, by which they tell what it leaves
open and contradict nothing. Strata of items that are all alike can lose more by chance: the
population is then sought on the way to theirs."""


def strata_by(order: Floats, counts: Ints, size: NDArray[np.number]) -> tuple[Counts, ...]:
    """Items divided by `order` (G,), a number an item group, into strata about equal in size.

    Rows are groups of items: counts (G, L), held by `size` (G,) items. Items with the same
    number stay together. None where there are too few items for two strata.

    >>> strata = strata_by(np.array([0.1, 0.9]), np.array([[2, 0], [1, 1]]), np.array([300, 300]))
    >>> [(counts.tolist(), size.tolist()) for counts, size in strata]
    [([[2, 0]], [300.0]), ([[1, 1]], [300.0])]
    """
    n_strata = min(int(size.sum()) // FEWEST_ITEMS, MOST_STRATA)
    if n_strata < 2:
        return ()
    _, place = np.unique(order, return_inverse=True)
    held = np.bincount(place.ravel(), weights=size)
    before = np.cumsum(held) - held / 2
    stratum = np.minimum(before * n_strata / held.sum(), n_strata - 1).astype(np.int64)
    of_row = stratum[place.ravel()]
    parts = (of_row == each for each in range(n_strata))
    found = tuple(grouped(counts[part], size[part].astype(float)) for part in parts if part.any())
    return found if len(found) > 1 else ()


def in_strata(
    whole: Population, counts: Ints, size: Floats, strata: Sequence[Counts]
) -> Population:
    """The population that strata of its items make up, where the ratings leave that open.

    `whole` was fitted to counts (G, L) held by `size` (G,) items; items outside all strata are
    one more. The whole's own where strata are of other items.
    """
    mixture, fit, likelihood = whole.mixture, whole.fit, whole.likelihood
    if not isinstance(mixture, Atoms) or fit is None or likelihood is None:
        return whole
    parts = _with_the_rest(counts, size, strata)
    if whole.most_ratings > MOST_RATINGS or len(parts) < 2:
        return whole
    fitted = [fit_kinds(of, items, mixture.atoms, slip=mixture.slip) for of, items in parts]
    share = np.array([items.sum() for _, items in parts]) / size.sum()
    weights: Floats = share @ np.array([each.mixture.weights for each in fitted])
    if likelihood.at(weights) < fit.log_likelihood - _LOST:
        floor = (fit.log_likelihood - _LOST) / likelihood.total
        weights = farthest(likelihood, fit.weights, weights, floor)
    return replace(
        whole, mixture=replace(mixture, weights=weights), fit=replace(fit, weights=weights)
    )


def _with_the_rest(counts: Ints, size: Floats, strata: Sequence[Counts]) -> list[Counts]:
    """The strata and the items in none of them; nothing where they hold items that are not here."""
    if not strata:
        return []
    inside = np.concatenate([of for of, _ in strata])
    taken = np.concatenate([items for _, items in strata])
    pattern, left = grouped(np.concatenate([counts, inside]), np.concatenate([size, -taken]))
    if left.min() < -1e-9:
        return []
    rest = left > 1e-9
    return [*strata, (pattern[rest], left[rest])] if rest.any() else list(strata)
