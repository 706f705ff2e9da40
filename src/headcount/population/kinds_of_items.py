"""Kinds of items: the label distributions that a population without any form may hold.

Two labels: all chances on a fine grid.

Labels in an order: a person places an item at m + s·N(0, 1) and gives the level that this falls
into; m and s are the item's. All pairs on a grid are the kinds: items that all people place alike
(s small), that divide people between the ends (s large), and whatever lies between. The cuts
between the levels are where they must be for the levels to be as common as they are. That is far
fewer kinds than all distributions over the levels, so a few hundred items tell which there are.

More labels: a mixture of Dirichlets is a smooth model, and intervals from its refits are those of
the model; clear items and pairs that people confuse are not in it. Beside it stand the corners of
the simplex (clear items), the ways between labels that people give to the same items, and the
model itself.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from headcount.population.mixtures import Mixture

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_PLACES = np.linspace(-3.5, 3.5, 41)
"""Where people place an item, in standard deviations: all but one in two thousand lie within."""

_SPREADS = (0.2, 0.4, 0.7, 1.0, 1.5, 2.5, 4.0)
"""How far people are apart: from all alike to divided between the ends."""

N_ORDERED_KINDS = len(_PLACES) * len(_SPREADS)
"""How many `ordered_kinds` there are."""

_CORNER, _BETWEEN = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4), (0.0, 0.06)
"""How far kinds at the corners, and those between labels, lean to what all people say."""

_MOST_SETS = 30
"""Sets of labels given to the same items that have kinds of their own, the commonest first."""

_STEPS = np.arange(0.1, 0.95, 0.1)
"""How two labels may divide people: in tenths, which few ratings an item hardly tell apart."""

_DRAWN = 300
"""Kinds drawn from the mixture, and items whose own kinds are offered: the commonest."""


def two_label_grid(most_ratings: int) -> Floats:
    """Label distributions (M, 2) evenly spaced, finer where many ratings tell them apart."""
    # K ratings tell shares apart to about 1/√K; the grid is finer than that throughout.
    n_points = 201 if most_ratings <= 50 else 401 if most_ratings <= 100 else 1001
    p = np.linspace(0.0, 1.0, n_points)
    return np.column_stack([1 - p, p])


def ordered_kinds(counts: Ints, size: Floats) -> Floats:
    """The distributions over levels (M, L) of items at every place and spread."""
    # Half a rating more of each level: one that nobody gave still has room between two cuts.
    common = size @ counts + 0.5
    cuts = ndtri(np.cumsum(common / common.sum())[:-1])
    kinds = []
    for spread in _SPREADS:
        below = ndtr((cuts - _PLACES[:, None]) / spread)
        ends = np.zeros(len(_PLACES)), np.ones(len(_PLACES))
        kinds.append(np.diff(np.column_stack([ends[0], below, ends[1]]), axis=1))
    found: Floats = np.maximum(np.vstack(kinds), 0.0)
    return found


def kinds_of(mixture: Mixture, counts: Ints, size: Floats, *, seed: int = 0) -> Floats:
    """Label distributions (M, L) that items rated like these counts (G, L) may have."""
    overall = size @ counts / float(size @ counts.sum(axis=1))
    corners = [_leaning(np.eye(counts.shape[1]), overall, by) for by in _CORNER]
    between = _between(counts, size)
    drawn = mixture.draw(np.random.default_rng([seed, 9]), _DRAWN)
    seen = mixture.predict(counts[np.argsort(-size, kind="stable")[:_DRAWN]])
    ways = [_leaning(between, overall, by) for by in _BETWEEN] if len(between) else []
    even = np.full(counts.shape[1], 1 / counts.shape[1])
    return np.vstack([*corners, *ways, overall[None], even[None], drawn, seen])


def _leaning(kinds: Floats, overall: Floats, by: float) -> Floats:
    leaning: Floats = (1 - by) * kinds + by * overall
    return leaning


def _between(counts: Ints, size: Floats) -> Floats:
    """Even divisions among labels that go together, and uneven ones between two of them."""
    sets: dict[tuple[int, ...], float] = {}
    for row, items in zip(counts > 0, size, strict=True):
        given = np.flatnonzero(row)
        for n in range(2, min(len(given), 4) + 1):
            for labels in combinations(given.tolist(), n):
                sets[labels] = sets.get(labels, 0.0) + float(items)
    common = sorted(sets, key=lambda each: -sets[each])[:_MOST_SETS]
    found = []
    for labels in common:
        shares = [np.full(len(labels), 1 / len(labels))]
        if len(labels) == 2:
            shares += [np.array([step, 1 - step]) for step in _STEPS if abs(step - 0.5) > 0.01]
        for share in shares:
            kind = np.zeros(counts.shape[1])
            kind[list(labels)] = share
            found.append(kind)
    return np.array(found)
