"""Ratings that stand together item by item, as most large tables are written: who rated twice.

Where all rows of an item stand one after the other, a rater's second answer stands in the same
stretch of rows as the first, and is found by reading the rows once in their order: no table of
raters and items is built. Items and pairs of item and rater are compared by 64-bit hashes. Equal
ones have equal hashes, so that no second answer in a stretch is overlooked, and what only looks
like one is looked at again. That every item has one stretch is known when items were counted: there
are as many stretches as items.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from headcount.door.text import PLAIN
from headcount.frozen import frozen

Hashes = NDArray[np.uint64]

_NONE: Hashes = np.empty(0, dtype=np.uint64)
_COMPARED = 100
"""Rows up to which those of a stretch are compared with each other; more are sorted."""
_LONGEST = 1 << 22
"""Rows of an item that are held to be looked at together."""
_MOST_STRETCHES = 0.7
"""Stretches for each row, in the first rows, of a table that is not worth reading in order."""


@frozen
class Stretches:
    """What was seen in the rows: how many stretches, of how many rows with a rater's plain name.

    `twice` are hashes of the items that somebody may have answered twice in one stretch.
    """

    n: int
    rows: int
    twice: Hashes


def stand_together(items: list[str | None]) -> bool:
    """Whether the items of the first rows look as if each had one stretch of them.

    >>> stand_together(["a", "a", "b", "b", "b"]), stand_together(["a", "b", "a", "a", "a"])
    (True, False)
    """
    n = sum(now != before for now, before in zip(items[1:], items, strict=False)) + 1
    return n == len(set(items)) and n <= _MOST_STRETCHES * len(items)


def hashes_sql(answers: str) -> str:
    """The hashes of item, and of item and rater, in the order of the rows.

    Rows in which the rater is blank or has spaces around the name are left out: counting tells
    that they are missing, and all are then looked at in another way.
    """
    hashes = f"SELECT hash(item) AS item, hash(rater) AS rater FROM {answers}"
    plain = f"{hashes} WHERE {PLAIN.format('rater')}"
    return f"SELECT item, xor(item, rater) AS pair FROM ({plain})"


def stretches_in(rows: Iterable[tuple[Hashes, Hashes]]) -> Stretches | None:
    """Look through the hashes of items and pairs, which come in pieces; None where one is too long.

    >>> items, pairs = np.array([[1, 1, 1, 2], [11, 12, 11, 21]], dtype=np.uint64)
    >>> stretches_in([(items[:2], pairs[:2]), (items[2:], pairs[2:])])
    Stretches(n=2, rows=4, twice=array([1], dtype=uint64))
    """
    n = seen = 0
    twice: list[Hashes] = [_NONE]
    before, begun = None, [_NONE]  # the last item, and its pairs in a list of pieces
    for item, pair in rows:
        if not len(item):
            continue
        seen += len(item)
        ends = np.flatnonzero(item[1:] != item[:-1]) + 1
        first, last = (int(ends[0]), int(ends[-1])) if len(ends) else (len(item), 0)
        if item[0] == before:
            begun.append(pair[:first])
        else:
            n += 1
            twice.append(_repeated(before, begun))
            begun = [pair[:first]]
        if sum(map(len, begun)) > _LONGEST:
            return None
        longest = max(first, len(item) - last, int(np.diff(ends).max(initial=0)))
        twice += [item[places] for places in _seen_again(pair, longest)]
        before = item[-1]
        if len(ends):
            n += len(ends)
            twice.append(_repeated(item[0], begun))
            begun = [pair[last:]]
    twice.append(_repeated(before, begun))
    return Stretches(n, seen, np.unique(np.concatenate(twice)))


def _repeated(item: np.uint64 | None, pieces: list[Hashes]) -> Hashes:
    """The item, where its stretch runs over several pieces and holds a pair twice."""
    if item is None or len(pieces) == 1:
        return _NONE
    pair = np.concatenate(pieces)
    return _NONE if len(np.unique(pair)) == len(pair) else np.array([item])


def _seen_again(pair: Hashes, longest: int) -> Iterator[NDArray[np.intp]]:
    """The places of rows whose pair stands in another row as well, at most a stretch away."""
    if longest <= _COMPARED:
        for step in range(1, longest):
            same = pair[step:] == pair[:-step]
            if same.any():
                yield np.flatnonzero(same)
        return
    ordered = np.sort(pair)
    again = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(again):
        yield np.flatnonzero(np.isin(pair, again))
