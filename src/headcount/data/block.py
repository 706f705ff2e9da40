"""The K rule for ragged data: one fixed set of items along the whole rater power curve."""

import numpy as np
from numpy.typing import NDArray

from headcount.data.enough import ENOUGH
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen


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
