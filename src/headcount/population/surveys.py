"""Surveys of a few ratings: all there are, how many of them, and by what chance."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@lru_cache(maxsize=64)
def surveys(k: int, n_labels: int) -> Ints:
    """Every count vector of k ratings (R, L); not to be written to."""
    if n_labels == 1:
        return np.array([[k]], dtype=np.int64)
    if n_labels == 2:
        y = np.arange(k + 1)
        return np.column_stack([k - y, y])
    blocks = []
    for first in range(k + 1):
        rest = surveys(k - first, n_labels - 1)
        blocks.append(np.column_stack([np.full(len(rest), first), rest]))
    return np.vstack(blocks)


@lru_cache(maxsize=64)
def log_orders(k: int, n_labels: int) -> Floats:
    """In how many orders the ratings of each of `surveys` can come, as logarithms (R,)."""
    found: Floats = gammaln(k + 1) - gammaln(surveys(k, n_labels) + 1).sum(axis=1)
    return found


def count_surveys(counts: Ints, most: int) -> Floats:
    """How many surveys of 0..`most` answers each pattern has, shape (G, most + 1).

    Coefficients of Π_ℓ (1 + x + … + x^c_ℓ), as floats: they outgrow integers.
    """
    ways = np.zeros((len(counts), most + 1))
    ways[:, 0] = 1
    for given in counts.T:
        # Multiplying by 1 + … + x^c is a running sum less the same sum c + 1 places back.
        running = np.cumsum(ways, axis=1)
        back = np.arange(most + 1) - given[:, None] - 1
        earlier = np.take_along_axis(running, np.maximum(back, 0), axis=1)
        ways = running - np.where(back >= 0, earlier, 0)
    return ways


def sub_surveys(counts: Ints, most: int) -> tuple[Ints, Ints]:
    """Every survey of at most `most` of a group's ratings that leaves one out: groups and y."""
    group, y = np.arange(len(counts)), np.zeros((len(counts), 0), dtype=np.int64)
    room = np.minimum(counts.sum(axis=1) - 1, most)
    group, room = group[room >= 0], room[room >= 0]
    y = y[: len(group)]
    for label in range(counts.shape[1]):
        options = np.minimum(counts[group, label], room) + 1
        again = np.repeat(np.arange(len(group)), options)
        chosen = np.arange(len(again)) - np.repeat(np.cumsum(options) - options, options)
        group, room = group[again], room[again] - chosen
        y = np.column_stack([y[again], chosen])
    return group, y


def chance_of(surveys: Ints, counts: Ints) -> Floats:
    """P(y | c), row by row: the chance that k answers drawn from counts (R, L) are y (R, L).

    Only where they can be: nowhere more answers in the survey than in the counts.
    """
    log_fact = gammaln(np.arange(counts.sum(axis=1).max(initial=0) + 2) + 1.0)
    rest = np.maximum(counts - surveys, 0)
    each = log_fact[counts] - log_fact[np.minimum(surveys, len(log_fact) - 1)] - log_fact[rest]
    n, k = counts.sum(axis=1), surveys.sum(axis=1)
    whole = (
        log_fact[n] - log_fact[np.minimum(k, len(log_fact) - 1)] - log_fact[np.maximum(n - k, 0)]
    )
    chance: Floats = np.exp(np.minimum(each.sum(axis=1) - whole, 0.0))
    return chance
