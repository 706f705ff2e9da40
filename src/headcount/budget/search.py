"""From a strategy to its number of items: the most a budget buys, the fewest a target needs."""

import numpy as np
from numpy.typing import NDArray

from headcount.budget.bounds import cramer_items
from headcount.budget.pairing import Step

Floats = NDArray[np.float64]

FEW = 256
"""Numbers of items that are all tried."""
MOST = 1e15
"""Sizes that need more are out of reach: past 2⁵³ whole numbers cannot be told apart."""


def items_for_budget(steps: list[Step], unit_costs: Floats, budget: float) -> Floats:
    """Items that the budget buys for each strategy, 0 where not even one.

    One item fewer where that is better: with an even number of items ties are likelier.
    """
    most = np.floor(budget / unit_costs * (1 + 1e-12))
    fewer = np.maximum(most - 1, 1)
    chances = Step(*np.array(steps).T)
    with_most, with_fewer = (
        chances.ends(np.maximum(items, 1)).log_failure for items in (most, fewer)
    )
    return np.where((with_fewer < with_most) & (most > 1), fewer, most)


def items_for_failure(steps: list[Step], failure: float) -> Floats:
    """The fewest items with which each strategy fails at most this often; infinite if out of reach.

    Where an item moves nothing at least as often as √(p₊p₋), failure falls with every item:
    the symmetric steps behind it then keep their peak at 0. Elsewhere it can rise from n to
    n + 1 (more ties), so odd and even numbers are bisected apart, below the size that Cramér's
    bound guarantees, and of few items, where ties are still growing, every number is tried.
    """
    up, down, drift, still = chances = np.array(steps).T
    enough = cramer_items(up, down, drift, still, failure)
    reachable = enough <= MOST
    found = np.full(len(steps), np.inf)
    if not reachable.any():
        return found
    some = Step(*chances[:, reachable])
    fewest = [
        _bisect(some, np.ceil(enough[reachable] / 2) + 1, odd, float(np.log(failure)))
        for odd in (0, 1)
    ]
    found[reachable] = np.minimum(np.minimum(*fewest), _try_few(some, float(np.log(failure))))
    return found


def _try_few(steps: Step, log_failure: float) -> Floats:
    """The least n of at most FEW that fails at most so often, infinite where none does."""
    chances = np.array(steps)
    tried = chances[3] < np.sqrt(chances[0] * chances[1])
    found = np.full(chances.shape[1], np.inf)
    if tried.any():
        items = np.arange(1.0, FEW + 1)[:, None]
        enough = Step(*chances[:, tried]).ends(items).log_failure <= log_failure
        found[tried] = np.where(enough.any(axis=0), enough.argmax(axis=0) + 1.0, np.inf)
    return found


def _bisect(steps: Step, high: Floats, odd: int, log_failure: float) -> Floats:
    """The least n = 2h − odd (h ≥ 1) that fails at most so often, h ≤ `high` known to do."""
    low = np.zeros_like(high)
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        fails = steps.ends(np.maximum(2 * middle - odd, 1)).log_failure
        enough = (fails <= log_failure) | (high - low <= 1)
        open_ = high - low > 1
        high = np.where(open_ & enough, middle, high)
        low = np.where(open_ & ~enough, middle, low)
    return 2 * high - odd
