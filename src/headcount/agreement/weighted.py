"""Coefficients that give part credit for answers that lie near each other.

`weights` (L, L) says what two answers are worth together: 1 on the diagonal, less the further
apart. With identity weights AC2 is AC1 and every kappa its unweighted self. Like the other
coefficients these are functions of counts, for all draws at once, and NaN marks a draw for
which there is no value; `why_undefined` of `coefficients` names the reasons.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.errors import OptionError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Weighting = Literal["identity", "linear", "quadratic"]


def weights_between(values: ArrayLike, kind: Weighting = "quadratic") -> Floats:
    """What two answers are worth together, (L, L), for labels that lie at `values` (L,).

    1 − |v_k − v_ℓ|ᵖ / (v_max − v_min)ᵖ with p = 1 (linear) or 2 (quadratic). Labels in order
    without distances lie at 0, 1, 2, …

    >>> weights_between([1, 2, 3], "linear").tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    places = np.asarray(values, dtype=np.float64)
    if kind == "identity":
        return np.eye(len(places))
    if kind not in ("linear", "quadratic"):
        raise OptionError(f'weights are "identity", "linear" or "quadratic"; they were {kind!r}.')
    apart = np.abs(places[:, None] - places[None, :])
    width = apart.max(initial=0.0)
    return np.asarray(
        1 - (apart / (width if width > 0 else 1.0)) ** (2 if kind == "quadratic" else 1)
    )


def pair_credit(counts: Ints, weights: Floats) -> Floats:
    """For each pattern of `counts` (G, L), the mean worth of two of its ratings; NaN if under two.

    Σ_k c_k (Σ_ℓ w_kℓ c_ℓ − 1) / (n(n − 1)): a rating is not paired with itself.
    """
    c = counts.astype(np.float64)
    n = c.sum(axis=1)
    together = (c * (c @ weights - np.diag(weights))).sum(axis=1)
    return _ratio(together, n * (n - 1))


def weighted_agreement(counts: Ints, times: NDArray[np.number], weights: Floats) -> Floats:
    """Observed agreement (B,) when patterns `counts` (G, L) occur `times` (B, G).

    Every item with two ratings counts the same.
    """
    return mean_credit(pair_credit(counts, weights), times.astype(np.float64))


def mean_credit(credit: Floats, occur: Floats) -> Floats:
    """The mean (B,) of items' `credit` (G,), NaN where an item has none, that occur (B, G)."""
    paired = ~np.isnan(credit)
    drawn = occur if paired.all() else occur[:, paired]
    return _ratio(drawn @ credit[paired], drawn.sum(axis=1))


def label_shares(counts: Ints, times: NDArray[np.number]) -> Floats:
    """π (B, L): the mean over items of each label's share of their ratings."""
    c = counts.astype(np.float64)
    n = c.sum(axis=1)
    drawn = times.astype(np.float64) * (n > 0)
    total = drawn.sum(axis=1)
    return np.asarray((drawn @ (c / np.maximum(n, 1)[:, None])) / np.maximum(total, 1)[:, None])


def gwet_ac2(counts: Ints, times: NDArray[np.number], weights: Floats) -> Floats:
    """Gwet's AC2: chance agreement is T_w Σ π(1 − π) / (L(L − 1)), T_w the sum of the weights."""
    n_labels = counts.shape[1]
    if n_labels < 2:
        return np.full(len(times), np.nan)
    share = label_shares(counts, times)
    chance = weights.sum() * (share * (1 - share)).sum(axis=1) / (n_labels * (n_labels - 1))
    return beyond_chance(weighted_agreement(counts, times, weights), chance)


def weighted_fleiss(counts: Ints, times: NDArray[np.number], weights: Floats) -> Floats:
    """Fleiss's kappa with weights: chance agreement is Σ w_kℓ π_k π_ℓ."""
    share = label_shares(counts, times)
    chance = np.einsum("bk,kl,bl->b", share, weights, share)
    chance = np.where((share > 0).sum(axis=1) > 1, chance, np.nan)
    return beyond_chance(weighted_agreement(counts, times, weights), chance)


def beyond_chance(agreement: Floats, chance: Floats) -> Floats:
    """(p_a − p_e)/(1 − p_e), NaN where chance alone would always agree."""
    return _ratio(agreement - chance, 1 - chance)


def _ratio(above: Floats, below: Floats) -> Floats:
    out = np.full(np.broadcast(above, below).shape, np.nan)
    return np.asarray(np.divide(above, below, out=out, where=below > 1e-12))
