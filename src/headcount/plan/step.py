"""One item's effect on the comparison, how items are labelled, and how many items it takes."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.plan.walk import WalkEnds, cramer_items, walk_ends

Floats = NDArray[np.float64]

MOST_LABELS = 501
"""The largest vote that is planned for."""
MOST = 1e15
"""Sizes that need more are out of reach: past 2⁵³ whole numbers cannot be told apart."""


class Step(NamedTuple):
    """One item's effect on the gap: chance of +1, of −1, their difference, and chance of 0."""

    up: float
    down: float
    drift: float
    still: float

    @classmethod
    def of(cls, up: float, down: float) -> "Step":
        """From p₊ and p₋ alone.

        >>> Step.of(0.25, 0.2).still
        0.55
        """
        return cls(up, down, up - down, 1 - up - down)

    def ends(self, items: Any) -> WalkEnds:
        """Where so many items take the gap, exactly."""
        return walk_ends(self.up, self.down, self.drift, items, still=self.still)


@frozen
class Strategy:
    """How an item is labelled: by `majority_of` labels, all at once or only as needed.

    `adaptive` asks for two labels and a third only where they differ: the label is that of a
    plurality of three, for fewer labels.
    """

    majority_of: int
    adaptive: bool = False

    @classmethod
    def parse(cls, asked: object) -> "Strategy":
        """A number of labels, or "2+1" for two labels and a third where they differ.

        >>> Strategy.parse("2+1").name
        '2, a 3rd on a tie'
        """
        if asked == "2+1":
            return cls(3, adaptive=True)
        if isinstance(asked, str) and asked.strip().isdigit():
            asked = int(asked)
        if isinstance(asked, int) and not isinstance(asked, bool) and 1 <= asked <= MOST_LABELS:
            return cls(asked)
        raise OptionError(
            f'labels_per_item is a whole number from 1 to {MOST_LABELS}, "2+1" for a third label '
            f"where two differ, or several of these; it was {asked!r}."
        )

    def labels_each(self, two_differ: float) -> float:
        """Expected labels an item, where two labels differ with that chance."""
        return 2.0 + two_differ if self.adaptive else float(self.majority_of)

    @property
    def name(self) -> str:
        """For tables."""
        return "2, a 3rd on a tie" if self.adaptive else str(self.majority_of)


def items_for_budget(steps: list[Step], unit_costs: Floats, budget: float | Floats) -> Floats:
    """Items that the budget, or each of them, buys for each strategy, 0 where not even one.

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

    Failure can rise from n to n + 1 where an item nearly always moves something (more ties), so
    odd and even numbers are bisected apart, below the size that Cramér's bound guarantees.
    Within either it falls with n once it is at most one half, which `failure` must be: above
    that, a single item can tie less often than three (a test looks for exceptions).
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
    found[reachable] = np.minimum(*fewest)
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
