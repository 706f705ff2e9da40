"""Bounds on the chance of picking the wrong classifier, and the sample sizes they ask for.

All take one item's step chances (see `pairing.Step`) as arrays or numbers. Both bounds hold for
every number of items as long as the drift is positive; where it is not they are 1.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.budget.walk import log_cramer_base

Floats = NDArray[np.float64]


def cramer_failure(
    up: ArrayLike, down: ArrayLike, drift: ArrayLike, still: ArrayLike, items: ArrayLike
) -> Floats:
    """(1 − (√p₊ − √p₋)²)ⁿ: valid for every n, and right in rate as n grows."""
    return np.asarray(np.exp(np.asarray(items) * _cramer_rate(up, down, drift, still)))


def hoeffding_failure(drift: ArrayLike, items: ArrayLike) -> Floats:
    """exp(−n(p₊ − p₋)²/2): valid for every n, far too large where labels are good."""
    return np.asarray(np.exp(np.asarray(items) * _hoeffding_rate(drift)))


def cramer_items(
    up: ArrayLike, down: ArrayLike, drift: ArrayLike, still: ArrayLike, failure: float
) -> Floats:
    """Items from which on Cramér's bound is at most `failure`; infinite where it never is."""
    return _items(_cramer_rate(up, down, drift, still), failure)


def hoeffding_items(drift: ArrayLike, failure: float) -> Floats:
    """Items from which on Hoeffding's bound is at most `failure`; infinite where it never is."""
    return _items(_hoeffding_rate(drift), failure)


def rivals_ruled_out(log_failure: ArrayLike, tolerance: float) -> Floats:
    """How many rivals can be ruled out at once: tolerance / failure of one, rounded down.

    By the union bound: with that many rivals, each at least the margin behind, the best one
    still comes first with probability 1 − tolerance. Capped at 1e300.
    """
    log_rivals = np.log(tolerance) - np.asarray(log_failure, dtype=float)
    return np.asarray(np.floor(np.exp(np.minimum(log_rivals, 690.0)) * (1 + 1e-12)))


def _cramer_rate(up: ArrayLike, down: ArrayLike, drift: ArrayLike, still: ArrayLike) -> Floats:
    chances = [np.asarray(value, dtype=float) for value in (up, down, drift, still)]
    return np.where(chances[2] > 0, log_cramer_base(*chances), 0.0)


def _hoeffding_rate(drift: ArrayLike) -> Floats:
    gap = np.maximum(np.asarray(drift, dtype=float), 0.0)
    return np.asarray(-gap * gap / 2)


def _items(rate: Floats, failure: float) -> Floats:
    falling = rate < 0
    # A hair below, so that a bound met exactly is not missed by rounding.
    needed = np.ceil(np.log(failure) / np.where(falling, rate, -1.0) * (1 - 1e-13))
    return np.where(falling, np.maximum(needed, 1.0), np.inf)
