"""The coefficients: each a function of a few sums over items, for all draws at once.

An item with label counts c and n = Σc ratings has n(n−1) ordered pairs of ratings, of which
Σ c(c−1) agree. Each coefficient is a function of a few such sums, so a bootstrap draw, which
only changes how often a pattern of counts is there, costs one row of a matrix product. NaN
marks a draw for which a coefficient has no value; `why_undefined` says why.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
ByName = dict[str, Floats]
Level = Literal["nominal", "ordinal", "interval"]

NO_PAIRS = "no item has two ratings, so there is nothing to compare"
ONE_LABEL = "every rating is the same label, so chance alone would agree as well"
NO_CHOICE = "there is only one label to choose, so chance alone would agree as well"


@frozen
class Scale:
    """The levels at which alpha is wanted, the main one first, and the labels as numbers."""

    levels: tuple[Level, ...]
    values: Floats | None = None


@frozen
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


def totals_of_patterns(counts: Ints, times: NDArray[np.number]) -> Totals:
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


def spread_of_patterns(counts: Ints, times: NDArray[np.number], values: Floats) -> Floats:
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


def percent_agreement(totals: Totals) -> Floats:
    """Share of pairs of ratings on the same item that agree."""
    return _ratio(totals.agreeing, totals.pairs)


def item_agreement(totals: Totals) -> Floats:
    """The mean over items of the share of agreeing pairs: every item counts the same."""
    return _ratio(totals.item_agreement, totals.items_compared)


def uniform_kappa(totals: Totals) -> Floats:
    """Kappa against raters who pick among the N labels with chance 1/N each."""
    n_labels = totals.shares.shape[1]
    return _beyond_chance(percent_agreement(totals), np.array(1 / n_labels))


def fleiss_kappa(totals: Totals) -> Floats:
    """Fleiss's kappa, for ragged data as by Gwet: items count the same, whatever their n."""
    chance = _only_if_mixed(totals.shares, (_item_shares(totals) ** 2).sum(axis=1))
    return _beyond_chance(item_agreement(totals), chance)


def gwet_ac1(totals: Totals) -> Floats:
    """Gwet's AC1: chance agreement is Σ π(1 − π)/(N − 1)."""
    share = _item_shares(totals)
    n_labels = share.shape[1]
    if n_labels == 1:
        return np.full(len(share), np.nan)
    chance = (share * (1 - share)).sum(axis=1) / (n_labels - 1)
    return _beyond_chance(item_agreement(totals), chance)


def nominal_alpha(totals: Totals) -> Floats:
    """Krippendorff's alpha when labels are either the same or not."""
    total = totals.marginals.sum(axis=1)
    expected = (total**2 - (totals.marginals**2).sum(axis=1)) / np.maximum(total - 1, 1)
    expected = _only_if_mixed(totals.marginals, expected)
    return 1 - _ratio(total - totals.together, expected)


def metric_alpha(totals: Totals, values: Floats, observed: Callable[[Floats], Floats]) -> Floats:
    """Krippendorff's alpha when labels lie at `values` (B, L) and distance is squared.

    `observed` gives the observed disagreement for values centred and scaled as here.
    """
    total = totals.marginals.sum(axis=1)
    share = totals.marginals / np.maximum(total, 1)[:, None]
    # Centred and scaled, so that squares of large values do not eat the digits.
    centred = values - (share * values).sum(axis=1, keepdims=True)
    width = np.abs(centred).max(axis=1, keepdims=True)
    scaled = centred / np.where(width > 0, width, 1)
    expected = 2 * total**2 * (share * scaled**2).sum(axis=1) / np.maximum(total - 1, 1)
    expected = _only_if_mixed(totals.marginals, expected)
    return 1 - _ratio(observed(scaled), expected)


def midranks(totals: Totals) -> Floats:
    """Where ordinal labels lie: their mean ranks, so that (v_ℓ − v_k)² is Krippendorff's δ²."""
    upper: Floats = totals.marginals.cumsum(axis=1)
    return upper - totals.marginals / 2


FORMULAS: dict[str, Callable[[Totals], Floats]] = {
    "percent_agreement": percent_agreement,
    "kappa": uniform_kappa,
    "fleiss_kappa": fleiss_kappa,
    "gwet_ac1": gwet_ac1,
}
"""The coefficients that need the totals alone; Krippendorff's alpha joins them below."""


def coefficients(totals: Totals, scale: Scale, spread: Callable[[Floats], Floats]) -> ByName:
    """Every coefficient for every row of the totals; alpha at its level, and at each level.

    `spread` gives the observed disagreement of labels that lie at given values.
    """

    def alpha(level: Level) -> Floats:
        if level == "nominal":
            return nominal_alpha(totals)
        places = midranks(totals) if level == "ordinal" else _as_numbers(totals, scale)
        return metric_alpha(totals, places, spread)

    by_level = {alpha_at(level): alpha(level) for level in scale.levels}
    return {
        **{name: formula(totals) for name, formula in FORMULAS.items()},
        "krippendorff_alpha": by_level[alpha_at(scale.levels[0])],
        **by_level,
    }


def alpha_at(level: Level) -> str:
    """The key of alpha at a level."""
    return f"alpha_{level}"


def of_patterns(counts: Ints, times: NDArray[np.number], scale: Scale) -> ByName:
    """The coefficients when patterns `counts` (G, L) occur `times` (B, G)."""
    totals = totals_of_patterns(counts, times)
    return coefficients(totals, scale, partial(spread_of_patterns, counts, times))


def why_undefined(totals: Totals, name: str) -> str:
    """The reason that a coefficient of the data themselves (the first row) has no value."""
    if totals.pairs[0] == 0:
        return NO_PAIRS
    if totals.shares.shape[1] == 1:
        return NO_CHOICE
    return NO_PAIRS if name in ("percent_agreement", "kappa", "gwet_ac1") else ONE_LABEL


def _features(counts: Ints) -> Floats:
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


def _as_numbers(totals: Totals, scale: Scale) -> Floats:
    assert scale.values is not None
    return np.tile(scale.values, (len(totals.pairs), 1))


def _item_shares(totals: Totals) -> Floats:
    return totals.shares / np.maximum(totals.items_rated, 1)[:, None]


def _only_if_mixed(labels: Floats, numbers: Floats) -> Floats:
    """`numbers` where at least two labels are in use, NaN elsewhere: free of rounding."""
    return np.where((labels > 0).sum(axis=1) > 1, numbers, np.nan)


def _beyond_chance(agreement: Floats, chance: Floats) -> Floats:
    return _ratio(agreement - chance, 1 - chance)


def _ratio(above: Floats, below: Floats) -> Floats:
    above, below = np.broadcast_arrays(above, below)
    out = np.full(above.shape, np.nan)
    return np.asarray(np.divide(above, below, out=out, where=below > 0))
