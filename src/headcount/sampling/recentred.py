"""Values without each rater, found on a part of the items, moved to where the whole is."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def recentred(without: ArrayLike, part: ArrayLike, whole: ArrayLike) -> Floats:
    """Values (J, …) without each rater on a part of the items, as they would be on all of them.

    `part` and `whole` (…) are the values with everyone there. What intervals read of values
    without raters is how far these lie apart (`people.rater_variance`), which a part tells; it
    also holds the noise of single answers on fewer items, so that it errs on the side of wider
    intervals. Nothing is cut at the ends of a range: that would make raters seem more alike. A
    number beyond every limit stays where it is.

    >>> recentred([0.5, 0.7], 0.6, 0.62).round(2).tolist()
    [0.52, 0.72]
    """
    left = np.asarray(without, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        shift = np.asarray(whole, dtype=np.float64) - np.asarray(part, dtype=np.float64)
        moved = left + shift
    return np.where(np.isinf(left), left, moved)
