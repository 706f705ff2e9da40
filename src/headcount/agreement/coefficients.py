"""The coefficients, each a function of the totals, for all draws at once.

NaN marks a draw for which a coefficient has no value; `why_undefined` says why.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.totals import Totals

Floats = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]

NO_PAIRS = "no item has two ratings, so there is nothing to compare"
ONE_LABEL = "every rating is the same label, so chance alone would agree as well"
NO_CHOICE = "there is only one label to choose, so chance alone would agree as well"


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


def why_undefined(totals: Totals, name: str) -> str:
    """The reason that a coefficient of the data themselves (the first row) has no value."""
    if totals.pairs[0] == 0:
        return NO_PAIRS
    if totals.shares.shape[1] == 1:
        return NO_CHOICE
    return ONE_LABEL if name in ("fleiss_kappa", "krippendorff_alpha") else NO_PAIRS


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
