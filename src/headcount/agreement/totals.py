"""What every coefficient is computed from: sums over items, for the data and for every draw.

An item with label counts c and n = Σc ratings has n(n−1) ordered pairs of ratings, of which
Σ c(c−1) agree. Each coefficient is a function of a few such sums, so a bootstrap draw, which
only changes how often a pattern of counts is there, costs one row of a matrix product.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Totals:
    """Sums over items; the first axis of every array is the draw.

    `agreeing`, `pairs` (B,) ordered pairs of ratings by two raters on one item;
    `item_agreement` (B,) the sum of the items' own shares of agreeing pairs, over
    `items_compared` (B,) items with at least one pair; `shares` (B, L) the sum of the items'
    label shares over `items_rated` (B,); `marginals` (B, L) the labels of items with pairs,
    and `together` (B,) their coincidences of a label with itself (Krippendorff's o_ll,
    summed over ℓ).
    """

    agreeing: Floats
    pairs: Floats
    item_agreement: Floats
    items_compared: Floats
    shares: Floats
    items_rated: Floats
    marginals: Floats
    together: Floats


def totals_of_patterns(counts: NDArray[np.int64], times: NDArray[np.int64]) -> Totals:
    """Totals for patterns `counts` (G, L) that occur `times` (B, G)."""
    features = _features(counts)
    n_labels = counts.shape[1]
    sums = times.astype(np.float64) @ features
    return Totals(
        agreeing=sums[:, 0],
        pairs=sums[:, 1],
        item_agreement=sums[:, 2],
        items_compared=sums[:, 3],
        items_rated=sums[:, 4],
        together=sums[:, 5],
        shares=sums[:, 6 : 6 + n_labels],
        marginals=sums[:, 6 + n_labels :],
    )


def spread_of_patterns(
    counts: NDArray[np.int64], times: NDArray[np.int64], values: Floats
) -> Floats:
    """Observed disagreement (B,) when labels lie at `values` (B, L), one row a draw.

    Krippendorff's Σ o_ℓk (v_ℓ − v_k)²: for one item 2[n Σ c v² − (Σ c v)²]/(n − 1), with no
    sum over pairs of labels.
    """
    n = counts.sum(axis=1).astype(np.float64)
    paired = n > 1
    c, n = counts[paired].astype(np.float64), n[paired]
    inside = n[:, None] * (c @ (values**2).T) - (c @ values.T) ** 2
    weight = 2 * times[:, paired].astype(np.float64) / (n - 1)
    return np.asarray(np.einsum("bg,gb->b", weight, inside))


def _features(counts: NDArray[np.int64]) -> Floats:
    """For each pattern, what one item of it adds to the totals: (G, 6 + 2L)."""
    c = counts.astype(np.float64)
    n = c.sum(axis=1)
    agreeing, pairs = (c * (c - 1)).sum(axis=1), n * (n - 1)
    paired = n > 1
    per_pair = 1 / np.where(paired, pairs, 1)
    return np.column_stack(
        [
            agreeing,
            pairs,
            agreeing * per_pair,
            paired,
            n > 0,
            n * agreeing * per_pair,
            c / np.maximum(n, 1)[:, None],
            c * paired[:, None],
        ]
    )
