"""Slices of items: where a classifier does worse, with small slices held to what they can carry.

Each slice is compared with the rest of the items, so that what all slices share (strict raters,
hard data) cancels. The value shown is drawn towards the rest by what its own data cannot carry,
which keeps slices of twelve items from heading a list by luck; the interval is the slice's own,
widened where needed to hold the drawn value, since intervals around drawn values are too short
just for the slices that do stand out. Claims are adjusted for the number of looks (Holm).
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.sampling.multiplicity import holm
from headcount.sampling.sampled import Sampled
from headcount.sampling.scales import ScaleName

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LEAST_UNITS = 10
"""Items (or clusters) below which a slice has no number of its own."""


@frozen
class Slice:
    """One slice: its own estimate, the value drawn towards the rest, and its lead over the rest.

    `shrunk` is None and `estimate` undefined where the slice is too small. `weight` is how much
    the slice's own data count in `shrunk`, from 0 to 1. `adjusted` is the p-value of differing
    from the rest, all slices counted (Holm).
    """

    code: int
    units: int
    estimate: Estimate
    shrunk: float | None
    weight: float
    lead: Estimate
    p_value: float | None
    adjusted: float | None

    @property
    def too_small(self) -> bool:
        """Whether the slice has too few items for a number of its own."""
        return self.units < LEAST_UNITS


def slices(
    own: Sampled,
    rest: Sampled,
    units: ArrayLike,
    *,
    confidence: float = 0.95,
    scale: ScaleName = "share",
    undefined: str = "the slice has no value",
) -> tuple[Slice, ...]:
    """Every slice against the rest, the most worrying first (lowest drawn value).

    Parameters
    ----------
    own, rest
        (S,) the statistic on each slice and on all items outside it, in the same bootstrap
        samples and without the same raters. Higher is better.
    units
        (S,) items, or clusters, in each slice.
    confidence, scale, undefined
        As for `interval`, for the slices' own estimates.

    Notes
    -----
    With d_s the lead over the rest and v_s its variance, τ² solves Σ d²/(τ² + v) = S (zero
    where the leads are no larger than chance), the weight is τ²/(τ² + v_s), and the drawn value
    is the slice's own less (1 − weight)·d_s.
    """
    sizes = np.asarray(units, dtype=np.int64)
    every = [own.among(int(size)).at(s) for s, size in enumerate(sizes)]
    leads = [_lead(each, rest.at(s), confidence) for s, each in enumerate(every)]
    counted = [s for s in range(len(sizes)) if sizes[s] >= LEAST_UNITS and leads[s].known]
    between = variance_between(
        np.array([leads[s].value for s in counted]), np.array([leads[s].variance for s in counted])
    )
    p_values = np.full(len(sizes), np.nan)
    p_values[counted] = [leads[s].p_value for s in counted]
    adjusted = holm(p_values)
    found = []
    for s, size in enumerate(sizes.tolist()):
        if s not in counted:
            nothing = Estimate.undefined(_no_number(size, undefined))
            found.append(Slice(s, size, nothing, None, 0.0, nothing, None, None))
            continue
        lead = leads[s]
        weight = between / (between + lead.variance) if lead.variance > 0 else 1.0
        shrunk = float(own.value[s] - (1 - weight) * lead.value)
        estimate = every[s].on_scale(confidence, scale=scale, undefined=undefined)
        found.append(
            Slice(
                s,
                size,
                _holding(estimate, shrunk),
                shrunk,
                float(weight),
                lead.estimate,
                float(p_values[s]),
                float(adjusted[s]),
            )
        )
    return tuple(sorted(found, key=lambda each: (each.shrunk is None, each.shrunk or 0.0)))


def variance_between(leads: Floats, variances: Floats) -> float:
    """τ²: how much slices differ beyond chance; the root of Σ d²/(τ² + v) = S.

    >>> variance_between(np.array([-0.1, 0.1]), np.array([0.001, 0.001])).__round__(4)
    0.009
    """
    known = np.isfinite(leads) & (variances > 0)
    d, v = leads[known], variances[known]
    if len(d) == 0 or (d**2 / v).sum() <= len(d):
        return 0.0
    most = float((d**2).sum())
    from scipy.optimize import brentq  # slow to load

    root = brentq(lambda t: float((d**2 / (t + v)).sum()) - len(d), 0.0, most + 1.0)
    return float(root)


def by_slice(
    shares: ArrayLike, slice_of: ArrayLike, times: NDArray[np.number]
) -> tuple[Floats, Floats]:
    """Mean `shares` (n,) on each slice and on the rest, (B, S) each, items drawn `times` (B, n).

    NaN shares take no part; a slice that was not drawn is NaN.
    """
    share, code = np.asarray(shares, dtype=np.float64), np.asarray(slice_of, dtype=np.int64)
    known = ~np.isnan(share)
    drawn = times[:, known].astype(np.float64)
    member = np.eye(int(code.max(initial=-1)) + 1)[code[known]]
    number, total = drawn @ member, drawn @ (member * share[known][:, None])
    others = number.sum(axis=1, keepdims=True) - number
    other_total = total.sum(axis=1, keepdims=True) - total

    def mean(above: Floats, below: Floats) -> Floats:
        out = np.full(above.shape, np.nan)
        return np.asarray(np.divide(above, below, out=out, where=below > 0))

    return mean(total, number), mean(other_total, others)


@frozen
class _Lead:
    value: float
    variance: float
    p_value: float
    estimate: Estimate

    @property
    def known(self) -> bool:
        return bool(np.isfinite(self.value) and np.isfinite(self.variance))


def _lead(own: Sampled, rest: Sampled, confidence: float) -> _Lead:
    gap = own.less(rest)
    estimate, p_value = gap.difference(confidence, undefined="the slice or the rest has no value")
    known = math.nan if p_value is None else p_value
    return _Lead(float(gap.value), gap.spread[0] ** 2, known, estimate)


def _holding(estimate: Estimate, value: float) -> Estimate:
    """The estimate with its interval widened, where needed, to hold `value`."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate
    return Estimate(
        estimate.value, min(estimate.low, value), max(estimate.high, value), note=estimate.note
    )


def _no_number(units: int, undefined: str) -> str:
    if units >= LEAST_UNITS:
        return undefined
    return f"too small: {units} of at least {LEAST_UNITS} items"
