"""Judged items as groups, groups as patterns, and draws of groups as draws of patterns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Grouping:
    """Groups of items (rows) gathered into patterns: rows with the same counts.

    `counts` (G, d) the patterns, `sizes` (G,) how many items have each, `pattern` (H,) which
    one each group has.
    """

    counts: Ints
    sizes: Ints
    pattern: Ints

    @classmethod
    def of(cls, counts: NDArray[np.integer], sizes: NDArray[np.integer]) -> "Grouping":
        """Gather groups with `counts` (H, d) and `sizes` (H,)."""
        # Sorted column by column: many times quicker than sorting rows as a whole.
        order = np.lexsort(counts.T[::-1])
        ordered: Ints = counts[order].astype(np.int64, copy=False)
        new = np.r_[True, (ordered[1:] != ordered[:-1]).any(axis=1)]
        starts = np.flatnonzero(new)
        pattern = np.empty(len(order), dtype=np.int64)
        pattern[order] = np.cumsum(new) - 1
        return cls(ordered[starts], np.add.reduceat(sizes[order], starts), pattern)

    def gather(self, draws: NDArray[np.integer]) -> Ints:
        """How often each pattern is drawn, (B, G), from how often each group is, (B, H)."""
        if len(self.pattern) == len(self.sizes):
            out = np.empty_like(draws)
            out[:, self.pattern] = draws
            return out
        pattern = self.pattern
        if (np.diff(pattern) < 0).any():
            order = np.argsort(pattern, kind="stable")
            draws, pattern = draws[:, order], pattern[order]
        starts = np.searchsorted(pattern, np.arange(len(self.sizes)))
        return np.add.reduceat(draws, starts, axis=1)
