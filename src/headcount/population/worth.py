"""How many raters a score is worth on a curve without end, and how far that can be trusted.

A score h is worth k where h − c_k crosses nought. The interval inverts a test: k stays in it as
long as nought lies between the limits of h − c_k. Up to the ratings at hand c_k is measured on
held-out ratings, item by item, so the difference is a mean over items with its own standard
error. Past them c_k is a functional of the fitted population: its profile interval and the
interval of h are joined by squares with their correlation over items (MOVER, Zou and Donner
2008), which keeps the lopsided intervals of functionals at an edge as they are.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, ndtri

from headcount.frozen import frozen
from headcount.population.curve_limits import CurveLimits
from headcount.population.model import Population
from headcount.population.scores import Score
from headcount.sampling.crossing import MOST_RATERS as MOST_RATERS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def crossing(score: Floats, curve: Floats) -> Floats:
    """Where scores (B,) meet curves (B, K) of k = 0..K − 1: −∞ below, ∞ above.

    Linear between neighbours; the first k whose score is higher, as the paper has it.
    """
    n = curve.shape[1]
    higher = curve > score[:, None]
    first = np.where(higher.any(axis=1), higher.argmax(axis=1), n)
    inside = (first > 0) & (first < n)
    place, rows = np.clip(first, 1, n - 1), np.arange(len(score))
    left, right = curve[rows, place - 1], curve[rows, place]
    met = place - 1 + (score - left) / np.where(inside, right - left, 1.0)
    return np.where(inside, met, np.where(first == 0, -np.inf, np.inf))


@frozen
class Modelled:
    """The worth of a score on the curve of a population: ±∞ stand for no limit found."""

    value: float
    low: float
    high: float


def modelled_worth(
    population: Population,
    score: Score,
    reached: float,
    error: float,
    *,
    correlation: float = 0.0,
    confidence: float = 0.95,
    clip: float | None = None,
) -> Modelled:
    """The worth of a score `reached` with standard error `error`, for two labels.

    `correlation` is that over items between the score and what surveys reach (see
    `score_correlation`); 0 never makes the interval too narrow where better items are better
    for both. The estimate lies inside its interval.
    """
    z = float(ndtri(0.5 + confidence / 2))
    limits = CurveLimits(population, score, clip, 0.5 * float(chdtri(1, 1 - confidence)))

    def beyond(side: int) -> Callable[[int | None], float]:
        """Is h clearly above (side 1) or below (−1) the curve at k? Positive where it is."""

        def excess(k: int | None) -> float:
            far = limits.distance(k, up=side > 0)
            own = z * error
            spread = np.sqrt(max(own**2 + far**2 - 2 * correlation * own * far, 0.0))
            return side * (reached - limits.estimate(k)) - float(spread)

        return excess

    value = _root(lambda k: reached - limits.estimate(k))
    low = _root(beyond(1))
    high = _root(lambda k: -beyond(-1)(k))
    return Modelled(value, min(low, value), max(high, value))


def score_correlation(scores: Floats, surveys_reach: Floats, size: Floats) -> float:
    """The correlation over items of a classifier's scores with what surveys reach on them.

    0 where either does not vary; rows without a score are left out.
    """
    held = np.isfinite(scores) & np.isfinite(surveys_reach) & (size > 0)
    share = size[held] / size[held].sum()
    a = scores[held] - share @ scores[held]
    b = surveys_reach[held] - share @ surveys_reach[held]
    spread = np.sqrt((share @ a**2) * (share @ b**2))
    return float(share @ (a * b) / spread) if spread > 0 else 0.0


def _root(falling: Callable[[int | None], float]) -> float:
    """Where a function of k that falls meets nought: −∞ already below at 0, ∞ if never."""
    if falling(0) <= 0:
        return -np.inf
    if falling(None) >= 0:
        return np.inf
    left, right = 0, 1
    while falling(right) > 0:
        left, right = right, 2 * right
        if left >= MOST_RATERS:
            return np.inf
    while right - left > 1:
        middle = (left + right) // 2
        left, right = (middle, right) if falling(middle) > 0 else (left, middle)
    above, below = falling(left), falling(right)
    return left + above / (above - below)
