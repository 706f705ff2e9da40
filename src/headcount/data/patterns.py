"""Items grouped by their label counts: the only thing the anonymous methods see."""

import numpy as np
from numpy.typing import NDArray

from headcount.data.groups import group_rows
from headcount.frozen import frozen

Ints = NDArray[np.int64]


@frozen
class ItemCounts:
    """Label counts item by item: `items` (n,) ids as text, `counts` (n, L)."""

    items: NDArray[np.object_]
    counts: Ints


@frozen
class Patterns:
    """Distinct label-count vectors: `counts` (G, L) and `items` (G,), how many items have each.

    Rows are in lexicographic order, so equal data give equal patterns whatever the row order.
    """

    counts: Ints
    items: Ints

    @property
    def n_items(self) -> int:
        """The number of items behind the patterns."""
        return int(self.items.sum())

    @property
    def n_ratings(self) -> int:
        """The number of ratings behind the patterns."""
        return int(self.raters @ self.items)

    @property
    def raters(self) -> Ints:
        """Ratings per item in each pattern, shape (G,)."""
        per_item: Ints = self.counts.sum(axis=1)
        return per_item

    def only(self, keep: NDArray[np.bool_]) -> "Patterns":
        """The patterns where `keep` holds."""
        return Patterns(self.counts[keep], self.items[keep])

    @classmethod
    def of(
        cls, counts: NDArray[np.integer], items: NDArray[np.integer] | None = None
    ) -> "Patterns":
        """Group rows of counts; `items` says how many items each row already stands for."""
        whole: Ints = np.asarray(counts, dtype=np.int64)
        groups = group_rows(whole, size=items)
        return cls(whole[groups.first], groups.size)
