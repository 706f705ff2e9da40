"""Percentile intervals that carry censored draws and count undefined ones."""

import math

import numpy as np
from numpy.typing import ArrayLike

from headcount.results import Estimate, State


def estimate_from_draws(
    value: float,
    draws: ArrayLike,
    tail: float,
    *,
    undefined: str = "there is no value for these data",
    floor: float | None = None,
    ceiling: float | None = None,
) -> Estimate:
    """A value and its bootstrap draws as an estimate with a percentile interval.

    `tail` is the share of draws outside the interval on each side, as `Bootstrap.tail` gives it.

    −∞ and +∞ stand for draws censored below `floor` and above `ceiling`: they take their
    place in the order of the draws, so an end of the interval can itself be censored.
    NaN is an undefined draw: it has no place in the order, is left out of the percentiles
    and counted in the note. No draws give a value without an interval.
    """
    drawn = np.asarray(draws, dtype=float)
    number, state = _finite_or_state(value)
    censorable = floor is not None or ceiling is not None
    note = undefined if math.isnan(value) else None
    defined = np.sort(drawn[~np.isnan(drawn)])
    n_undefined = drawn.size - defined.size
    if n_undefined and note is None:
        note = f"{n_undefined} of {drawn.size} bootstrap samples gave no value ({undefined})"
    low, low_state, high, high_state = None, None, None, None
    if defined.size and not math.isnan(value):
        low, low_state = _finite_or_state(_percentile(defined, tail))
        high, high_state = _finite_or_state(_percentile(defined, 1 - tail))
    if not censorable:
        state = low_state = high_state = None
    return Estimate(
        number, low, high, state, low_state, high_state, floor=floor, ceiling=ceiling, note=note
    )


def _percentile(ordered: np.ndarray, share: float) -> float:
    """Linear between order statistics; between a number and infinity, the nearer one.

    The k-th of B draws is the k/(B + 1) percentile: so much of all further draws is expected
    below it.
    """
    position = min(max(share * (ordered.size + 1) - 1, 0), ordered.size - 1)
    below = math.floor(position)
    left, right = ordered[below], ordered[min(below + 1, ordered.size - 1)]
    weight = position - below
    if math.isinf(left) or math.isinf(right):
        return float(right if weight > 0.5 else left)
    return float(left + weight * (right - left))


def _finite_or_state(number: float) -> tuple[float | None, State | None]:
    if math.isnan(number):
        return None, None
    if math.isinf(number):
        return None, "above" if number > 0 else "below"
    return float(number), "within"
