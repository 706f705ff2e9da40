"""Groups of equal items dealt into folds, so that no item helps to predict itself."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def deal(size: NDArray[np.generic], folds: int, seed: int) -> tuple[Ints, Floats, Ints]:
    """Items dealt evenly at random: for each part of a group its row, its size and its fold.

    Whole items are dealt one by one, as cards are. Sizes that are no whole numbers (weights)
    are divided: each group's whole items are dealt, and the rest of it follows the last.

    >>> row, part, fold = deal(np.array([3, 2]), 2, seed=0)
    >>> part.sum(), np.bincount(fold, weights=part).tolist()
    (np.float64(5.0), [3.0, 2.0])
    """
    sizes = np.asarray(size, dtype=np.float64)
    whole = np.ceil(sizes).astype(np.int64)
    n_items = int(whole.sum())
    rng = np.random.default_rng([seed, folds])
    fold = rng.permutation(np.arange(n_items) % folds)
    row = np.repeat(np.arange(len(sizes)), whole)
    mass = np.ones(n_items)
    last = np.cumsum(whole) - 1
    held = whole > 0
    mass[last[held]] -= (whole - sizes)[held]
    place, inverse = np.unique(row * folds + fold, return_inverse=True)
    part = np.bincount(inverse, weights=mass, minlength=len(place))
    return place // folds, part, place % folds
