"""How many ratings of an item, and which items, a curve or a fitted population reads.

The thousandth rating of an item says next to nothing about how items differ, yet models that
look at every survey, or at every count, pay for it. They read `ENOUGH` ratings of each such item,
drawn without replacement: a sample of its ratings is what an item is to them in any case. Shares,
agreement, calibration and classifiers' scores are sums, and read all.

Where items have different numbers of ratings, a power curve is measured along one fixed set of
them, the items with at least K ratings.
"""

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Ints
from headcount.counting import ENOUGH, Patterns, group_rows
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen

# Items drawn from together: what they take in memory stays small beside their counts.
_AT_ONCE = 1_000_000


def enough(counts: Ints, most: int = ENOUGH) -> Ints:
    """Counts (n, L) of one item each, cut to `most` ratings where there are more.

    What is drawn depends on an item's counts alone, and on how many items before it have the
    same: neither on a seed nor on which other items there are.

    >>> enough(np.array([[3, 1], [0, 1_000_000]])).tolist()
    [[3, 1], [0, 200]]
    """
    many = counts.sum(axis=1) > most
    if not many.any():
        return counts
    rich = counts[many]
    token = _tokens(rich)
    parts = [
        _drawn(rich[start : start + _AT_ONCE], token[start : start + _AT_ONCE], most)
        for start in range(0, len(rich), _AT_ONCE)
    ]
    cut = counts.copy()
    cut[many] = np.concatenate(parts)
    return cut


def enough_of(patterns: Patterns, most: int = ENOUGH) -> Patterns:
    """The same for items grouped by their counts: equal items are drawn from one by one."""
    many = patterns.raters > most
    if not many.any():
        return patterns
    few = patterns.only(~many)
    drawn = enough(np.repeat(patterns.counts[many], patterns.items[many], axis=0), most)
    ones = np.ones(len(drawn), dtype=np.int64)
    return Patterns.of(np.concatenate([few.counts, drawn]), np.concatenate([few.items, ones]))


def told(per_item: Ints, most: int = ENOUGH) -> tuple[str, ...]:
    """That models read a part of many ratings, as a sentence; none where they read all.

    >>> told(np.array([3, 2000]))[0][:37]
    'Items have up to 2,000 ratings: model'
    """
    many = int(per_item.max(initial=0))
    if many <= most:
        return ()
    return (
        f"Items have up to {many:,} ratings: models of people and surveys read {most:,} of each "
        "item, drawn at random and always the same; shares and scores are of all.",
    )


def _drawn(counts: Ints, token: NDArray[np.uint64], most: int) -> Ints:
    """`most` answers of each row, one after the other, by numbers that its token gives."""
    left = counts.copy()
    rows = np.arange(len(counts))
    for place in range(most):
        reach = np.cumsum(left, axis=1)
        chance = (_mixed(token + np.uint64(place)) >> np.uint64(11)) * 2.0**-53
        label = (chance[:, None] * reach[:, -1:] >= reach).sum(axis=1)
        left[rows, label] -= 1
    return counts - left


def _tokens(counts: Ints) -> NDArray[np.uint64]:
    """A number for each row, by its counts and by how many rows before it are the same."""
    group = group_rows(counts).of_row
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    alike = np.empty(len(counts), dtype=np.int64)
    alike[order] = np.arange(len(counts)) - np.repeat(starts, np.diff(starts, append=len(counts)))
    token = np.zeros(len(counts), dtype=np.uint64)
    for column in (*counts.T, alike):
        token = _mixed(token ^ column.astype(np.uint64))
    return token


def _mixed(number: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit of 64 spread over all of them (the finaliser of SplitMix64)."""
    number = number + np.uint64(0x9E3779B97F4A7C15)
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@frozen
class Block:
    """The items kept: those with at least `raters` ratings; all of their ratings are used.

    `keep` is a mask over the rows the rule was applied to.
    """

    raters: int
    keep: NDArray[np.bool_]
    items_used: int
    items_dropped: int

    def notes(self) -> tuple[str, ...]:
        """What was dropped, as a sentence; none where nothing was."""
        if not self.items_dropped:
            return ()
        return (
            f"{self.items_dropped:,} of {self.items_used + self.items_dropped:,} items have fewer "
            f"than {self.raters} ratings and were left out, so that every point of the curve "
            "is measured on the same items.",
        )


def full_block(
    ratings_per_item: NDArray[np.integer],
    items: NDArray[np.integer] | None = None,
    *,
    raters: int | None = None,
) -> Block:
    """Choose K and the items with at least K ratings.

    K maximises items × (1 + 1/2 + … + 1/K) unless `raters` sets it: the largest full block
    of ratings, with the k-th rater worth 1/k of the first, because a curve flattens while an
    item left out changes the question; K is at most `ENOUGH`, past which the fitted population
    carries the curve on. `items` says how many items each row stands for (one each by default).
    """
    per_item = np.asarray(ratings_per_item, dtype=np.int64)
    sizes = np.ones_like(per_item) if items is None else np.asarray(items, dtype=np.int64)
    most = int(per_item.max(initial=0))
    if raters is None:
        if most < 2:
            raise UnanswerableError(
                "No item has two ratings, so no rater can be held out: "
                "collect a second rating for at least some items."
            )
        reach = np.minimum(per_item, ENOUGH)
        at_least = np.cumsum(np.bincount(reach, weights=sizes)[::-1])[::-1]
        worth = np.cumsum(1 / np.arange(1, len(at_least)))
        raters = 2 + int(np.argmax(at_least[2:] * worth[1:]))
    elif not 2 <= raters <= most:
        raise OptionError(
            f"max_raters={raters} needs items with that many ratings; here an item has "
            f"at most {most}, and at least 2 are needed: choose a number from 2 to {most}."
        )
    keep = per_item >= raters
    used = int(sizes[keep].sum())
    return Block(raters, keep, used, int(sizes.sum()) - used)
