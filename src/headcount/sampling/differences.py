"""Differences between classifiers, paired: the same items and the same raters on both sides."""

import math
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.sameness import exceeds, scale_of, varies
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
        """Whether it is shown; None where a side has no value."""
        return None if self.p_value is None else self.p_value <= self.level

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
