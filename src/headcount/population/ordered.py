"""Kinds of items on an ordered scale: where people place an item, and how far they are apart.

A person places an item at m + s·N(0, 1) and gives the level that this falls into; m and s are the
item's. All pairs on a grid are the kinds of items that a population may hold, in any mixture: items
that all people place alike (s small), that divide people between the ends (s large), and whatever
lies between. The cuts between the levels are where they must be for the levels to be as common as
they are. That is far fewer kinds than all distributions over the levels, so a few hundred items
tell which there are.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from headcount.frozen import frozen
from headcount.population.components import cross_fit_dirichlets
from headcount.population.folds import Folds
from headcount.population.maximum_likelihood import Likelihood, maximum_likelihood
from headcount.population.mixtures import Atoms, Dirichlets

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_PLACES = np.linspace(-3.5, 3.5, 41)
_SPREADS = (0.2, 0.4, 0.7, 1.0, 1.5, 2.5, 4.0)

_MOST_CELLS = 2_000_000
"""Patterns × kinds up to which kinds are fitted: beyond it a mixture of Dirichlets is quicker."""


def ordered_kinds(counts: Ints, size: Floats) -> Floats:
    """The distributions over levels (M, L) of items at every place and spread."""
    common = size @ counts + 0.5
    cuts = ndtri(np.cumsum(common / common.sum())[:-1])
    kinds = []
    for spread in _SPREADS:
        below = ndtr((cuts - _PLACES[:, None]) / spread)
        ends = np.zeros(len(_PLACES)), np.ones(len(_PLACES))
        kinds.append(np.diff(np.column_stack([ends[0], below, ends[1]]), axis=1))
    found: Floats = np.maximum(np.vstack(kinds), 0.0)
    return found


def fit_ordered(counts: Ints, size: Floats) -> Atoms:
    """The most likely mixture of ordered kinds."""
    kinds = ordered_kinds(counts, size)
    even = Atoms(np.full(len(kinds), 1 / len(kinds)), kinds)
    fit = maximum_likelihood(Likelihood.from_logs(even.log_likelihoods(counts), size))
    return Atoms(fit.weights, kinds, reserve=1 / (1 + float(size.sum())))


@frozen
class OrderedFits:
    """For each fold a mixture fitted to the others, and whether it is one of ordered kinds."""

    mixtures: tuple[Atoms | Dirichlets, ...]
    of_kinds: bool


def cross_fit_ordered(
    counts: Ints, folds: Folds, *, components: int | None = None, seed: int = 0
) -> OrderedFits:
    """Ordered kinds or Dirichlets for each fold: whichever held-out items are likelier under.

    Ordered kinds need less to be learned from; Dirichlets can be any shape, also one that no
    order of the labels explains.
    """
    others = cross_fit_dirichlets(counts, folds, components=components, seed=seed)
    if len(counts) * len(_PLACES) * len(_SPREADS) > _MOST_CELLS:
        return OrderedFits(others.mixtures, of_kinds=False)
    kinds = tuple(fit_ordered(*folds.others(counts, each)) for each in range(folds.n))
    of_kinds = _held_out(kinds, counts, folds) >= _held_out(others.mixtures, counts, folds)
    return OrderedFits(kinds if of_kinds else others.mixtures, of_kinds=of_kinds)


def _held_out(mixtures: Sequence[Atoms | Dirichlets], counts: Ints, folds: Folds) -> float:
    """The log-likelihood of each fold's items under the mixture that was fitted without them."""
    total = 0.0
    for each, mixture in enumerate(mixtures):
        held = folds.fold == each
        total += float(folds.size[held] @ mixture.log_probability(counts[folds.row[held]]))
    return total
