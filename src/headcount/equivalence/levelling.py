"""Equal surveys, equal predictions: what scale-free scorers need of combiners that learn.

A combiner that learns leaves the item itself out, so the same survey gets predictions that
differ a little from item to item, and always away from the item's own labels. Most scorers
hardly notice. A ranking or a correlation counts the smallest difference in full: with no
answers at all every item's prediction is the others' mean, which ranks items exactly
backwards. Such scorers are given each survey's mean prediction instead.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def alike(predicted: Floats, survey: NDArray[Any], weight: Floats) -> Floats:
    """Predictions (R,) or (R, L) replaced by their weighted mean over rows of equal survey.

    `survey` is (R,) survey numbers or (R, L) answers. A survey without weight keeps what it
    was given; rows without a prediction (NaN) have no part in a mean.
    """
    rows = survey if survey.ndim == 1 else np.unique(survey, axis=0, return_inverse=True)[1].ravel()
    table = predicted.reshape(len(predicted), -1)
    share = np.where(np.isnan(table).any(axis=1), 0.0, weight)
    many = int(rows.max(initial=-1)) + 1
    total = np.bincount(rows, weights=share, minlength=many)
    known = np.where(share[:, None] > 0, table, 0.0)
    sums = np.column_stack(
        [np.bincount(rows, weights=share * column, minlength=many) for column in known.T]
    )
    held = total[rows] > 0
    means = sums[rows] / np.where(held, total[rows], 1.0)[:, None]
    return np.where(held[:, None], means, table).reshape(predicted.shape)
