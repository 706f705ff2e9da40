"""From how often people contradict themselves to how often an answer is a slip."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Floats = NDArray[np.float64]
Formula = Literal["all-labels", "two-labels"]


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


def binomial_bounds(events: ArrayLike, trials: ArrayLike, tail: float = 0.05) -> Floats:
    """Lower and upper bound of a rate, shape (2, …): the exact (Clopper–Pearson) interval.

    `tail` is left out on either side, so the default gives the 5th and 95th percentile.
    Without trials the bounds are 0 and 1.
    """
    x, n = np.asarray(events, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    low = np.where(x > 0, stats.beta.ppf(tail, np.maximum(x, 1), n - x + 1), 0.0)
    high = np.where(x < n, stats.beta.ppf(1 - tail, x + 1, np.maximum(n - x, 1)), 1.0)
    return np.stack([low, high])
