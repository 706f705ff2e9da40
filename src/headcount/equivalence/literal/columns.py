"""Columns of raters: subsets of them (Algorithm 2), and what a subset says about each item."""

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from headcount.data import group_rows
from headcount.frozen import frozen

Ints = NDArray[np.int64]


def rater_subsets(raters: int, k: int, *, limit: int, rng: np.random.Generator) -> Ints:
    """Subsets of k of the raters 0..`raters` − 1, shape (S, k), each in rising order.

    All of them where there are at most `limit`; otherwise `limit` different ones, drawn.
    """
    if math.comb(raters, k) <= limit:
        return np.array([*combinations(range(raters), k)], dtype=np.int64)
    found: dict[bytes, Ints] = {}
    while len(found) < limit:
        drawn = rng.permuted(np.tile(np.arange(raters), (limit, 1)), axis=1)[:, :k]
        for subset in np.sort(drawn, axis=1):
            found.setdefault(subset.tobytes(), subset)
            if len(found) == limit:
                break
    return np.array([*found.values()], dtype=np.int64)


def monte_carlo_error(scores: NDArray[np.float64], population: int) -> float:
    """Standard error of the mean over drawn subsets; 0 where all of them were taken."""
    if len(scores) >= population or len(scores) < 2:
        return 0.0
    spared = 1 - len(scores) / population
    return float(np.std(scores, ddof=1) * math.sqrt(spared / len(scores)))


@frozen
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
        groups = group_rows(counts)
        return cls(said, counts[groups.first], groups.of_row)

    @property
    def n_raters(self) -> int:
        """How many columns there are."""
        return len(self.said)

    @property
    def n_items(self) -> int:
        """How many rows there are."""
        return len(self.pattern)


@frozen
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
    shape = (len(subsets), *matrix.said.shape[1:])
    surveys = np.zeros(shape, dtype=np.int16)
    for column in subsets.T:
        surveys += matrix.said[column]
    flat = surveys.reshape(-1, shape[2])
    pattern = np.broadcast_to(matrix.pattern, shape[:2]).ravel()
    groups = group_rows(pattern, flat)
    return Cases(
        flat[groups.first].astype(np.int64),
        pattern[groups.first],
        groups.of_row.reshape(shape[:2]),
    )
