"""Between Arrow and NumPy without pandas.

Arrow's own conversions import pandas wherever it is installed, which takes longer than reading
and counting a table of usual size.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Objects = NDArray[np.object_]


def integers(column: pa.Array | pa.ChunkedArray, *, missing: int = 0) -> Ints:
    """A column of whole numbers, with `missing` for missing ones; not to be written to.

    >>> integers(text_column(["a", "b", "a"]).dictionary_encode().indices).tolist()
    [0, 1, 0]
    """
    return _values(column.cast(pa.int64()), missing)


def floats(column: pa.Array | pa.ChunkedArray) -> Floats:
    """A column of numbers, where missing ones are NaN; not to be written to.

    >>> floats(number_column(np.array([1, 2]))).tolist()
    [1.0, 2.0]
    """
    return _values(column.cast(pa.float64()), np.nan)


def small_integers(column: pa.Array, *, missing: int) -> NDArray[np.int32]:
    """The same of small numbers, such as codes.

    >>> small_integers(text_column(["a", "b", "a"]).dictionary_encode().indices, missing=-1)
    array([0, 1, 0], dtype=int32)
    """
    column = column.cast(pa.int32())
    return _stored(pc.fill_null(column, missing) if column.null_count else column, np.int32)


def _stored(array: pa.Array, kind: type[np.generic]) -> NDArray[Any]:
    stored = np.frombuffer(array.buffers()[1], dtype=kind)
    return stored[array.offset : array.offset + len(array)]


def _values(column: pa.Array | pa.ChunkedArray, missing: float) -> NDArray[Any]:
    array = whole(column) if isinstance(column, pa.ChunkedArray) else column
    values = _stored(array, np.int64 if array.type == pa.int64() else np.float64)
    if not array.null_count:
        return values
    return np.where(_values(pc.is_null(array).cast(pa.int64()), 0) != 0, missing, values)


def whole(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    pieces = column.chunks
    if not pieces:
        return pa.nulls(0, column.type)
    return pieces[0] if len(pieces) == 1 else pa.concat_arrays(pieces)


def texts(column: pa.Array | pa.ChunkedArray) -> Objects:
    """A column of texts; missing ones are None."""
    found = np.empty(len(column), dtype=object)
    found[:] = column.to_pylist()
    return found


def text_column(values: Iterable[str]) -> pa.Array:
    """Texts as an Arrow column.

    >>> text_column(["é", ""]).to_pylist()
    ['é', '']
    """
    given = list(values)
    letters = "".join(given)
    # In plain ASCII a letter is a byte, and texts need not be encoded one by one.
    pieces = given if letters.isascii() else [value.encode() for value in given]
    ends = np.zeros(len(given) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)), out=ends[1:])
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(letters.encode())]
    return pa.Array.from_buffers(pa.large_string(), len(given), buffers)


def optional_text_column(values: Iterable[str | None]) -> pa.Array:
    """Texts, some of them missing, as an Arrow column.

    >>> optional_text_column(["a", None]).to_pylist()
    ['a', None]
    """
    given = list(values)
    plain = text_column("" if value is None else value for value in given)
    there = np.array([value is not None for value in given], dtype=bool)
    if there.all():
        return plain
    _, ends, letters = plain.buffers()
    mask = pa.py_buffer(np.packbits(there, bitorder="little"))
    return pa.Array.from_buffers(pa.large_string(), len(given), [mask, ends, letters])


def number_column(values: NDArray[Any]) -> pa.Array:
    """Numbers as an Arrow column, not copied.

    >>> number_column(np.array([0.5, 2.0])).to_pylist()
    [0.5, 2.0]
    """
    buffers = [None, pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), buffers)


def positions(wanted: Iterable[str], among: Iterable[str] | pa.Array) -> Ints:
    """Where each wanted text stands among others; −1 where it does not.

    >>> positions(["b", "z"], ["a", "b"]).tolist()
    [1, -1]
    """
    values = among.cast(pa.large_string()) if isinstance(among, pa.Array) else text_column(among)
    found = pc.index_in(text_column(wanted), value_set=values)
    return integers(found, missing=-1)
