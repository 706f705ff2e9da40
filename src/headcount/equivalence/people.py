"""A worth with an interval about other people too, in the data and past them."""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.crossing import worth
from headcount.equivalence.curve import PowerCurve
from headcount.results import Estimate
from headcount.sampling.crossing import Sides, crossing_interval, extended

Floats = NDArray[np.float64]

_PAST = 40
"""Raters past the data up to which the modelled curve is asked for a worth's interval."""


def with_raters(
    by_items: Estimate, curve: PowerCurve, value: float, draws: Floats, without: Floats
) -> Estimate:
    """The estimate `by_items` with the interval of a score (`draws`, `without` each rater).

    Within the data the ends are those at which the score can no longer be told from the curve,
    over items and raters. Past them the curve is modelled: it is stretched, in each sample and
    without each rater, as its last measured point is, and the wider of this and the interval
    over items, which knows how sure the model is, holds.
    """
    plan, upto = curve.asked.samples, curve.reach + 1
    values = curve.values[:upto]
    if plan is None or curve.without is None or np.isnan(values).any():
        return by_items
    sides = _sides(values, value, draws, without, curve, values)
    crossing = float(worth([value], values[None])[0])
    found = crossing_interval(crossing, *sides, plan=plan, confidence=curve.asked.confidence)
    told = "within" == found.state == found.low_state == found.high_state
    if not told and curve.beyond is not None:
        far = _long(curve)
        sides = _sides(far, value, draws, without, curve, values)
        crossing = float(worth([value], far[None])[0])
        past = crossing_interval(crossing, *sides, plan=plan, confidence=curve.asked.confidence)
        found = _wider(by_items, past)
    again = partial(_at, by_items, curve, value, draws, without)
    return replace(found, measured_to=by_items.measured_to, reread=again)


def _at(
    by_items: Estimate,
    curve: PowerCurve,
    value: float,
    draws: Floats,
    without: Floats,
    confidence: float,
) -> Estimate:
    asked = replace(curve.asked, bootstrap=replace(curve.asked.bootstrap, confidence=confidence))
    again = replace(curve, asked=asked)
    return with_raters(by_items.at(confidence), again, value, draws, without)


def _sides(
    far: Floats,
    value: float,
    draws: Floats,
    without: Floats,
    curve: PowerCurve,
    values: Floats,
) -> tuple[Sides, Sides, Sides]:
    """The whole table, the samples and the tables without a rater, on a curve as long as `far`."""
    assert curve.without is not None
    upto = len(values)
    return (
        Sides.of(value, far),
        Sides(draws, extended(curve.draws[:, :upto], far)),
        Sides(without, extended(curve.without[:, :upto], far)),
    )


def _long(curve: PowerCurve) -> Floats:
    """The curve rater by rater, the data first and then the model."""
    beyond = curve.beyond
    assert beyond is not None
    most = min(beyond.last, curve.reach + _PAST)
    k = np.arange(curve.reach + 1, most + 1)
    modelled = np.interp(k, [curve.reach, *beyond.grid], [curve.values[curve.reach], *beyond.curve])
    return np.concatenate([curve.values[: curve.reach + 1], modelled])


def _wider(by_items: Estimate, past: Estimate) -> Estimate:
    """The value of the first, and of each side the end that is further out."""
    low, low_state = min(_low(by_items), _low(past)), by_items.low_state
    high = max(_high(by_items), _high(past))
    low_state = "below" if low == -np.inf else ("above" if low == np.inf else "within")
    return replace(
        by_items,
        low=float(low) if np.isfinite(low) else None,
        low_state=low_state,
        high=float(high) if np.isfinite(high) else None,
        high_state="within" if np.isfinite(high) else "above",
        note=past.note,
    )


def _low(each: Estimate) -> float:
    if each.low is not None:
        return each.low
    return np.inf if each.low_state == "above" else -np.inf


def _high(each: Estimate) -> float:
    if each.high is not None:
        return each.high
    return -np.inf if each.high_state == "below" else np.inf
