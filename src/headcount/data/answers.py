"""The answers one by one, coded as integers: for the methods that must know who said what."""

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen

Ints = NDArray[np.int64]


@frozen
class Column:
    """A column of answers or items, coded: `names` (k,), and `code` (R,) into them."""

    names: tuple[str, ...]
    code: Ints


@frozen
class Answers:
    """Every answer, retests included, with item, rater and label as integer codes.

    `items` (n,) and `raters` (m,) hold the names as text; `item`, `rater`, `label` and
    `occasion` are (R,) codes. `occasion` is 0 for a rater's first answer on an item, 1 for
    the second and so on. `weight` is (R,) or None where no such column was read. `by` has every
    column of groups by its name; `groups` and `group` are the names and codes of the first.
    """

    items: NDArray[np.object_]
    raters: NDArray[np.object_]
    item: Ints
    rater: Ints
    label: Ints
    occasion: Ints
    groups: tuple[str, ...] = ()
    group: Ints | None = None
    weight: NDArray[np.float64] | None = None
    by: dict[str, Column] = field(default_factory=dict)

    def first(self) -> "Answers":
        """Only each rater's first answer on each item: what every method but flip rates uses."""
        return self._where(self.occasion == 0)

    def matrix(self) -> Ints:
        """First answers as items × raters, −1 where a rater did not rate the item."""
        first = self.first()
        grid = np.full((len(self.items), len(self.raters)), -1, dtype=np.int64)
        grid[first.item, first.rater] = first.label
        return grid

    def _where(self, keep: NDArray[np.bool_]) -> "Answers":
        return Answers(
            self.items,
            self.raters,
            self.item[keep],
            self.rater[keep],
            self.label[keep],
            self.occasion[keep],
            self.groups,
            None if self.group is None else self.group[keep],
            None if self.weight is None else self.weight[keep],
            {name: Column(column.names, column.code[keep]) for name, column in self.by.items()},
        )
