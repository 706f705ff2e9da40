"""From a strategy to its number of items: the most a budget buys, the fewest a target needs."""

import numpy as np
from numpy.typing import NDArray

from headcount.budget.bounds import cramer_items
from headcount.budget.pairing import Step
from headcount.budget.walk import walk_ends

Floats = NDArray[np.float64]


def items_for_budget(steps: list[Step], unit_costs: Floats, budget: float) -> Floats:
    """Items that the budget buys for each strategy, 0 where not even one.

    One item fewer where that is better: with an even number of items ties are likelier.
    """
    most = np.floor(budget / unit_costs * (1 + 1e-12))
    fewer = np.maximum(most - 1, 1)
    up, down, drift = np.array(steps).T
    with_most, with_fewer = (
        walk_ends(up, down, drift, np.maximum(items, 1)).log_failure for items in (most, fewer)
    )
    return np.where((with_fewer < with_most) & (most > 1), fewer, most)


def items_for_failure(steps: list[Step], failure: float) -> Floats:
    """The fewest items with which each strategy fails at most this often; infinite if never.

    Failure falls from n to n + 2 but can rise from n to n + 1 (more ties), so odd and even
    numbers are bisected apart, below the size that Cramér's bound guarantees.
    """
    up, down, drift = np.array(steps).T
    enough = cramer_items(up, down, drift, failure)
    reachable = np.isfinite(enough)
    found = np.full(len(steps), np.inf)
    if not reachable.any():
        return found
    up, down, drift = up[reachable], down[reachable], drift[reachable]
    fewest = [
        _bisect(up, down, drift, np.ceil(enough[reachable] / 2) + 1, odd, np.log(failure))
        for odd in (0, 1)
    ]
    found[reachable] = np.minimum(*fewest)
    return found


def _bisect(
    up: Floats, down: Floats, drift: Floats, high: Floats, odd: int, log_failure: float
) -> Floats:
    """The least n = 2h − odd (h ≥ 1) that fails at most so often, h ≤ `high` known to do."""
    low = np.zeros_like(high)
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        fails = walk_ends(up, down, drift, np.maximum(2 * middle - odd, 1)).log_failure
        enough = (fails <= log_failure) | (high - low <= 1)
        open_ = high - low > 1
        high = np.where(open_ & enough, middle, high)
        low = np.where(open_ & ~enough, middle, low)
    return 2 * high - odd
