"""Ratings that stand together item by item, as most large tables are written: counted in order.

Where all rows of an item stand one after the other, one reading in their order counts its labels
and finds a rater's second answer, which stands a few rows from the first: no table of raters and
items is built. That every item has one stretch of rows is not assumed: it is known when there are
as many stretches as items, or when items stand in a rising order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.door.arrays import number_column
from headcount.door.coded import Coded
from headcount.frozen import frozen

Small = NDArray[np.int32]
Places = NDArray[np.intp]

# Rows up to which those of a stretch are compared with each other; more are sorted.
_COMPARED = 100

# Rows of an item whose raters are held to be compared, where pieces of them come apart.
_LONGEST = 1 << 22

# Items that somebody answered twice, past which it is left to the database to find them.
_MOST_TWICE = 1 << 20

# Stretches for each row, in the first rows, of a table that is not worth reading in order.
_MOST_STRETCHES = 0.7

# Stretches that are handed over together.
_AT_ONCE = 1 << 18


@frozen
class Stretches:
    """Stretches in a piece of the rows: the item of each, and (L, n) counts of its labels.

    `twice` are the items that somebody answered twice. `first` and `last` are the raters of the
    first stretch in a piece and of the last one, which may go on in other pieces: `last` in as
    many arrays as it has pieces.
    """

    items: pa.Array
    counts: Small
    rows: int
    first: pa.Array
    last: tuple[pa.Array, ...]
    twice: tuple[str, ...] = ()

    def then(self, more: "Stretches") -> "Stretches":
        """The last of these stretches, put together with its rest if it has one, and `more`."""
        if self.items[-1] != more.items[0]:
            items = pa.concat_arrays([self.items[-1:], more.items])
            counts = np.concatenate([self.counts[:, -1:], more.counts], axis=1)
            twice = (*self.ended_twice, *more.twice)
            return replace(more, items=items, counts=counts, twice=twice)
        counts = more.counts.copy()
        counts[:, 0] += self.counts[:, -1]
        if len(more.items) == 1:
            return replace(more, counts=counts, last=(*self.last, *more.last))
        whole = replace(self, last=(*self.last, more.first))
        return replace(more, counts=counts, twice=(*whole.ended_twice, *more.twice))

    @property
    def ended_twice(self) -> tuple[str, ...]:
        """The item of the last stretch, if pieces of it show that somebody answered it twice."""
        if len(self.last) == 1:  # looked at with its piece
            return ()
        raters = pa.concat_arrays(self.last)
        item: str = self.items[-1].as_py()
        return () if pc.count_distinct(raters).as_py() == len(raters) else (item,)

    @property
    def rises(self) -> tuple[bool, bool]:
        """Whether each item comes after the one before: by letters, and by length, then letters.

        Ids are often written in the one or the other order, 10 before 9 or after it.
        """
        before, after = self.items[:-1], self.items[1:]
        by_letters = pc.less(before, after)
        short, long = pc.binary_length(before), pc.binary_length(after)
        by_length = pc.or_(pc.less(short, long), pc.and_(pc.equal(short, long), by_letters))
        return _all(by_letters), _all(by_length)


class InOrder:
    """What is known of all stretches, once their pieces have come by.

    `n` and `rows` count them, `twice` are the items that somebody answered twice, and `distinct`
    says that their order shows that no two are about one item. `failed` says that they could not
    be read in this way.
    """

    def __init__(self) -> None:
        self.n = self.rows = 0
        self.twice: set[str] = set()
        self.failed = False
        self._rises = (True, True)

    @property
    def distinct(self) -> bool:
        """Whether no item can have two stretches."""
        return any(self._rises)

    def tables(self, pieces: Iterable[Stretches | None]) -> Iterator[pa.Table]:
        """Tables of items and their counts n0, n1, …, as the pieces come."""
        begun: Stretches | None = None
        ready: list[pa.Table] = []
        for piece in pieces:
            if piece is not None:
                begun = piece if begun is None else begun.then(piece)
                self._note(begun, piece.rows)
            if piece is None or begun is None or self._is_too_much(begun):
                self.failed = True
                return
            ready.append(_table(begun.items[:-1], begun.counts[:, :-1]))
            if sum(map(len, ready)) >= _AT_ONCE:
                yield pa.concat_tables(ready)
                ready = []
        if begun is not None:
            self.twice.update(begun.ended_twice)
            yield pa.concat_tables([*ready, _table(begun.items[-1:], begun.counts[:, -1:])])

    def _is_too_much(self, begun: Stretches) -> bool:
        return sum(map(len, begun.last)) > _LONGEST or len(self.twice) > _MOST_TWICE

    def _note(self, seen: Stretches, rows: int) -> None:
        self.n += len(seen.items) - (1 if self.rows else 0)
        self.rows += rows
        self.twice.update(seen.twice)
        if self.distinct:
            by_letters, by_length = seen.rises
            self._rises = (self._rises[0] and by_letters, self._rises[1] and by_length)


def stand_together(items: list[str | None]) -> bool:
    """Whether the items of the first rows look as if each had one stretch of them.

    >>> stand_together(["a", "a", "b", "b", "b"]), stand_together(["a", "b", "a", "a", "a"])
    (True, False)
    """
    n = sum(now != before for now, before in zip(items[1:], items, strict=False)) + 1
    return n == len(set(items)) and n <= _MOST_STRETCHES * len(items)


def stretches_of(
    columns: Sequence[Coded], *, codes: Mapping[str, int], n_labels: int
) -> Stretches | None:
    """The stretches of some rows; None where an item or a rater is blank or has spaces around it.

    `columns` are item, rater and label. `codes` says which of the labels a text is; other texts
    are none of them.

    >>> from headcount.door import text_column
    >>> items, raters = (text_column(texts) for texts in (["a", "b"], ["ann", "ben"]))
    >>> codes = [np.array(code, dtype=np.int32) for code in ([0, 0, 1], [0, 1, 1], [0, 1, 1])]
    >>> columns = map(Coded, [items, raters, text_column(["no", "yes"])], codes)
    >>> found = stretches_of([*columns], codes={"no": 0, "yes": 1}, n_labels=2)
    >>> found.items.to_pylist(), found.counts.tolist(), found.twice
    (['a', 'b'], [[1, 0], [1, 1]], ())
    """
    item, rater, label = columns
    if not (item.is_plain and rater.is_plain):
        return None
    edges = np.flatnonzero(item.code[1:] != item.code[:-1]) + 1
    edges = np.concatenate([[0], edges, [len(item.code)]])
    starts, lengths = edges[:-1], np.diff(edges)
    twice = np.unique(item.code[_answered_twice(item.code, rater.code, int(lengths.max()))])
    return Stretches(
        _texts_of(item, item.code[starts]),
        _label_counts(label, codes, n_labels, edges),
        len(item.code),
        _texts_of(rater, rater.code[: lengths[0]]),
        (_texts_of(rater, rater.code[starts[-1] :]),),
        tuple(_texts_of(item, twice).to_pylist()),
    )


def _texts_of(column: Coded, code: Small) -> pa.Array:
    # A file lists the texts as they come up, and each item's rows come up once.
    if len(code) == len(column.texts) and (code == np.arange(len(code))).all():
        return column.texts
    return column.texts.take(number_column(code))


def _label_counts(label: Coded, codes: Mapping[str, int], n_labels: int, edges: Places) -> Small:
    """How often each label was given between one edge and the next."""
    counts = np.zeros((n_labels, len(edges) - 1), dtype=np.int32)
    so_far = np.zeros(len(label.code) + 1, dtype=np.int32)
    for code, text in enumerate(label.texts.to_pylist()):
        if text in codes:
            np.cumsum(label.code == code, out=so_far[1:])
            counts[codes[text]] += np.diff(so_far[edges])
    return counts


def _answered_twice(item: Small, rater: Small, longest: int) -> Places:
    """Rows of an item and rater that stand in a later row too, or more of such rows."""
    if longest <= _COMPARED:
        found = np.zeros(len(item), dtype=bool)
        for step in range(1, longest):
            places = np.flatnonzero(rater[step:] == rater[:-step])
            found[places[item[places] == item[places + step]]] = True
        return np.flatnonzero(found)
    pair = item.astype(np.int64) << 32 | rater
    ordered = np.sort(pair)
    again = ordered[1:][ordered[1:] == ordered[:-1]]
    return np.flatnonzero(np.isin(pair, again)) if len(again) else again.astype(np.intp)


def _table(items: pa.Array, counts: Small) -> pa.Table:
    columns = [number_column(column) for column in counts]
    return pa.table([items, *columns], ["item", *(f"n{j}" for j in range(len(columns)))])


def _all(answers: pa.Array) -> bool:
    return pc.all(answers, min_count=0).as_py() is True
