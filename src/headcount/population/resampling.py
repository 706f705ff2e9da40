"""Intervals of a mixture of Dirichlets by resampling items: more than two labels.

Each resample of items is fitted again from where the fit stands. A refit sees fewer different
items and is drawn to what repeats, so its functionals lean to one side; only their spread is
therefore used, as a standard error about the estimate.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from headcount.errors import UnanswerableError
from headcount.population.curve import Mixture
from headcount.population.dirichlet import Dirichlets
from headcount.population.dirichlet_fit import Tallies, refit_dirichlets
from headcount.population.model import Population

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def resampled_mixtures(
    population: Population,
    counts: Ints,
    size: Floats,
    *,
    clusters: Any = None,
    n_bootstrap: int = 200,
    seed: int = 0,
    known: int = 0,
) -> list[Dirichlets]:
    """The mixture refitted to resamples of items, groups (G, L) of `size` items each.

    With `clusters` (C, G), how many items of each group a cluster holds, clusters are drawn.
    The first `known` resamples are passed over.
    """
    mixture = population.mixture
    if not isinstance(mixture, Dirichlets):
        raise UnanswerableError("Kinds of items have profile intervals: resampling fails at edges.")
    total = float(size.sum())
    rng = np.random.default_rng([seed, 5])
    if clusters is None:
        drawn = rng.multinomial(round(total), size / total, size=n_bootstrap)
    else:
        n = clusters.shape[0]
        drawn = (clusters.T @ rng.multinomial(n, np.full(n, 1 / n), size=n_bootstrap).T).T
    return refit_dirichlets(Tallies.of(counts), drawn[known:].astype(np.float64), mixture)


def functional_interval(
    population: Population,
    mixtures: list[Dirichlets],
    functional: Callable[[Mixture], float],
    *,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """The interval of a functional from `resampled_mixtures`, by Student's t.

    A hundred refits hold few draws in the tails: percentiles of them came out too short.
    """
    value = functional(population.mixture)
    if len(mixtures) < 2:
        return value, value
    error = float(np.std([functional(each) for each in mixtures], ddof=1))
    reach = float(stdtrit(len(mixtures) - 1, 0.5 + confidence / 2)) * error
    return value - reach, value + reach
