"""Which samples an interval counts: items, clusters of items, raters; and the words for it."""

from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError
from headcount.frozen import frozen

Ints = NDArray[np.int64]

MOST_GROUPS = 50
"""Raters past twice this number are left out in so many random groups, which bounds the cost."""
FEW_RATERS = {
    1: "one rater cannot tell how much raters differ",
    2: "two raters cannot tell how much raters differ",
}
_FEW, _MANY_ITEMS = 20, 3_000
"""With fewer raters and as many items or more, intervals are too short in crowds whose members
draw the line at different places: `docs/people.md` has how often they hold."""


# Up to so many raters with names are told from people at large: of more, what they say of each
# other is said of people too, for the two intervals are hardly different.
FEW_NAMED = 7


@frozen
class Plan:
    """Which samples an interval counts: items, clusters of items, raters.

    `clusters` and `raters` are None where the data do not name them. `cluster` is what one
    cluster is called in sentences ("document").
    """

    items: int
    clusters: int | None = None
    raters: int | None = None
    cluster: str = "cluster of items"

    def __post_init__(self) -> None:
        for name in ("items", "clusters", "raters"):
            number = getattr(self, name)
            if number is not None and (number != int(number) or number < 1):
                raise OptionError(f"{name} is a whole number of at least 1; it was {number!r}.")

    @property
    def units(self) -> int:
        """How many independent draws of items there are: clusters where they are named."""
        return self.items if self.clusters is None else self.clusters

    @property
    def counts_raters(self) -> bool:
        """Whether raters are taken as a sample: named, and at least three."""
        return self.raters is not None and self.raters > 2

    @property
    def few_named(self) -> int | None:
        """How many raters there are where they are so few that two intervals are told."""
        few = self.counts_raters and self.raters is not None and self.raters <= FEW_NAMED
        return self.raters if few else None

    @property
    def why_not_raters(self) -> str | None:
        """The reason that named raters are not taken as a sample."""
        return None if self.raters is None else FEW_RATERS.get(self.raters)

    def freedom(self, n_draws: int | None = None) -> float:
        """Degrees of freedom: the smaller sample less one, allowing for a finite bootstrap."""
        items = self.units - 1.0
        if n_draws is not None:
            items = 1 / (1 / max(items, 1e-9) + 1 / max(n_draws - 1, 1e-9))
        if not self.counts_raters or self.raters is None:
            return max(items, 1.0)
        return max(min(items, n_rater_groups(self.raters) - 1.0), 1.0)

    def sentence(self) -> str:
        """What the interval is about, for people.

        >>> Plan(1000, raters=20).sentence()
        'other items like these, judged by other people like these'
        >>> Plan(1600, clusters=100, cluster="document").sentence()
        'other documents like these, judged by people like these'
        """
        return f"other {self.units_named} like these, judged by {self.judges}"

    @property
    def units_named(self) -> str:
        """What is drawn, in the plural: "items", or "documents" where these are the clusters."""
        return "items" if self.clusters is None else _plural(self.cluster)

    @property
    def unit_named(self) -> str:
        """One of what is drawn."""
        return "item" if self.clusters is None else self.cluster

    @property
    def judges(self) -> str:
        """Whose labels the interval allows for: other people, people, or these very ones."""
        if self.counts_raters:
            return "other people like these"
        if self.raters is None:
            return "people like these"
        return "this one person" if self.raters == 1 else "these two people"

    def speaks(self) -> str:
        """The same as a whole sentence, and a second one where few raters make it too bold.

        >>> Plan(1000, raters=5).speaks()
        'Intervals speak of other items like these, judged by other people like these.'
        """
        return " ".join([f"Intervals speak of {self.sentence()}.", *self.caution()])

    def caution(self) -> tuple[str, ...]:
        """That raters are too few for what is promised, where they are."""
        if not self.counts_raters or self.raters is None:
            return ()
        if self.raters >= _FEW or self.units < _MANY_ITEMS:
            return ()
        return (
            f"They are too short where so few raters, {self.raters}, draw the line at different "
            "places: with eight such raters 88 to 91 of 100 intervals at 95 % held.",
        )


def _nothing() -> Ints:
    return np.zeros(0, dtype=np.int64)


@frozen(eq=False)
class Samples:
    """What is taken as a sample in one table of items, on bare arrays.

    `plan` has the sizes and the words. `cluster` (n,) is the cluster of each item, None where
    items stand for themselves. `item`, `rater` and `label` (R,) tell who said what, `raters`
    (m,) their names; they are empty where raters are not taken as a sample. `part` has them
    instead where raters are left out on a part of the items alone.
    """

    plan: Plan
    cluster: Ints | None = None
    item: Ints = field(default_factory=_nothing)
    rater: Ints = field(default_factory=_nothing)
    label: Ints = field(default_factory=_nothing)
    raters: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    part: "Samples | None" = None

    @property
    def by_row(self) -> bool:
        """Whether items must be looked at one by one: for their cluster, or for who rated them."""
        return self.cluster is not None or (self.plan.counts_raters and self.part is None)

    def of_items(self) -> "Samples":
        """The same without the part: items, or their clusters, alone."""
        if self.part is None:
            return self
        return replace(self, plan=replace(self.plan, raters=None), part=None, notes=())

    @cached_property
    def left_out_with(self) -> Ints:
        """The group that each rater is left out with, (m,)."""
        return rater_groups(len(self.raters))

    def groups_of_raters(self, most: int) -> Ints:
        """The same (m,) where there are to be no more than `most` groups if raters are many."""
        return rater_groups(len(self.raters), most=most)

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """Who is left out in each table, for people."""
        if self.part is not None:
            return self.part.left_out
        if n_rater_groups(len(self.raters)) == len(self.raters):
            return self.raters
        sizes = np.bincount(self.left_out_with)
        return tuple(f"{size:,} of {len(self.raters):,} raters" for size in sizes)

    def without(self, counts: Ints, *, most: int | None = None) -> Iterator[Ints]:
        """Label counts (n, L) without each rater, or each group of raters, in turn.

        `most` is how many groups there are at most where raters are many.
        """
        if not self.plan.counts_raters:
            return
        groups = self.left_out_with if most is None else self.groups_of_raters(most)
        group = groups[self.rater]
        order = np.argsort(group.astype(np.uint16), kind="stable")  # so few are sorted by counting
        cell = (self.item * counts.shape[1] + self.label)[order]
        edges = np.searchsorted(group[order], np.arange(int(groups.max(initial=-1)) + 2))
        for start, end in pairwise(edges):
            gone = np.bincount(cell[start:end], minlength=counts.size)
            yield counts - gone.reshape(counts.shape)

    def outside_clusters(self, *, most: int) -> Iterator[NDArray[np.bool_]]:
        """Which items (n,) stay without each cluster, or each group of clusters, in turn."""
        if self.cluster is not None:
            groups = rater_groups(int(self.cluster.max()) + 1, most=most)
            yield from masks_without(self.cluster, groups)

    def take(self, keep: NDArray[np.bool_]) -> "Samples":
        """The same samples on some of the items."""
        place = np.cumsum(keep) - 1
        stay = keep[self.item]
        seen, rater = np.unique(self.rater[stay], return_inverse=True)
        cluster, n_clusters = None, None
        if self.cluster is not None:
            codes, cluster = np.unique(self.cluster[keep], return_inverse=True)
            n_clusters = len(codes)
        counted = self.plan.counts_raters and self.part is None
        raters = len(seen) if counted else self.plan.raters
        plan = Plan(max(int(keep.sum()), 1), n_clusters, raters or None, self.plan.cluster)
        return Samples(
            plan,
            cluster,
            place[self.item[stay]],
            rater.ravel(),
            self.label[stay],
            tuple(self.raters[r] for r in seen),
            self.notes,
            self.part,
        )

    def clusters_of(self, group: Ints) -> Any:
        """How many items of each of `group` (n,) codes a cluster holds, a sparse (C, G) table.

        None where items are not drawn by the cluster.
        """
        if self.cluster is None:
            return None
        from scipy import sparse

        ones = np.ones(len(group), dtype=np.int64)
        shape = (int(self.cluster.max()) + 1, int(group.max()) + 1)
        return sparse.csr_array((ones, (self.cluster, group)), shape=shape)


def n_rater_groups(n_raters: int, most: int = MOST_GROUPS) -> int:
    """How many tables without a rater, or a group of raters, there are.

    Everyone alone up to twice `most`, so that groups never mix one rater with two.
    """
    return n_raters if n_raters <= 2 * most else most


def rater_groups(n_raters: int, *, most: int = MOST_GROUPS, seed: int = 0) -> Ints:
    """The group that each rater is left out with, (m,); at random where raters are many.

    Groups differ in size by one rater at most.

    >>> rater_groups(4)
    array([0, 1, 2, 3])
    >>> np.bincount(rater_groups(20_000)).tolist() == [400] * 50
    True
    """
    groups = n_rater_groups(n_raters, most)
    if groups == n_raters:
        return np.arange(n_raters)
    return np.random.default_rng([seed, 2]).permutation(n_raters) % groups


def masks_without(rater: Ints, groups: Ints) -> Iterator[NDArray[np.bool_]]:
    """For each group in turn, which of the ratings by `rater` (R,) stay when it is left out."""
    group_of_rating = groups[rater]
    for group in range(int(groups.max(initial=-1)) + 1):
        yield group_of_rating != group


def _plural(noun: str) -> str:
    head, _, rest = noun.partition(" ")
    return f"{head}s {rest}".strip()
