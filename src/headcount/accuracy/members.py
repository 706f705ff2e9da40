"""Named raters' answers item by item: items on which everyone said the same are found once."""

from functools import cached_property

import numpy as np

from headcount.accuracy.ballots import Floats, Ints, rows_alike
from headcount.data import Groups
from headcount.frozen import frozen


@frozen(eq=False)
class Answered:
    """Distinct rows of what raters and one classifier said: each rater's `counts` (G, L), the
    classifier's `answer` (G,), the `size` (G,) items that have them, and each item's `row` (n,).
    """

    counts: list[Ints]
    answer: Ints
    size: Floats
    row: Ints


@frozen(eq=False)
class Members:
    """Each rater's answers as `counts` (n, L) of the same items."""

    counts: list[Ints]

    @cached_property
    def _alike(self) -> Groups:
        """Items with the same answers, for all classifiers together."""
        return rows_alike(np.column_stack(self.counts))

    @cached_property
    def _distinct(self) -> list[Ints]:
        return [each[self._alike.first] for each in self.counts]

    def with_answers(self, answer: Ints) -> Answered:
        """With a classifier's answer (n,) to each item."""
        width = int(answer.max(initial=0)) + 1
        cell = self._alike.of_row * width + answer
        size = np.bincount(cell, minlength=len(self._alike) * width)
        used = np.flatnonzero(size)
        place = np.empty(len(size), dtype=np.int64)
        place[used] = np.arange(len(used))
        raters, said = np.divmod(used, width)
        counts = [each[raters] for each in self._distinct]
        return Answered(counts, said, size[used].astype(np.float64), place[cell])
