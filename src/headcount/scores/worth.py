"""How many people a judge's numbers are worth, by squared error and linear surveys.

The best linear prediction from k people's mean has the error c(k) = τ²σ²/(kτ² + σ²) against the
true score. A judge with error d is worth the k with the same: k = σ²(τ² − d)/(dτ²), any real
number, from two ratings an item. The interval are the k whose c(k) cannot be told from d, which
has a standard error at every k, where the ratio itself has none to speak of: with heavy tails,
few ratings, and near both ends. What is not told apart by Student's t, or not once it is corrected
for how lopsided means of squares are (Hall 1992), is not told apart.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headcount.results import Estimate
from headcount.sampling.crossing import MOST_RATERS, estimate_of_crossing
from headcount.sampling.delta import Smooth
from headcount.sampling.people import student

Floats = NDArray[np.float64]

NOT_APART = "people's mean ratings do not differ between items beyond chance"
ALL_ALIKE = "people never differ on an item, so that one person is worth any number of them"

_NUMBERS = ("within", "between", "error")
_ROUNDING = 1e-9
"""A standard error below this share of the variance of ratings is none."""
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
    value = worth_of(*(numbers.number(name) for name in _NUMBERS))
    if np.isnan(value):
        return Estimate.undefined(NOT_APART if numbers.number("between") <= 0 else ALL_ALIKE)
    apart = _standard_errors_apart(numbers, _PLACES)
    room = student(confidence, numbers.plan.freedom()) - apart
    top = float(MOST_RATERS)
    if np.isfinite(value) and value > top:
        value = np.inf
    found = estimate_of_crossing(value, room, _PLACES, top)
    if numbers.plan.why_not_raters is not None:
        found = found.with_note(numbers.plan.why_not_raters)
    return replace(found, reread=partial(_worth_at, numbers))


def _standard_errors_apart(numbers: Smooth, k: Floats) -> Floats:
    """How many standard errors d lies from c(k), if it were c(k): plain or corrected, the less."""
    within, between, error = (numbers.number(name) for name in _NUMBERS)
    order = [numbers.names.index(name) for name in _NUMBERS]
    survey = k * between + within
    slopes = np.column_stack(
        [(k * between**2) / survey**2, within**2 / survey**2, np.full(len(k), -1.0)]
    )
    covariance = numbers.covariance[np.ix_(order, order)]
    variance = np.einsum("pi,ij,pj->p", slopes, covariance, slopes)
    spread = np.sqrt(np.maximum(variance, (_ROUNDING * (between + within)) ** 2))
    t = (between * within / survey - error) / spread
    if numbers.third is None:
        return np.asarray(np.abs(t))
    third = numbers.third[np.ix_(order, order, order)]
    skew = np.einsum("pi,pj,pk,ijk->p", slopes, slopes, slopes, third, optimize=True) / spread**3
    corrected = t + skew * t**2 / 3 + skew**2 * t**3 / 27 + skew / 6
    return np.asarray(np.minimum(np.abs(t), np.abs(corrected)))
