"""The best decisions on a scale: as many people near as can be, and as near as can be.

On an item whose people answer by p, the decision a has the share Σ_ℓ p_ℓ near(a, ℓ) of them near,
and lies Σ_ℓ p_ℓ |v_a − v_ℓ| from one of them on average. The best decision is the best a of each
item; what it reaches, on average over a population of items, no classifier exceeds.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headcount.population.atoms import Atoms
from headcount.population.curve import Mixture

Floats = NDArray[np.float64]
OfItems = Callable[[Floats], Floats]
"""What is to be averaged over items: of their distributions (n, L), a number each (n,)."""

_DRAWN = 20_000


def most_near(near: Floats) -> OfItems:
    """The share of people near the best decision; `near` (L, L) is 1 where labels are near.

    >>> most_near(np.eye(2))(np.array([[0.3, 0.7]]))
    array([0.7])
    """
    return partial(_most_near, near)


def least_distance(apart: Floats) -> OfItems:
    """How far people are from the best decision; `apart` (L, L) is how far labels are apart.

    >>> least_distance(np.array([[0.0, 1.0], [1.0, 0.0]]))(np.array([[0.3, 0.7]]))
    array([0.3])
    """
    return partial(_least_distance, apart)


def between_people(apart: Floats) -> OfItems:
    """How far two people are from each other.

    >>> between_people(np.array([[0.0, 1.0], [1.0, 0.0]]))(np.array([[0.5, 0.5]]))
    array([0.5])
    """
    return partial(_between_people, apart)


def _most_near(near: Floats, p: Floats) -> Floats:
    best: Floats = (p @ near.T).max(axis=-1)
    return best


def _least_distance(apart: Floats, p: Floats) -> Floats:
    best: Floats = (p @ apart.T).min(axis=-1)
    return best


def _between_people(apart: Floats, p: Floats) -> Floats:
    mean: Floats = np.einsum("...k,kl,...l->...", p, apart, p)
    return mean


def mean_over_items(mixture: Mixture, of_items: OfItems, *, seed: int = 0) -> float:
    """The mean over a population; of Dirichlets, over the same items drawn for every question."""
    if isinstance(mixture, Atoms):
        return float(mixture.weights @ of_items(mixture.atoms))
    return float(of_items(mixture.draw(np.random.default_rng([seed, 9]), _DRAWN)).mean())
