"""How much of the draws an interval leaves out on each side."""

import math
from statistics import NormalDist

_NORMAL = NormalDist()


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
