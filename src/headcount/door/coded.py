"""Columns of Parquet files as codes, in the order of their rows: each text is looked at once.

A Parquet file holds a text once for some hundred thousand rows, and in each row its number. Read
as these numbers, rows are compared and counted without a look at their texts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.aside import processors
from headcount.door.arrays import small_integers
from headcount.door.text import SPACES, is_text
from headcount.frozen import frozen
from headcount.later import Later

if TYPE_CHECKING:
    import pyarrow.parquet as pq
else:
    pq = Later("pyarrow.parquet")

Found = TypeVar("Found")

_SPACE = ord(" ")

_PIECE = 1 << 17
"""Rows that are looked at together: as many as DuckDB writes into one group."""
_SHARE = 1 << 20
"""Rows that a processor takes at a time."""
_MOST_AT_WORK = 8
"""Processors that read: one puts together what they found."""


@frozen
class Coded:
    """A column of some rows: the texts in it, and which of them each row has, −1 for none."""

    texts: pa.Array
    code: NDArray[np.int32]

    @property
    def is_plain(self) -> bool:
        """Whether every row has a text, and none is blank or has spaces around it."""
        ends, letters = _buffers(self.texts)
        if self.code.min(initial=0) < 0 or np.diff(ends).min(initial=1) < 1:
            return False
        if not _is_ascii(self.texts):
            return bool(pc.utf8_trim(self.texts, characters=SPACES).equals(self.texts))
        around = letters[ends[:-1]], letters[ends[1:] - 1]
        return not any((letter == _SPACE).any() for letter in around)


def can_be_coded(kind: pa.DataType) -> bool:
    """Whether the texts of a column are the same whoever reads it: text, whole numbers, yes or no.

    >>> can_be_coded(pa.int64()), can_be_coded(pa.float64())
    (True, False)
    """
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return is_text(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)


def looked_through(
    files: Sequence[str], places: Sequence[int], look: Callable[[list[Coded]], Found]
) -> Iterator[Found]:
    """What `look` finds in the columns at these places, piece by piece in the order of the rows.

    Pieces are read and looked at on several processors, a few ahead of what was asked for. No more
    are read after `look` found None. Arrow's errors are raised where a file cannot be read, or
    holds fewer rows than it says or bytes that are no text.
    """
    ended = Event()
    shares = ((file, about, share) for file in files for about, share in _shares(file))
    waiting: deque[Future[list[Found]]] = deque()
    at_work = min(processors(), _MOST_AT_WORK)
    with ThreadPoolExecutor(at_work) as pool:
        try:
            for file, about, share in shares:
                begun = pool.submit(_looked_at, file, about, share, places, look, ended)
                waiting.append(begun)
                if len(waiting) > at_work:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:  # whoever has seen enough, or breaks off, does not wait for the rest
            ended.set()
            for each in waiting:
                each.cancel()


def _shares(file: str) -> Iterator[tuple[pq.FileMetaData, range]]:
    """The groups of rows of a file, some at a time."""
    about = pq.read_metadata(file)
    first = rows = 0
    for group in range(about.num_row_groups):
        rows += about.row_group(group).num_rows
        if rows >= _SHARE:
            yield about, range(first, group + 1)
            first, rows = group + 1, 0
    if first < about.num_row_groups:
        yield about, range(first, about.num_row_groups)


def _looked_at(
    file: str,
    about: pq.FileMetaData,
    groups: range,
    places: Sequence[int],
    look: Callable[[list[Coded]], Found],
    ended: Event,
) -> list[Found]:
    names = [about.schema.to_arrow_schema().names[place] for place in places]
    found: list[Found] = []
    with pq.ParquetFile(file, metadata=about, read_dictionary=names, pre_buffer=False) as opened:
        for group in groups:
            missing = about.row_group(group).num_rows
            pieces = opened.iter_batches(_PIECE, [group], columns=names, use_threads=False)
            for piece in pieces:
                if ended.is_set():
                    return found
                missing -= len(piece)
                found.append(look([_coded(piece.column(name)) for name in names]))
                if found[-1] is None:
                    ended.set()
            if missing and not ended.is_set():  # Arrow passes over what it does not know
                raise pa.ArrowInvalid("fewer rows than the file says")
    return found


def _coded(column: pa.Array) -> Coded:
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    texts = coded.dictionary.cast(pa.large_string())
    if texts.null_count:
        raise pa.ArrowInvalid("a missing text among those that rows have")
    if not _is_ascii(texts):
        texts.validate(full=True)  # Arrow takes any bytes for text unless it is asked
    code = small_integers(coded.indices, missing=-1)
    if code.max(initial=-1) >= len(texts):  # what Arrow makes of a list with a text twice in it
        raise pa.ArrowInvalid("a row has a text that is not listed")
    return Coded(texts, code)


def _is_ascii(texts: pa.Array) -> bool:
    return bool(_buffers(texts)[1].max(initial=0) < 128)


def _buffers(texts: pa.Array) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Where each text ends, the first after where it begins, and the bytes of all."""
    _, ends, letters = texts.buffers()
    places = np.frombuffer(ends, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return places, np.frombuffer(letters or b"", np.uint8)
