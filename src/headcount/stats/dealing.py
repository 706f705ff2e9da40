"""Items dealt into folds at random and evenly, as cards are, where equal items lie in groups."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Dealt = NDArray[np.integer]

_AT_ONCE = 4_000_000
"""Items looked at in one go: there may be a hundred million."""


def deal(n_items: int, folds: int, seed: int) -> Dealt:
    """A fold for each item, as even as can be, in random order."""
    kind = np.uint8 if folds <= 256 else np.int64  # small ones are shuffled twice as fast
    even = np.tile(np.arange(folds, dtype=kind), -(-n_items // folds))[:n_items]
    return np.random.default_rng([seed, folds]).permutation(even)


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
