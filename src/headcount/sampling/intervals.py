"""Percentile intervals that carry censored draws and count undefined ones."""

import math
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from headcount.results import Estimate, State

_NORMAL = NormalDist()


class Tail(float):
    """The share of draws outside an interval on each side, which knows what it is a share for.

    A number like any other, so that it goes wherever a share does; `at` is the share that
    another confidence would leave out.
    """

    confidence: float
    items: int

    def __new__(cls, confidence: float, items: int) -> "Tail":
        """The tail of an interval of this confidence from draws of so many items."""
        made = super().__new__(cls, tail_share(confidence, items))
        made.confidence, made.items = confidence, items
        return made

    def at(self, confidence: float) -> "Tail":
        """The same for another confidence."""
        return Tail(confidence, self.items)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.confidence, self.items


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

    `tail` is the share of draws outside the interval on each side; from a `Tail`, as
    `Bootstrap.tail` gives it, the estimate can be read at another confidence too.

    −∞ and +∞ stand for draws censored below `floor` and above `ceiling`: they take their
    place in the order of the draws, so an end of the interval can itself be censored.
    NaN is an undefined draw: it has no place in the order, is left out of the percentiles
    and counted in the note. No draws give a value without an interval. An estimate never lies
    outside its own interval: an end that would pass it stops there.
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
        low, low_state = _finite_or_state(min(_percentile(defined, tail), value))
        high, high_state = _finite_or_state(max(_percentile(defined, 1 - tail), value))
    if not censorable:
        state = low_state = high_state = None
    found = Estimate(
        number, low, high, state, low_state, high_state, floor=floor, ceiling=ceiling, note=note
    )
    if not isinstance(tail, Tail) or not drawn.size:
        return found
    again = partial(
        _at, value, drawn, tail, {"undefined": undefined, "floor": floor, "ceiling": ceiling}
    )
    return replace(found, reread=again)


def _at(
    value: float, draws: np.ndarray, tail: Tail, about: dict[str, Any], confidence: float
) -> Estimate:
    return estimate_from_draws(value, draws, tail.at(confidence), **about)


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


def tail_share(confidence: float, items: int) -> float:
    """The share of bootstrap draws below the lower end of an interval, and above the upper one.

    Samples drawn from n items vary only (n − 1)/n times as much as fresh data would, and how
    much they vary is itself an estimate. Both make percentile intervals too narrow when items
    are few. Reading the percentiles further out, where Student's t has its tail, allows for
    both (the "expanded percentile" interval: Hesterberg, The American Statistician 69, 2015).

    >>> round(tail_share(0.95, 30), 4), round(tail_share(0.95, 100_000), 4)
    (0.0188, 0.025)
    """
    if items < 2:
        return 0.0
    below = _NORMAL.inv_cdf((1 - confidence) / 2)
    return _NORMAL.cdf(math.sqrt(items / (items - 1)) * _student(below, items - 1))


def _student(z: float, freedom: int) -> float:
    """Student's quantile from the normal one, by the Cornish–Fisher expansion."""
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
