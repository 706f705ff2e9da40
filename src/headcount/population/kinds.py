"""Kinds of items for more than two labels: what the ratings allow beside a mixture of Dirichlets.

A mixture of Dirichlets is a smooth model, and intervals from its refits are those of the model:
a population of clear items and of pairs that people confuse is not in it. The same ratings are
therefore also fitted by weights of many kinds of items, from the corners of the simplex (clear
items), the ways between labels that people give to the same items, and the model itself. That
is a convex problem as with two labels, with profile intervals that hold what few ratings cannot
tell.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from headcount.population.mixtures import Mixture
from headcount.population.model import Population, fit_kinds

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_WORK = 30_000_000
"""Patterns² × kinds up to which kinds are fitted: half a second for two functionals' intervals."""

_CORNER, _BETWEEN = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4), (0.0, 0.06)
"""How far kinds at the corners, and those between labels, lean to what all people say."""

_MOST_SETS = 30
"""Sets of labels given to the same items that have kinds of their own, the commonest first."""

_STEPS = np.arange(0.1, 0.95, 0.1)
_DRAWN = 300


def fit_many_kinds(
    mixture: Mixture, counts: Ints, size: Floats, *, slip: float = 0.0, seed: int = 0
) -> Population | None:
    """Weights of many kinds of items fitted to counts (G, L), None where that takes too long."""
    kinds = kinds_of(mixture, counts, size, seed=seed)
    if len(counts) ** 2 * len(kinds) > MOST_WORK:
        return None
    return fit_kinds(counts, size, kinds, slip=slip)


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
