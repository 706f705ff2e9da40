"""How often an answer is a slip, and so from the labels people gave to the labels they hold."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Answers
from headcount.frozen import frozen
from headcount.results.files import write_frame


def flip_rate(disagreement: ArrayLike, n_labels: int) -> Floats:
    """The slip rate p behind a self-disagreement rate r, any shape.

    A slip lands on each of the other labels alike, so two answers to one question agree with
    chance (1 − p)² + p²/(L − 1), and r = 2p − p²·L/(L − 1). Solved for p:
    p = ((L − 1)/L)·(1 − √(1 − r·L/(L − 1))). Answers drawn blindly differ at the rate
    (L − 1)/L; past that limit r says nothing more and is cut to it. With one label nobody slips.

    >>> round(float(flip_rate(0.291, 2)), 3)
    0.177
    """
    limit = most_disagreement(n_labels)
    if not limit:
        return np.zeros(np.shape(disagreement))
    r = np.clip(np.asarray(disagreement, dtype=np.float64), 0.0, limit)
    rate: Floats = limit * (1 - np.sqrt(np.maximum(1 - r / limit, 0.0)))
    return rate


def most_disagreement(n_labels: int) -> float:
    """How often two blind answers differ, (L − 1)/L: the limit of what retests can say."""
    return (n_labels - 1) / n_labels


@frozen
class Trials:
    """What raters tell about slips: a row for each rater and item, (m,) codes and numbers.

    `label` is the rater's first answer. Of `trials` (pairs of answers to the item; fitted
    ratings) `events` went wrong (pairs that differ; wrong predictions).
    """

    item: Ints
    rater: Ints
    label: Ints
    events: Floats
    trials: Floats

    def among(self, place: Ints) -> "Trials":
        """The rows of items that have a place, under their new numbers; −1 is none."""
        item = place[self.item]
        kept = item >= 0
        return Trials(
            item[kept], self.rater[kept], self.label[kept], self.events[kept], self.trials[kept]
        )

    def summed(self, stratum: Ints, n_items: int, n_strata: int) -> "Evidence":
        """By item and stratum, where `stratum` (m,) is that of each row."""
        cell = self.item * n_strata + stratum
        shape = (n_items, n_strata)
        return Evidence(
            totals(cell, self.events, n_items * n_strata).reshape(shape),
            totals(cell, self.trials, n_items * n_strata).reshape(shape),
        )


@frozen
class Evidence:
    """What each item tells about the slips in each stratum: `events` of `trials`, both (n, S)."""

    events: Floats
    trials: Floats

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "Evidence":
        """The evidence of some of the items."""
        return Evidence(self.events[rows], self.trials[rows])


def retest_trials(answers: Answers) -> Trials:
    """Every pair of answers that one rater gave to one item.

    Three answers make three pairs. The order of the answers does not matter.
    """
    n_raters = max(len(answers.raters), 1)
    asked = answers.item * n_raters + answers.rater
    again = np.isin(asked, asked[answers.occasion > 0])
    asked, label, occasion = asked[again], answers.label[again], answers.occasion[again]
    who, row, times = np.unique(asked, return_inverse=True, return_counts=True)
    row = row.ravel()
    n_labels = int(label.max(initial=0)) + 1
    same, same_times = np.unique(row * n_labels + label, return_counts=True)
    pairs = _pairs(times)
    agreeing = totals(same // n_labels, _pairs(same_times), len(who))
    first = np.zeros(len(who), dtype=np.int64)
    first[row[occasion == 0]] = label[occasion == 0]
    return Trials(who // n_raters, who % n_raters, first, pairs - agreeing, pairs)


def totals(place: NDArray[np.integer], values: ArrayLike, n: int) -> Floats:
    """The sum of `values` (R,) at each of `n` places."""
    sums = np.bincount(place, weights=np.asarray(values, dtype=np.float64), minlength=n)
    return sums.astype(np.float64, copy=False)


def _pairs(times: Ints) -> Floats:
    return times * (times - 1) / 2


# Weighted shares that differ by less are rounding, not a majority.
_TIE = 1e-9

# Of the rate of blind answers: slips that come closer to it leave nothing to correct.
MOST_SLIPS = 0.95


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
