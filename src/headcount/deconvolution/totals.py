"""Sums by place."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def totals(place: NDArray[np.integer], values: ArrayLike, n: int) -> NDArray[np.float64]:
    """The sum of `values` (R,) at each of `n` places."""
    sums = np.bincount(place, weights=np.asarray(values, dtype=np.float64), minlength=n)
    return sums.astype(np.float64, copy=False)
