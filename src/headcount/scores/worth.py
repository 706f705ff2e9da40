"""How many people a judge's numbers are worth, by squared error and linear surveys.

The best linear prediction from k people's mean has the error τ²σ²/(kτ² + σ²) against the true
score. A judge with error d is worth the k with the same: k = σ²(τ² − d)/(dτ²), any real number,
from two ratings an item. It is a ratio of two smooth functions of means, so its interval is
Fieller's: the k for which σ²(τ² − d) − k·dτ² cannot be told from nought. That holds with heavy
tails and near the ends, where the ratio itself has no standard error to speak of.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headcount.results import Estimate
from headcount.stats.crossing import estimate_of_crossing
from headcount.stats.delta import Smooth
from headcount.stats.people import student
from headcount.stats.population.worth import MOST_RATERS

Floats = NDArray[np.float64]

NOT_APART = "people's mean ratings do not differ between items beyond chance"
ALL_ALIKE = "people never differ on an item, so that one person is worth any number of them"

_PLACES = np.concatenate([[0.0], np.geomspace(1e-3, MOST_RATERS, 800)])
"""The numbers of people that a worth is told from: ends are found on the line between them."""


def worth_of(within: float, between: float, error: float) -> float:
    """The k whose survey errs as much: −∞ no better than asking nobody, ∞ than asking any.

    >>> round(worth_of(within=1.0, between=0.5, error=0.5 / 3), 6)
    4.0
    """
    if between <= 0 or within <= 0:
        return np.nan
    if error <= 0:
        return np.inf
    found = within * (between - error) / (error * between)
    return float(found) if found > 0 else -np.inf


def numeric_worth(numbers: Smooth) -> Estimate:
    """The worth from `within`, `between` and `error` among the numbers.

    `floor` 0 is asking nobody, `ceiling` the most raters that are told apart.
    """
    return _worth_at(numbers, numbers.confidence)


def worth_nothing(why: str) -> Estimate:
    """The worth of a judge that tells nothing about items, such as one number for all."""
    return Estimate(None, None, None, "below", "below", "below", floor=0.0, note=why)


def _worth_at(numbers: Smooth, confidence: float) -> Estimate:
    value = worth_of(*(numbers.number(name) for name in ("within", "between", "error")))
    if np.isnan(value):
        return Estimate.undefined(NOT_APART if numbers.number("between") <= 0 else ALL_ALIKE)
    (gain, slope), covariance = numbers.joint(_gain, _slope)
    lead = gain - _PLACES * slope
    variance = covariance[0, 0] - 2 * _PLACES * covariance[0, 1] + _PLACES**2 * covariance[1, 1]
    reach = student(confidence, numbers.plan.freedom())
    room = reach * np.sqrt(np.maximum(variance, 0.0)) - np.abs(lead)
    top = float(MOST_RATERS)
    if np.isfinite(value) and value > top:
        value = np.inf
    found = estimate_of_crossing(value, room, _PLACES, top)
    if numbers.plan.why_not_raters is not None:
        found = found.with_note(numbers.plan.why_not_raters)
    return replace(found, reread=partial(_worth_at, numbers))


def _gain(within: float, between: float, error: float, **_: float) -> float:
    return within * (between - error)


def _slope(within: float, between: float, error: float, **_: float) -> float:
    del within
    return error * between
