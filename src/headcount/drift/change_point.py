"""When it changed, on bare arrays: the point between two means, and how far it may be off.

With x̄ the mean of n values before and after a point k, the fit is best where the sum of squares
about the two means is least. Its interval holds every point whose fit is no worse than that of the
true point would be in 95 % of data sets, drawn with the means found and the values' own noise.
"""

from collections.abc import Callable

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen

# Points looked at: with more times than this, neighbours are looked at together.
_MOST_POINTS = 400
# Data sets drawn for the interval: its 95 % point then rests on the 15 largest.
_DRAWS = 300


@frozen
class ChangePoint:
    """The first time after a change, the interval of it, and the means before and after.

    Where times are whole (days, numbers of periods) `low` is the first one after the earliest
    change that may be; elsewhere the last one before it, since the change lies between the two.
    """

    at: float
    low: float
    high: float
    before: float
    after: float


def change_point(
    values: Floats,
    when: Floats,
    cluster: Ints | None = None,
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> ChangePoint | None:
    """Where the mean of `values` (n,) at times `when` (n,) changed; None with fewer than two times.

    Values of one `cluster` (n,) vary together.

    >>> found = change_point(np.repeat([0.9, 0.5], 50), np.arange(100.0))
    >>> found.at, found.low, found.high
    (50.0, 50.0, 50.0)
    """
    times, bin_of = np.unique(when, return_inverse=True)
    if len(times) < 2:
        return None
    last = times
    whole = bool((times == np.floor(times)).all())
    if len(times) > _MOST_POINTS:
        coarse = np.arange(len(times)) * _MOST_POINTS // len(times)
        _, first = np.unique(coarse, return_index=True)
        last = times[np.append(first[1:], len(times)) - 1]
        times, bin_of = times[first], coarse[bin_of]
    bin_of = bin_of.ravel()
    size: Floats = np.bincount(bin_of).astype(np.float64)
    total = np.bincount(bin_of, weights=values)
    gain = _gains(np.asarray(total[None], dtype=np.float64), size)[0]
    best = int(np.argmax(gain))
    cut = np.arange(len(size)) > best
    before, after = (float(total[side].sum() / size[side].sum()) for side in (~cut, cut))
    noise = _noise(values - np.where(cut, after, before)[bin_of], bin_of, cluster, len(size))
    rng = np.random.default_rng([seed, 13])
    drawn: Floats = np.asarray(size * np.where(cut, after, before) + noise(rng, _DRAWS))
    gains = _gains(drawn, size)
    worse = gains.max(axis=1) - gains[:, best]
    limit = float(np.quantile(worse, confidence))
    near = np.flatnonzero(gain >= gain[best] - limit - 1e-9 * abs(gain[best]))
    low = times[near[0] + 1] if whole and last is times else last[near[0]]
    high = times[near[-1] + 1]
    return ChangePoint(float(times[best + 1]), float(low), float(high), before, after)


def _gains(total: Floats, size: Floats) -> Floats:
    """By how much a change after each bin but the last lessens the sum of squares, (b, m − 1)."""
    before = np.cumsum(total, axis=1)
    n = np.cumsum(size)
    everything, whole = before[:, -1:], n[-1]
    gap = before[:, :-1] / n[:-1] - (everything - before[:, :-1]) / (whole - n[:-1])
    return np.asarray(gap**2 * n[:-1] * (whole - n[:-1]) / whole)


def _noise(
    residual: Floats, bin_of: Ints, cluster: Ints | None, bins: int
) -> Callable[[np.random.Generator, int], Floats]:
    """Draws of the noise of every bin's total (b, bins): clusters' residuals times a normal."""
    if cluster is None:
        spread = np.sqrt(np.bincount(bin_of, weights=residual**2, minlength=bins))
        return lambda rng, draws: rng.standard_normal((draws, bins)) * spread
    from scipy import sparse

    table = sparse.csr_array((residual, (cluster, bin_of)), shape=(int(cluster.max()) + 1, bins))
    return lambda rng, draws: np.asarray(rng.standard_normal((draws, table.shape[0])) @ table)
