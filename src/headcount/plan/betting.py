"""An interval for a mean that stays valid however often it is looked at: bets that cannot be won.

For values x_i from −1 to 1 and every mean m,

    K_t(m) = Σ_λ w_λ Π_{i≤t} (1 + λ(x_i − m))

is a bet that pays on average nothing where m is the true mean, so it ever reaches 1/α with
probability at most α (Ville's inequality). The means it has not reached that for are the
interval: it holds the true one at all times at once with probability 1 − α.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

BETS = np.geomspace(0.004, 0.96, 48)
"""Sizes of the bets, as shares of the largest that cannot lose everything."""
PRECISION = 1e-5
CHUNK = 2**14


def log_wealth(values: Floats, counts: NDArray[Any], mean: float) -> float:
    """Log K(m): what betting on either side of `mean` has made, started with 1.

    `values` are the distinct x, `counts` how many there are of each.
    """
    with np.errstate(divide="ignore"):
        up = np.log1p(np.outer(BETS / (1 + mean), values - mean)) @ counts
        down = np.log1p(np.outer(BETS / (1 - mean), mean - values)) @ counts
    return float(special.logsumexp(np.concatenate([up, down])) - np.log(2 * len(BETS)))


def always_valid(x: Floats, error: float = 0.05) -> tuple[float, float]:
    """The interval of means that no bet has ruled out, after all of x.

    Parameters
    ----------
    x
        Values from −1 to 1, in the order in which they came; the order does not matter.
    error
        The chance, over all times of looking together, that the true mean is ever left out.

    Returns
    -------
    low, high

    References
    ----------
    Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", 2024.

    Examples
    --------
    >>> low, high = always_valid(np.ones(40))
    >>> low > 0.5, high
    (True, 1.0)
    """
    values, counts = np.unique(np.asarray(x, dtype=float), return_counts=True)
    return not_ruled_out(values, counts, error)


def not_ruled_out(values: Floats, counts: NDArray[Any], error: float) -> tuple[float, float]:
    """The same interval, of distinct values and how many there are of each."""
    limit = -np.log(error)
    if not counts.sum():
        return -1.0, 1.0
    middle = float(np.clip(values @ counts / counts.sum(), -1 + 1e-9, 1 - 1e-9))
    return (
        _end(values, counts, -1.0 + 1e-9, middle, limit),
        _end(values, counts, 1.0 - 1e-9, middle, limit),
    )


def _end(
    values: Floats, counts: NDArray[Any], outside: float, inside: float, limit: float
) -> float:
    """Where the wealth passes the limit between a mean far out and the sample's own."""
    if log_wealth(values, counts, outside) < limit:
        return float(np.sign(outside))
    while abs(outside - inside) > PRECISION:
        middle = (outside + inside) / 2
        if log_wealth(values, counts, middle) < limit:
            inside = middle
        else:
            outside = middle
    return outside


def first_stop(x: Floats, error: float = 0.05) -> int | None:
    """After how many values zero is ruled out for the first time, looking after each; or never."""
    values, codes = np.unique(np.asarray(x, dtype=float), return_inverse=True)
    bets = np.concatenate([BETS, -BETS])
    gains = np.log1p(np.outer(values, bets))  # what each bet on a mean of 0 makes of each value
    wealth = np.full(len(bets), -np.log(len(bets)))
    for start in range(0, len(codes), CHUNK):
        running = wealth + np.cumsum(gains[codes[start : start + CHUNK]], axis=0)
        passed = np.flatnonzero(special.logsumexp(running, axis=1) >= -np.log(error))
        if len(passed):
            return start + int(passed[0]) + 1
        wealth = running[-1]
    return None
