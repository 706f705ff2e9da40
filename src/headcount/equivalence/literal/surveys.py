"""What the columns of a subset say about each item, each different case once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_ROOM = 2**62
"""Keys beyond this would overflow."""


@dataclass(frozen=True)
class Matrix:
    """A rating matrix: `said[j, i, ℓ]` is 1 where rater j gave item i the label ℓ.

    `patterns` (G, L) are the distinct label counts of the items and `pattern` (N,) says which
    one each item has.
    """

    said: NDArray[np.int16]
    patterns: Ints
    pattern: Ints

    @classmethod
    def of(cls, answers: NDArray[np.integer], n_labels: int) -> "Matrix":
        """From items × raters label positions, −1 where a rater did not rate the item."""
        said = (answers.T[:, :, None] == np.arange(n_labels)).astype(np.int16)
        counts = said.sum(axis=0, dtype=np.int64)
        patterns, pattern = np.unique(counts, axis=0, return_inverse=True)
        return cls(said, patterns, pattern.ravel())

    @property
    def n_raters(self) -> int:
        """How many columns there are."""
        return len(self.said)

    @property
    def n_items(self) -> int:
        """How many rows there are."""
        return len(self.pattern)


@dataclass(frozen=True)
class Cases:
    """The distinct (survey, item's pattern) pairs among all subsets.

    `surveys` (C, L) and `pattern` (C,) describe them; `index` (S, N) says which case each
    subset makes of each item.
    """

    surveys: Ints
    pattern: Ints
    index: Ints


def cases(matrix: Matrix, subsets: Ints) -> Cases:
    """What each subset of columns says about each item; blanks say nothing."""
    n_subsets, k = subsets.shape
    shape = (n_subsets, *matrix.said.shape[1:])
    surveys = np.zeros(shape, dtype=np.int16)
    for column in subsets.T:
        surveys += matrix.said[column]
    key = np.broadcast_to(matrix.pattern, shape[:2]).ravel()
    for label in range(shape[2]):
        if int(key.max(initial=0)) >= _ROOM // (k + 1):
            key = np.unique(key, return_inverse=True)[1]
        key = key * (k + 1) + surveys[:, :, label].ravel()
    _, first, index = np.unique(key, return_index=True, return_inverse=True)
    flat = surveys.reshape(-1, shape[2])
    return Cases(
        flat[first].astype(np.int64),
        matrix.pattern[first % matrix.n_items],
        index.reshape(shape[:2]),
    )
