"""The classical rate: the judge's own rate, corrected for its sensitivity and specificity."""

import math

import numpy as np
from scipy.special import ndtri

from headcount.accuracy.powered import Floats, Ints
from headcount.frozen import frozen


@frozen
class RoganGladen:
    """The corrected rate with its interval, and what it was corrected by."""

    value: float
    low: float
    high: float
    sensitivity: float
    specificity: float


def rogan_gladen(
    mean_rating: Floats, rated: Ints, judge: Floats, *, confidence: float = 0.95
) -> RoganGladen | None:
    """(apparent rate + specificity − 1) / (sensitivity + specificity − 1).

    `judge` (N,) says 0 or 1 of all items, `mean_rating` (n,) is the share of people who call
    the items `rated` (n,) X; sensitivity and specificity are the judge's against a person. The
    interval is by the delta method over both samples. None where the judge is not better than
    a coin, says anything but 0 and 1, or people all say the same.

    >>> judge = np.array([1.0] * 30 + [0.0] * 70)
    >>> people = np.array([1.0, 1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0])
    >>> found = rogan_gladen(people, np.array([0, 1, 2, 3, 50, 51, 52, 53, 54, 55]), judge)
    >>> round(found.sensitivity, 3), round(found.specificity, 3), round(found.value, 3)
    (0.875, 0.917, 0.274)
    """
    y, said = mean_rating, judge[rated]
    if not np.isin(judge, (0.0, 1.0)).all() or not 0 < y.mean() < 1:
        return None
    sensitivity = float(y @ said / y.sum())
    specificity = float((1 - y) @ (1 - said) / (1 - y).sum())
    above = sensitivity + specificity - 1
    if above <= 1e-9:  # a constant judge is a coin, to the last digit
        return None
    apparent = float(judge.mean())
    value = (apparent + specificity - 1) / above
    of_sensitivity = y * (said - sensitivity) / y.sum()
    of_specificity = (1 - y) * (1 - said - specificity) / (1 - y).sum()
    moved = ((1 - value) * of_specificity - value * of_sensitivity) / above
    variance = float(moved @ moved) + apparent * (1 - apparent) / len(judge) / above**2
    reach = float(ndtri((1 + confidence) / 2)) * math.sqrt(variance)
    return RoganGladen(
        min(max(value, 0.0), 1.0),
        min(max(value - reach, 0.0), 1.0),
        min(max(value + reach, 0.0), 1.0),
        sensitivity,
        specificity,
    )
