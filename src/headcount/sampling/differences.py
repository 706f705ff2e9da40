"""Differences between classifiers, paired: the same items and the same raters on both sides."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.results import Estimate, State
from headcount.sameness import NEAR, exceeds, same, scale_of, varies
from headcount.sampling.multiplicity import holm
from headcount.sampling.people import (
    guarded_freedom,
    interval,
    item_variance,
    rater_variance,
    total_variance,
)
from headcount.sampling.samples import Plan

Floats = NDArray[np.float64]


@frozen
class Difference:
    """One statistic, `first` less `second` (codes), with its interval.

    `p_value` of a difference that large either way if there were none; `adjusted` for all the
    pairs compared (Holm). Both None where a side has no value.
    """

    first: int
    second: int
    estimate: Estimate
    p_value: float | None
    adjusted: float | None = None

    def claimed(self, level: float = 0.05) -> bool:
        """Whether a difference may be claimed at `level`, all looks counted."""
        return self.adjusted is not None and self.adjusted <= level


@frozen
class NotWorse:
    """Whether `first` is not worse than `second` by more than `margin`."""

    difference: Estimate
    margin: float
    p_value: float | None
    level: float

    @property
    def shown(self) -> bool | None:
        """Whether it is shown: by the p-value, else by the interval; None without either."""
        if self.p_value is not None:
            return self.p_value <= self.level
        if not self.difference.has_interval:
            return None
        return self.difference.low is not None and self.difference.low >= -self.margin

    def sentence(self, first: str, second: str, what: str, *, percent: bool = False) -> str:
        """For people.

        >>> found = NotWorse(Estimate(0.004, -0.006, 0.014), 0.01, 0.003, 0.025)
        >>> found.sentence("new", "old", "share who agree", percent=True)
        'new is not worse than old by more than 1.0 points in share who agree.'
        """
        margin = f"{100 * self.margin:.1f} points" if percent else f"{self.margin:g}"
        if self.shown is None:
            return f"Whether {first} is worse than {second} in {what} has no answer here."
        if self.shown:
            return f"{first} is not worse than {second} by more than {margin} in {what}."
        return f"It is not shown that {first} is within {margin} of {second} in {what}."


def differences(
    values: ArrayLike,
    item_draws: ArrayLike,
    without_rater: ArrayLike | None,
    *,
    plan: Plan,
    confidence: float = 0.95,
    undefined: str = "one of the two has no value",
) -> tuple[Difference, ...]:
    """Every pair of classifiers on one statistic.

    Parameters
    ----------
    values
        (C,) the statistic of each classifier; item_draws (B, C) in bootstrap samples shared by
        all; without_rater (J, C) without each rater or group of raters. NaN is undefined; a
        censored value (±∞) has no difference: compare scores instead, in which a worth on one
        curve has the same order.
    item_draws, without_rater, plan, confidence
        As for `interval`.
    undefined
        Why a pair may have no difference.

    Returns
    -------
    tuple of Difference
        In the order of `itertools.combinations`, p-values adjusted over all of them (Holm).
    """
    value, drawn = np.asarray(values, dtype=np.float64), np.asarray(item_draws, dtype=np.float64)
    left = None if without_rater is None else np.asarray(without_rater, dtype=np.float64)
    found = []
    for one, other in combinations(range(len(value)), 2):
        gap, gaps = _gap(value[None], one, other), _gap(drawn, one, other)
        without = None if left is None else _gap(left, one, other)
        spread, freedom = spread_of(gaps, without, plan)
        estimate = interval(
            float(gap[0]),
            gaps,
            without,
            plan=plan,
            confidence=confidence,
            freedom=freedom,
            undefined=undefined,
        )
        tail = tail_beyond(abs(gap[0]), spread, freedom, scale=scale_of(value))
        p_value = None if tail is None else min(2 * tail, 1.0)
        found.append(Difference(one, other, estimate, p_value))
    adjusted = holm([np.nan if each.p_value is None else each.p_value for each in found])
    return tuple(
        Difference(
            each.first,
            each.second,
            each.estimate,
            each.p_value,
            None if np.isnan(level) else float(level),
        )
        for each, level in zip(found, adjusted, strict=True)
    )


def not_worse(
    difference: float,
    item_draws: ArrayLike,
    without_rater: ArrayLike | None,
    *,
    margin: float,
    plan: Plan,
    confidence: float = 0.95,
) -> NotWorse:
    """Is the first not worse than the second by more than `margin`?

    `difference` is first less second, higher being better; draws and values without raters are
    of the difference. One-sided at half of what the interval leaves out, so that it is shown
    just where the interval lies above −margin.
    """
    if margin < 0:
        raise OptionError(f"margin is a difference of at least 0; it was {margin!r}.")
    drawn = np.asarray(item_draws, dtype=np.float64)
    left = None if without_rater is None else np.asarray(without_rater, dtype=np.float64)
    spread, freedom = spread_of(drawn, left, plan)
    estimate = interval(difference, drawn, left, plan=plan, confidence=confidence, freedom=freedom)
    p_value = tail_beyond(difference + margin, spread, freedom)
    return NotWorse(estimate, margin, p_value, (1 - confidence) / 2)


def difference_of_intervals(
    first: Estimate,
    second: Estimate,
    *,
    order: Estimate | None = None,
    correlation: float = 0.0,
) -> Estimate:
    """Two numbers with intervals of their own, first less second; either may be censored.

    The distances of the ends are joined as squares, less what the two share (MOVER: Zou and
    Donner, Statistics in Medicine 27, 2008). An end that is censored leaves the difference open
    there. `order` is a difference that has the same sign, as that of the scores has where two
    worths stand on one curve that does not fall: the interval holds nought just where that of
    `order` does, and a censored value lies on its side.

    >>> print(difference_of_intervals(Estimate(3.0, 2.0, 4.0), Estimate(1.0, 0.5, 1.5)))
    2.000 (0.882 to 3.118)
    >>> far = Estimate(3.0, 2.0, None, high_state="above", ceiling=4.0)
    >>> print(difference_of_intervals(far, Estimate(1.0, 0.5, 1.5)))
    2.000 (at least 0.882)
    """
    one, low, high = _parts(first)
    other, least, most = _parts(second)
    with np.errstate(invalid="ignore"):
        value = one - other
    if math.isinf(one) and math.isinf(other):
        value = math.nan
    if order is not None and not math.isfinite(value) and order.value is not None:
        value = 0.0 if same(order.value, 0.0) else math.copysign(math.inf, order.value)
    if math.isnan(value):
        return Estimate.undefined(first.note or second.note or _NEITHER)
    if math.isnan(low) or math.isnan(least):
        return _open_ended(value, math.nan, math.nan)
    below = _end_of_difference(value, one - low, most - other, low - most, correlation, -1)
    above = _end_of_difference(value, high - one, other - least, high - least, correlation, 1)
    if order is not None and order.low is not None and order.high is not None:
        # Strictly beyond nought, so that a gate that asks for more is met.
        below = max(below, NEAR) if exceeds(order.low, 0.0) else min(below, 0.0)
        above = min(above, -NEAR) if exceeds(0.0, order.high) else max(above, 0.0)
        if exceeds(order.low, 0.0):
            above = max(above, below)
        if exceeds(0.0, order.high):
            below = min(above, below)

    def again(confidence: float) -> Estimate:
        return difference_of_intervals(
            first.at(confidence),
            second.at(confidence),
            order=None if order is None else order.at(confidence),
            correlation=correlation,
        )

    return replace(_open_ended(value, below, above), reread=again)


_NEITHER = "both lie beyond what could be measured, so compare their scores"


def _parts(found: Estimate) -> tuple[float, float, float]:
    """Value, low and high; what lies above every limit is infinite, below it at the floor."""

    def number(part: float | None, state: State | None) -> float:
        if part is not None:
            return part
        at_floor = math.nan if state is None else (found.floor or 0.0)
        return math.inf if state == "above" else at_floor

    low = number(found.low, found.low_state)
    if found.low_state == "above" and found.ceiling is not None:
        low = found.ceiling
    return number(found.value, found.state), low, number(found.high, found.high_state)


def _end_of_difference(
    value: float, own: float, its: float, plain: float, correlation: float, side: int
) -> float:
    """An end of a difference from the distances of two ends; open where one of them is."""
    if math.isinf(value):
        return value if value * side > 0 else (plain if math.isfinite(plain) else side * math.inf)
    if not (math.isfinite(own) and math.isfinite(its)):
        return side * math.inf
    joined = own**2 + its**2 - 2 * correlation * own * its
    return value + side * math.sqrt(max(joined, 0.0))


def _open_ended(value: float, low: float, high: float) -> Estimate:
    """An estimate whose infinite parts are open."""

    def part(number: float) -> tuple[float | None, State | None]:
        if math.isnan(number):
            return None, None
        if math.isinf(number):
            return None, "above" if number > 0 else "below"
        return float(number), "within"

    (middle, state), (least, low_state), (most, high_state) = map(part, (value, low, high))
    return Estimate(middle, least, most, state, low_state, high_state)


def _gap(table: Floats, one: int, other: int) -> Floats:
    """First less second; censored or undefined on a side is undefined."""
    first, second = table[:, one], table[:, other]
    both = np.isfinite(first) & np.isfinite(second)
    return np.where(both, first - np.where(both, second, 0), np.nan)


def spread_of(drawn: Floats, left: Floats | None, plan: Plan) -> tuple[float, float]:
    """The standard error of a difference and its degrees of freedom; NaN without draws."""
    if (~np.isnan(drawn)).sum() < 2:
        return math.nan, 1.0
    items = float(item_variance(drawn, plan.units))
    raters = float(rater_variance(left)) if left is not None and plan.counts_raters else 0.0
    freedom = guarded_freedom(items, raters, plan=plan, n_draws=len(drawn))
    return math.sqrt(float(total_variance(items, raters))), freedom


def tail_beyond(gap: float, spread: float, freedom: float, *, scale: float = 1.0) -> float | None:
    """The chance of a difference of at least `gap` if it were none; None if there is no gap.

    `scale` is that of the numbers that differ: those that differ by rounding alone do not.
    """
    if math.isnan(gap) or math.isnan(spread):
        return None
    if not varies(spread**2, scale=scale):
        return 0.0 if exceeds(gap, 0.0, scale=scale) else 1.0
    return float(special.stdtr(freedom, -gap / spread))
