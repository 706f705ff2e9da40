"""Items dealt into folds at random and evenly, as cards are, where equal items lie in groups."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Dealt = NDArray[np.integer]

_AT_ONCE = 4_000_000
"""Items looked at in one go: there may be a hundred million."""
_ALIKE = 400
"""Items of a group from which on drawing how many go where is quicker than dealing them."""


def deal(n_items: int, folds: int, seed: int) -> Dealt:
    """A fold for each item, as even as can be, in random order."""
    kind = np.uint8 if folds <= 256 else np.int64  # small ones are shuffled twice as fast
    even = np.tile(np.arange(folds, dtype=kind), -(-n_items // folds))[:n_items]
    return np.random.default_rng([seed, folds]).permutation(even)


def in_few_groups(size: Ints) -> bool:
    """Whether there are so many items, in so few groups, that one by one is the slower way.

    NumPy draws from fewer than a billion at once.
    """
    n_items = int(size.sum())
    return _AT_ONCE < n_items < 10**9 and len(size) * _ALIKE < n_items


def dealt_by_group(size: Ints, n: int, seed: int) -> Ints:
    """How many items of each group every fold gets, (G, n), as if they were dealt one by one.

    >>> dealt_by_group(np.array([3, 0, 2]), 2, seed=0).sum(axis=0).tolist()
    [3, 2]
    """
    rng = np.random.default_rng([seed, n])
    total = int(size.sum())
    left = np.full(n, total // n) + (np.arange(n) < total % n)
    found = np.zeros((len(size), n), dtype=np.int64)
    for group, items in enumerate(size):
        found[group] = rng.multivariate_hypergeometric(left, items, method="marginals")
        left -= found[group]
    return found


def blocks(size: Ints) -> Iterator[slice]:
    """Groups of `size` (G,) items in runs of a few million items, or of one group."""
    ends = np.cumsum(size)
    first = 0
    while first < len(size):
        most = int(ends[first] - size[first]) + _AT_ONCE
        past = max(first + 1, int(np.searchsorted(ends, most, side="right")))
        yield slice(first, past)
        first = past


def tally(key: Dealt, n_keys: int) -> tuple[Ints, Ints]:
    """The keys there are, rising, and how often each occurs; keys are below `n_keys`.

    >>> tally(np.array([2, 0, 2]), 4)
    (array([0, 2]), array([1, 2]))
    """
    if n_keys > 4 * len(key):
        found, number = np.unique(key, return_counts=True)
        return found.astype(np.int64), number.astype(np.int64)
    number = np.bincount(key, minlength=1)
    found = np.flatnonzero(number)
    return found, number[found]
