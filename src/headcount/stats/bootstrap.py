"""The bootstrap plan: how many samples, of what, from which seed."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError
from headcount.stats.tail import tail_share

Ints = NDArray[np.int64]

_FEW_ITEMS_A_GROUP = 8
"""Up to so many items a group, drawing the items is quicker than a multinomial over groups."""


@dataclass(frozen=True)
class Bootstrap:
    """A plan for resampling items, and raters too where they are named.

    An item bootstrap over grouped items is a multinomial over the groups: the same
    distribution as drawing items one by one, at a cost that grows with the groups.
    Equal plans give equal draws: every method that is handed the same plan and the same
    groups sees the same samples, which is what makes comparisons paired.
    """

    samples: int = 500
    confidence: float = 0.95
    seed: int = 0
    two_way: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.samples, bool) or self.samples != int(self.samples) or self.samples < 0:
            raise OptionError(
                f"n_bootstrap is a whole number of samples, 0 for no intervals; "
                f"it was {self.samples!r}."
            )
        if not 0 < self.confidence < 1:
            raise OptionError(
                f"confidence lies between 0 and 1, such as 0.95; it was {self.confidence!r}."
            )
        if isinstance(self.seed, bool) or self.seed != int(self.seed) or self.seed < 0:
            raise OptionError(f"seed is a whole number of at least 0; it was {self.seed!r}.")

    def tail(self, items: int) -> float:
        """The share of draws that an interval leaves out on each side, with so many items."""
        return tail_share(self.confidence, items)

    def item_draws(self, group_sizes: NDArray[np.integer]) -> Ints:
        """How often each group is drawn in each sample, shape (samples, groups).

        `group_sizes` holds the number of items in each group; every row sums to their total.
        """
        return np.concatenate(
            [*self.item_batches(group_sizes, batch=max(self.samples, 1))]
            or [np.zeros((0, len(group_sizes)), dtype=np.int64)]
        )

    def item_batches(self, group_sizes: NDArray[np.integer], *, batch: int = 64) -> Iterator[Ints]:
        """`item_draws` in batches of rows, for when all at once would not fit in memory."""
        sizes = np.asarray(group_sizes, dtype=np.int64)
        total = int(sizes.sum())
        rng = self._generator(0)
        one_by_one = total <= _FEW_ITEMS_A_GROUP * len(sizes)
        for start in range(0, self.samples, batch):
            rows = min(batch, self.samples - start)
            if one_by_one:
                yield _drawn_one_by_one(rng, sizes, rows)
            else:
                yield rng.multinomial(total, sizes / total, size=rows).astype(np.int64, copy=False)

    def rater_draws(self, n_raters: int) -> Ints:
        """How often each rater is drawn in each sample, shape (samples, raters)."""
        chance = np.full(n_raters, 1 / n_raters)
        return self._generator(1).multinomial(n_raters, chance, size=self.samples)

    def _generator(self, stream: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, stream])


def _drawn_one_by_one(rng: np.random.Generator, sizes: Ints, samples: int) -> Ints:
    """The same distribution as a multinomial over groups, by drawing the items themselves."""
    total, groups = int(sizes.sum()), len(sizes)
    group_of_item = None if total == groups else np.repeat(np.arange(groups), sizes)
    drawn = np.empty((samples, groups), dtype=np.int64)
    for row in drawn:
        items = rng.integers(total, size=total)
        row[:] = np.bincount(
            items if group_of_item is None else group_of_item[items], minlength=groups
        )
    return drawn
