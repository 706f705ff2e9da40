"""Scales on which an estimate is closer to symmetric, and the way back."""

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy import special

from headcount.frozen import frozen
from headcount.sameness import same

ScaleName = Literal["plain", "share", "coefficient", "positive"]


@frozen
class Scale:
    """A monotone map of a statistic's range to the real line.

    `slope` is the map's derivative: a standard error s at value v is s·slope(v) on the scale.
    Values lie strictly between `low` and `high`; on these ends the map has no number.
    """

    low: float
    high: float
    there: Callable[[float], float]
    back: Callable[[float], float]
    slope: Callable[[float], float]

    def settled(self, value: float) -> float:
        """The value itself, or the end of the scale that it differs from by rounding alone."""
        width = self.high - self.low
        if not math.isfinite(width):
            return value
        near = (end for end in (self.low, self.high) if same(value, end, scale=width))
        return next(near, value)

    def inside(self, value: float) -> bool:
        """Whether the map has a number at `value`."""
        return self.low < self.settled(value) < self.high


SCALES: dict[str, Scale] = {
    "plain": Scale(-np.inf, np.inf, lambda v: v, lambda u: u, lambda _: 1.0),
    "share": Scale(
        0.0,
        1.0,
        lambda v: float(special.logit(v)),
        lambda u: float(special.expit(u)),
        lambda v: 1 / (v * (1 - v)),
    ),
    "coefficient": Scale(
        -1.0,
        1.0,
        lambda v: float(np.arctanh(v)),
        lambda u: float(np.tanh(u)),
        lambda v: 1 / (1 - v**2),
    ),
    "positive": Scale(
        0.0,
        np.inf,
        lambda v: float(np.log(v)),
        lambda u: float(np.exp(u)),
        lambda v: 1 / v,
    ),
}
"""`share`: logit, for shares of people. `coefficient`: Fisher's z, for kappas and alphas.
`positive`: log. `plain`: differences, and whatever else."""
