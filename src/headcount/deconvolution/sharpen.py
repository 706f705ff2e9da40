"""From the labels people gave to the labels they hold: the deconvolution itself."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TIE = 1e-9
"""Weighted shares that differ by less are rounding, not a majority."""


def primary_shares(shares: Floats, flip: Floats) -> Floats:
    """The share of people whose primary label is ℓ: max(p_ℓ − p_flip/(L − 1), 0), renormalised.

    `shares` (…, n, L) are the labels as given and `flip` (…, n) the slip rates; leading axes
    broadcast. A rate of 0 leaves the shares alone; once p_flip/(L − 1) reaches every
    minority share the majority takes all, and where nothing would be left at all too
    (tied labels share).

    >>> primary_shares(np.array([[0.6, 0.4]]), np.array([0.176])).round(3)
    array([[0.654, 0.346]])
    """
    n_labels = shares.shape[-1]
    noise = flip[..., None] / max(n_labels - 1, 1)
    left = np.maximum(shares - noise, 0.0)
    total = left.sum(axis=-1, keepdims=True)
    some = total > _TIE
    return np.where(some, left / np.where(some, total, 1.0), majority_shares(shares))


def majority_shares(shares: Floats) -> Floats:
    """All the weight on the most common label, shared equally by labels that tie for it.

    >>> majority_shares(np.array([[0.6, 0.4], [0.5, 0.5]]))
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    top = shares >= shares.max(axis=-1, keepdims=True) - _TIE
    shared: Floats = top / top.sum(axis=-1, keepdims=True)
    return shared


def disagreement_level(shares: Floats) -> Floats:
    """The share of labels that are not the majority's, (n,): 0 where everyone agrees."""
    level: Floats = 1 - shares.max(axis=-1)
    return np.where(level < _TIE, 0.0, level)
