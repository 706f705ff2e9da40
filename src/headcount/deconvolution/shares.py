"""From the labels people gave to the labels they hold: the deconvolution itself."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.deconvolution.slips import most_disagreement
from headcount.frozen import frozen
from headcount.results.files import write_frame

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TIE = 1e-9
"""Weighted shares that differ by less are rounding, not a majority."""
MOST_SLIPS = 0.95
"""Of the rate of blind answers: slips that come closer to it leave nothing to correct."""


def unbiased_shares(shares: Floats, flip: Floats) -> Floats:
    """The share of people whose primary label is ℓ: (p_ℓ − f/(L − 1)) / (1 − f·L/(L − 1)).

    Slips turn the shares s that are held into p = (1 − f)·s + f·(1 − s)/(L − 1) on average;
    this is the way back, and means of it over items are right on average. An item by itself
    can come out below 0 or above 1: what is cut off there would be missing in the mean.
    `shares` (…, n, L) are the labels as given; `flip` (…, n, L) is the slip rate behind an
    answer of each label, or (…, n, 1) one for all. Sums over labels stay 1. NaN where slips
    are so common that answers are (nearly) blind.

    >>> unbiased_shares(np.array([[1.0, 0.0]]), np.array([[0.1]])).round(3)
    array([[ 1.125, -0.125]])
    """
    n_labels = shares.shape[-1]
    limit = most_disagreement(n_labels)
    if not limit:
        return np.broadcast_to(shares, np.broadcast_shapes(shares.shape, flip.shape)).copy()
    gone = np.where(flip < MOST_SLIPS * limit, flip, np.nan) / limit
    grown = shares / (1 - gone)
    strayed = (grown * flip).sum(axis=-1, keepdims=True) / (n_labels - 1)
    held: Floats = grown - strayed
    return held


def primary_shares(shares: Floats, flip: Floats) -> Floats:
    """The paper's primary labels of single items: max(p_ℓ − p_flip/(L − 1), 0), renormalised.

    `shares` (…, n, L) are the labels as given and `flip` (…, n) the slip rates; leading axes
    broadcast. A rate of 0 leaves the shares alone; once p_flip/(L − 1) reaches every
    minority share the majority takes all, and where nothing would be left at all too
    (tied labels share). Cutting at zero makes means over items too low.

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


@frozen
class DrawnLabels:
    """Labels drawn from each item's primary labels, for tools that know no weights.

    `item`, `draw` and `label` (n × labels_per_item,), a row each.
    """

    item: NDArray[np.object_]
    draw: Ints
    label: NDArray[np.object_]
    library: str = "pyarrow"

    @classmethod
    def of(
        cls, items: NDArray[np.object_], names: tuple[str, ...], codes: Ints, library: str
    ) -> "DrawnLabels":
        """The labels at positions (n, labels_per_item), a row each."""
        number = codes.shape[1]
        return cls(
            np.repeat(items, number),
            np.tile(np.arange(1, number + 1), len(items)),
            np.array(names, dtype=object)[codes.ravel()],
            library,
        )

    def columns(self) -> dict[str, list[Any]]:
        """The rows as named columns."""
        return {
            "item": self.item.tolist(),
            "draw": self.draw.tolist(),
            "label": self.label.tolist(),
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """The rows as a frame of the library the data came in, or of another on request."""
        from headcount.results.result import frame_from_columns

        return frame_from_columns(self.columns(), backend or self.library)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the rows as .csv, .parquet or .jsonl, whole or not at all."""
        return write_frame(self.to_frame("pyarrow"), path, "The drawn labels")


def draw_codes(primary: Floats, labels_per_item: int, seed: int) -> Ints:
    """Label positions (n, labels_per_item) drawn with the chances in `primary` (n, L)."""
    rng = np.random.default_rng([seed, 6])
    edges = primary.cumsum(axis=1)
    edges /= edges[:, -1:]
    chance = rng.random((len(primary), labels_per_item))
    codes: Ints = (chance[:, :, None] >= edges[:, None, :-1]).sum(axis=2)
    return codes
