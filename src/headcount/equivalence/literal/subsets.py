"""Algorithm 2: subsets of raters, all of them or a limited number drawn at random."""

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

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
