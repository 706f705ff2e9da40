"""How often an answer is a slip: from people who contradict themselves to the chance of it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.data import Answers
from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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


def self_disagreement(flip: ArrayLike, n_labels: int) -> Floats:
    """The self-disagreement rate that a slip rate produces: `flip_rate` the other way round."""
    p = np.asarray(flip, dtype=np.float64)
    rate: Floats = 2 * p - p**2 / most_disagreement(n_labels)
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
