"""What people said in numbers: the few sums that every question here is answered from."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen(eq=False)
class People:
    """People's ratings of I items: how many, their mean and their variance within the item.

    `n`, `mean` and `within` are (I,); `within` is 0 where an item has one rating, which cannot
    tell. `shared` is how much of the variance of the items' means is hidden because the same
    raters, strict or lenient, rated many of the items: 0 where raters have no names.
    """

    n: Ints
    mean: Floats
    within: Floats
    shared: float = 0.0

    @classmethod
    def of_sums(cls, n: ArrayLike, total: ArrayLike, squares: ArrayLike) -> "People":
        """From each item's number of ratings, their sum and the sum of their squares.

        >>> found = People.of_sums([2, 3], [3.0, 6.0], [5.0, 14.0])
        >>> found.mean, found.within
        (array([1.5, 2. ]), array([0.5, 1. ]))
        """
        n = np.asarray(n, dtype=np.int64)
        total, squares = (np.asarray(each, dtype=np.float64) for each in (total, squares))
        mean = total / np.maximum(n, 1)
        spread = np.maximum(squares - total * mean, 0.0)
        return cls(n, mean, np.where(n > 1, spread / np.maximum(n - 1, 1), 0.0))

    @property
    def several(self) -> NDArray[np.bool_]:
        """The items with at least two ratings, which alone tell how people differ."""
        return self.n > 1

    @property
    def n_compared(self) -> int:
        """How many items have at least two ratings."""
        return int(self.several.sum())


@frozen(eq=False)
class Said:
    """Ratings one by one: `item` (R,) in order, `value` (R,) in order within each item.

    `rater` (R,) is None where raters have no names; nobody rates an item twice. `n_items` is I.
    """

    item: Ints
    value: Floats
    n_items: int
    rater: Ints | None = None

    @classmethod
    def of(
        cls, item: ArrayLike, value: ArrayLike, n_items: int, rater: ArrayLike | None = None
    ) -> "Said":
        """From ratings in any order."""
        item, value = np.asarray(item, dtype=np.int64), np.asarray(value, dtype=np.float64)
        order = np.lexsort([value, item])
        who = None if rater is None else np.asarray(rater, dtype=np.int64)[order]
        return cls(item[order], value[order], n_items, who)

    def people(self) -> People:
        """The sums by item, about the mean of all ratings so that nothing cancels."""
        n = np.bincount(self.item, minlength=self.n_items)
        middle = float(self.value.mean()) if len(self.value) else 0.0
        about = self.value - middle
        total = np.bincount(self.item, weights=about, minlength=self.n_items)
        squares = np.bincount(self.item, weights=about**2, minlength=self.n_items)
        found = People.of_sums(n, total, squares)
        shared = (
            0.0 if self.rater is None else _shared(self.item, self.rater, self.value, found, middle)
        )
        return People(found.n, found.mean + middle, found.within, shared)

    def where(self, keep: NDArray[np.bool_]) -> "Said":
        """Some of the ratings, of as many items."""
        who = None if self.rater is None else self.rater[keep]
        return Said(self.item[keep], self.value[keep], self.n_items, who)

    def without(self, groups: Ints) -> Iterator["Said"]:
        """The ratings without each group of raters in turn, `groups` (m,) by rater."""
        if self.rater is None:
            return
        group = groups[self.rater]
        for each in range(int(groups.max(initial=-1)) + 1):
            yield self.where(group != each)


def _shared(item: Ints, rater: Ints, value: Floats, people: People, middle: float) -> float:
    """What pairs of one rater's ratings of different items have in common, in the items' means.

    Var(mean of item) is told from pairs of ratings of different items. Where both are by one
    rater, they share how strict that rater is; so the product of such pairs less that of pairs
    by different raters, each item counting once, is what the items' means share.
    """
    several = people.several
    n_items = int(several.sum())
    kept = several[item]
    item, rater, value = item[kept], rater[kept], value[kept]
    if n_items < 2:
        return 0.0
    centre = float(people.mean[several].mean()) + middle
    weight = 1 / (n_items * people.n[item])
    y = weight * (value - centre)
    by_item = float(((people.mean[several] + middle - centre) ** 2).sum()) / n_items**2
    by_rater = float((np.bincount(rater, weights=y) ** 2).sum())
    alone = float((y**2).sum())
    pairs = 1 - 1 / n_items
    of_one_rater = float((np.bincount(rater, weights=weight) ** 2).sum() - (weight**2).sum())
    if pairs - of_one_rater <= 1e-9:
        return 0.0
    return -by_item / pairs + (by_item + by_rater - alone) / (pairs - of_one_rater)
