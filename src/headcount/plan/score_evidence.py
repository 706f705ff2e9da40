"""What ratings in numbers say about which judge is nearest to people.

For item i with ratings r, s_ic = −mean |judge c − r|^p is how near judge c is to people there:
minus the squared distance (p = 2) or the absolute one (p = 1). Its mean over items is what judges
are compared by, and needs no truth: what people vary by on an item is the same for all. Plans
need the same moments of it as of the share who agree.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.plan.evidence import Evidence, with_raters

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

Distance = Literal["squared", "absolute"]


def score_evidence(
    item: Ints, value: Floats, judges: Floats, rater: Ints | None = None, *, distance: Distance
) -> Evidence:
    """The moments of a pilot in numbers.

    `item`, `value` and `rater` (R,) are ratings one by one, `judges` (n, C) the judges' numbers.
    Every rated item counts once.
    """
    rated, place = np.unique(item, return_inverse=True)
    place, judges = place.ravel(), judges[rated]
    each = -(np.abs(judges[place] - value[:, None]) ** (2 if distance == "squared" else 1))
    n, items = np.bincount(place), len(rated)
    s = _by_item(each, place, items) / n[:, None]
    mean = s.mean(axis=0)
    around = (s - mean) / items
    products = _by_item(
        (each[:, :, None] * each[:, None, :]).reshape(len(each), -1), place, items
    ).reshape(items, *2 * (judges.shape[1],))
    one = (products / n[:, None, None]).mean(axis=0) - np.outer(mean, mean)
    several = n > 1
    within = np.zeros_like(one)
    if several.any():
        squares = products - n[:, None, None] * s[:, :, None] * s[:, None, :]
        within = (squares[several] / (n[several] - 1)[:, None, None]).mean(axis=0)
    found = Evidence(
        items=items,
        mean=mean,
        over_items=around.T @ around * items / max(items - 1, 1),
        over_raters=np.zeros_like(one),
        one_label=one,
        within=within,
        rater=np.zeros_like(one),
    )
    if rater is None:
        return found
    share = np.full(items, 1 / items)
    return with_raters(found, each, s, n, share, item=place, rater=rater)


def _by_item(values: Floats, item: Ints, items: int) -> Floats:
    """Sums (n, q) of rows (R, q) by item."""
    return np.column_stack(
        [np.bincount(item, weights=column, minlength=items) for column in values.T]
    )
