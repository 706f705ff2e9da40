"""Levels of what people say, and how far a judge is off at each.

To sort items by people's mean and then compare the judge with that same mean would punish every
judge: items whose ratings came out high by luck look underrated. So each rating is compared with
the judge at the level that the *other* ratings of the item give.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.scores.components import NOTHING
from headcount.scores.people import People, Said
from headcount.scores.sample import Measured

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_LEVELS = 5
"""Parts of equal size that a finer scale is cut into."""
_FEW_WHOLE = 10
"""A scale of whole numbers this wide has its own levels."""


@frozen(eq=False)
class Levels:
    """The levels: `names` (L,) for people and the `edges` (L − 1,) between them."""

    names: tuple[str, ...]
    edges: Floats

    @property
    def n(self) -> int:
        """How many levels there are."""
        return len(self.names)

    def of(self, numbers: Floats) -> Ints:
        """The level of each number; one on an edge belongs above it."""
        return np.searchsorted(self.edges, numbers, side="right")


def levels_of(said: Said) -> Levels:
    """The whole numbers where a scale has few, else fifths of the items' levels."""
    values = said.value
    low, high = float(values.min()), float(values.max())
    if high - low <= _FEW_WHOLE and bool((values == np.floor(values)).all()):
        whole = np.arange(low, high + 1)
        return Levels(tuple(f"{each:.0f}" for each in whole), (whole[1:] + whole[:-1]) / 2)
    people = said.people()
    shares = np.arange(1, MOST_LEVELS) / MOST_LEVELS
    edges = np.unique(np.quantile(people.mean[people.n > 0], shares))
    edges = edges[edges > low]
    ends = np.concatenate([[low], edges, [high]])
    return Levels(tuple(f"{a:.4g} to {b:.4g}" for a, b in pairwise(ends)), edges)


def bias_by_level(
    judge: Floats, levels: Levels, people: People, said: Said, added: bool = True
) -> Measured:
    """Judge less people at each level, over the items with at least two ratings.

    An item counts once, shared out over the levels that its other ratings give.
    """
    kept = people.several[said.item]
    item, value = said.item[kept], said.value[kept]
    n, mean = people.n[item], people.mean[item]
    level = levels.of(mean + (mean - value) / (n - 1))
    off = (judge[item] - value) / n
    of_level = np.bincount(level, weights=1 / n, minlength=levels.n)
    with np.errstate(invalid="ignore", divide="ignore"):
        bias = np.bincount(level, weights=off, minlength=levels.n) / of_level
    if not added:
        return Measured(levels.names, bias, NOTHING)
    # Bias and weight of a rating's own level: each rating adds to one level only.
    about = (off - bias[level] / n) * (said.n_items / of_level[level])
    cell, shape = item * levels.n + level, (said.n_items, levels.n)
    influence = np.bincount(cell, weights=about, minlength=said.n_items * levels.n)
    return Measured(levels.names, bias, influence.reshape(shape).astype(np.float64))


def items_by_level(levels: Levels, people: People, said: Said) -> Floats:
    """How many items each level has, an item shared out over the levels of its ratings (L,)."""
    kept = people.several[said.item]
    item = said.item[kept]
    n, mean = people.n[item], people.mean[item]
    level = levels.of(mean + (mean - said.value[kept]) / (n - 1))
    return np.bincount(level, weights=1 / n, minlength=levels.n).astype(np.float64)
