"""What share of the possible a classifier achieves: intervals of ratios."""

from functools import partial

import numpy as np
from scipy.special import ndtri

from headcount.results import Estimate
from headcount.sameness import exceeds


def ratio_interval(
    reached: float,
    error: float,
    possible: float,
    low: float,
    high: float,
    *,
    correlation: float = 0.0,
    at_edge: bool = False,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """The interval of reached / possible, both above nought.

    `error` is the standard error of what is reached, `low` and `high` the interval of what is
    possible (a ceiling's, or that of the ideal's gain), `correlation` theirs over items.
    `at_edge` tells that `low` is the least that is possible at all (every item a coin flip): it
    is then no distance that errors are likely to make, and the two are added in full.

    A ratio r stays in the interval as long as reached − r · possible may be nought, the limits
    of the two joined by squares (MOVER; with symmetric limits this is Fieller's interval). ∞
    where what is possible may be nought.

    >>> low, high = ratio_interval(0.72, 0.01, 0.8, 0.78, 0.81)
    >>> print(f"{low:.3f} {high:.3f}")
    0.873 0.934
    """
    own = float(ndtri(0.5 + confidence / 2)) * error
    lower = _root(reached, own, possible, high - possible, correlation, side=-1)
    joint = -1.0 if at_edge else correlation
    upper = _root(reached, own, possible, possible - low, joint, side=1)
    value = reached / possible
    return min(lower, value), max(upper, value)


def share_of(reached: Estimate, possible: Estimate, *, least: float, confidence: float) -> Estimate:
    """One estimate as a share of another; `least` is the smallest that is possible at all.

    Nothing reaches more than is possible: where chance puts it above, it is all of it.

    >>> share_of(Estimate(0.8, 0.78, 0.82), Estimate(0.9, 0.88, 0.91), least=0.5,
    ...          confidence=0.95).text(2)
    '0.89 (0.86 to 0.92)'
    """
    if reached.value is None or possible.value is None or possible.value <= 0:
        why = reached.note or possible.note or "nothing is possible here"
        return Estimate.undefined(str(why))
    value = min(reached.value / possible.value, 1.0)
    if reached.low is None or reached.high is None or possible.low is None or possible.high is None:
        return Estimate(value)
    width = 2 * float(ndtri(0.5 + confidence / 2))
    low, high = ratio_interval(
        reached.value,
        (reached.high - reached.low) / width,
        possible.value,
        possible.low,
        possible.high,
        at_edge=not exceeds(possible.low, least),
        confidence=confidence,
    )
    again = partial(_share_at, reached, possible, least)
    return Estimate(value, min(max(low, 0.0), value), min(high, 1.0), reread=again)


def _share_at(reached: Estimate, possible: Estimate, least: float, confidence: float) -> Estimate:
    at = reached.at(confidence), possible.at(confidence)
    return share_of(*at, least=least, confidence=confidence)


def _root(
    reached: float, own: float, possible: float, far: float, correlation: float, side: int
) -> float:
    """Where (reached − r possible)² = own² + (r far)² − 2 ρ own (r far), on one side."""
    square = possible**2 - far**2
    if square <= 0:
        return side * np.inf
    middle = reached * possible - correlation * own * far
    under = middle**2 - square * (reached**2 - own**2)
    return float((middle + side * np.sqrt(max(under, 0.0))) / square)
