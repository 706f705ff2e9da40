"""Where a classifier contradicts most people, or everyone, and what it says there.

Items are counted, not shares of people: these are the items that somebody can go and read.
"""

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.crowd import Crowd
from headcount.frozen import frozen
from headcount.results import count

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_BEYOND_CHANCE = 2.0
"""Standard errors by which two counts differ before a lean to one side is told."""

_HABIT = 3
"""An error on fewer items than this is no habit worth a sentence."""


@frozen(eq=False)
class Contradictions:
    """What people say of each judged item, and whether a classifier goes along.

    `common` (n,) is the label that more than half of an item's labels are, −1 where none is;
    `united` (n,) are items on which at least two people said the same and nobody anything else.
    `agrees` (n, C) tells where each classifier's answer is (near) the common label.
    """

    crowd: Crowd

    @cached_property
    def common(self) -> Ints:
        """The label of more than half of the people (n,), −1 where there is none."""
        counts = self.crowd.judged.counts
        most = counts.argmax(axis=1)
        clear = 2 * counts.max(axis=1) > counts.sum(axis=1)
        return np.where(clear, most, -1)

    @cached_property
    def united(self) -> Bools:
        """Items of two labels or more, all of them the same (n,)."""
        counts = self.crowd.judged.counts
        size = counts.sum(axis=1)
        same: Bools = (counts.max(axis=1) == size) & (size > 1)
        return same

    @cached_property
    def agrees(self) -> Bools:
        """Whether each classifier says what most people say, or something near it (n, C)."""
        clear = np.maximum(self.common, 0)
        if self.crowd.nearness.has_order:
            return self.crowd.near[np.arange(len(clear)), :, clear] > 0
        same: Bools = self.crowd.answers == clear[:, None]
        return same

    @property
    def of_most(self) -> Bools:
        """Where each classifier contradicts most people (n, C)."""
        against: Bools = (self.common >= 0)[:, None] & ~self.agrees
        return against

    @property
    def of_everyone(self) -> Bools:
        """Where each classifier contradicts everyone (n, C)."""
        against: Bools = self.united[:, None] & ~self.agrees
        return against

    def items(self, rows: Bools) -> int:
        """How many items these rows stand for."""
        return int(self.crowd.judged.size[rows].sum())

    def pairs(self, place: int) -> list[tuple[int, int, int]]:
        """What a classifier says, what most people say, on how many items; the most first.

        −1 is an answer that is no label.
        """
        against = self.of_most[:, place]
        said = np.column_stack([self.crowd.answers[against, place], self.common[against]])
        kinds, kind = np.unique(said, axis=0, return_inverse=True)
        items = np.bincount(kind.ravel(), weights=self.crowd.judged.size[against])
        found = [(int(k), int(y), int(n)) for (k, y), n in zip(kinds, items, strict=True)]
        return sorted(found, key=lambda each: (-each[2], each[:2]))

    def leaning(self, place: int) -> tuple[int, int, int] | None:
        """Of two labels the one said too often, instead of which, on how many items.

        Too often: on so many more items than the other way round that chance would hardly do it,
        items of one cluster counted as one draw. None where that is not shown.
        """
        if self.crowd.judged.labels.n != 2:
            return None
        answer = self.crowd.answers[:, place]
        wrong = self.of_most[:, place] & (answer >= 0)
        signed = np.where(wrong, np.where(answer == 1, 1.0, -1.0), 0.0)
        cluster = self.crowd.samples.cluster
        if cluster is None:
            lean, squares = (float(x @ self.crowd.judged.size) for x in (signed, signed**2))
        else:
            sums = np.bincount(cluster, weights=signed)
            lean, squares = float(sums.sum()), float((sums**2).sum())
        if squares == 0 or abs(lean) <= _BEYOND_CHANCE * math.sqrt(squares):
            return None
        said = 1 if lean > 0 else 0
        return said, 1 - said, self.items(wrong & (answer == said))

    def commonest_error(self, place: int) -> str | None:
        """What a classifier gets wrong most, in a sentence without its name; None: nothing."""
        names, people = self.crowd.judged.labels.names, "most people call"
        if (self.crowd.judged.counts.sum(axis=1) <= 1).all():
            people = "a person calls"
        lean = self.leaning(place)
        if lean is not None:
            said, common, n = lean
            on = count(n, "item", "items")
            return (
                f"says {named(names[said])} too often: on {on} that {people} {named(names[common])}"
            )
        pairs = self.pairs(place)
        if not pairs or pairs[0][2] < _HABIT:
            return None
        said, common, n = pairs[0]
        on = count(n, "item", "items")
        answer = named(names[said]) if said >= 0 else "something that is no label"
        if len(names) == 2 and len(pairs) > 1:
            total = count(sum(each[2] for each in pairs), "item", "items")
            return f"contradicts {people.rpartition(' ')[0]} on {total}, both ways about alike"
        return f"errs most often by saying {answer} on {on} that {people} {named(names[common])}"


def named(label: str) -> str:
    """A label in a sentence: as it is where it is a word, else in quotes."""
    return label if label.isalpha() else f"“{label}”"
