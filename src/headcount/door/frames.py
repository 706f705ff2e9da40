"""Frames of any library, through Narwhals: in memory as Arrow, lazy ones left where they are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headcount.door.arrays import optional_text_column
from headcount.door.source import Source, table_source
from headcount.door.text import as_text, is_text
from headcount.errors import InputError
from headcount.later import Later

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = Later("narwhals")

_REFUSED = (pa.ArrowException, OverflowError, UnicodeError, TypeError, ValueError)
_KNOWN = (
    *(pa.types.is_integer, pa.types.is_boolean, pa.types.is_float32, pa.types.is_float64),
    *(pa.types.is_date, pa.types.is_timestamp, pa.types.is_decimal128, pa.types.is_nested),
)


def is_lazy(frame: Any) -> bool:
    """Whether the frame lives elsewhere (DuckDB, Polars LazyFrame, Spark)."""
    return isinstance(_narwhal(frame), nw.LazyFrame)


def library_of(frame: Any) -> str:
    """The library in which results about a frame answer: its own, or Arrow."""
    module = type(frame).__module__.partition(".")[0]
    return module if module in ("pandas", "polars") else "pyarrow"


def columns_of(frame: Any) -> list[str]:
    """The names of a frame's columns."""
    return list(lazy_frame(frame).collect_schema().names())


def source_of_frame(frame: Any, name: str) -> Source:
    """A frame as a source; a lazy one is fetched. `name` is what messages call it."""
    if isinstance(frame, pa.Table):
        _check_names(frame.column_names, name)
        return table_source(name, frame.column_names, plain_table(frame, name))
    eager = _narwhal(frame)
    if isinstance(eager, nw.LazyFrame):
        eager = fetched(eager, name)
    _check_names(eager.columns, name)
    columns = [_arrow_column(column) for column in eager.iter_columns()]
    return table_source(name, eager.columns, plain_table(pa.table(columns, eager.columns), name))


def fetched(frame: nw.LazyFrame[Any], name: str) -> nw.DataFrame[Any]:
    """A lazy frame's rows."""
    try:
        return frame.collect("pyarrow")
    except Exception as error:  # whatever engine the frame lives in raises its own errors
        raise InputError(f"{name} cannot be fetched from where it lives: collect it first.") from (
            error
        )


def _check_names(names: list[str], table: str) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise InputError(f"{table} has the column {str(twice[0])!r} twice: rename one of them.")
    if any(not name.strip() for name in names):
        raise InputError(f"{table} has a column without a name: name or remove it.")


def _arrow_column(column: nw.Series[Any]) -> pa.Array | pa.ChunkedArray:
    """A pandas column of objects may hold texts and numbers at once; then all become texts."""
    try:
        return column.to_arrow()
    except _REFUSED:
        return _texts_of(column.to_list())


def _texts_of(values: list[Any]) -> pa.Array:
    try:
        return optional_text_column(as_text(value) for value in values)
    except UnicodeError as error:
        raise InputError(
            "The frame holds text that is not Unicode (a lone surrogate): read it as UTF-8."
        ) from error


def plain_table(table: pa.Table, name: str) -> pa.Table:
    """The table with columns the engine knows: exotic types become text.

    `name` is what messages call it.
    """
    for title, column in zip(table.column_names, table.columns, strict=True):
        _check_text(column, title, name)
    columns = [_plain_column(column) for column in table.columns]
    return pa.table(columns, [f"c{j}" for j in range(len(columns))])


def _check_text(column: pa.ChunkedArray, title: str, table: str) -> None:
    """Bytes that are no text would be looked at without end by some versions of the engine."""
    kind = column.type
    if not (is_text(kind) or pa.types.is_dictionary(kind) or pa.types.is_nested(kind)):
        return
    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        raise InputError(
            f"{table} cannot be read: its column {title!r} holds bytes that are not text in "
            "UTF-8. Write the table again with the right encoding, or leave the column out."
        ) from error


def _plain_column(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if is_text(kind) or any(check(kind) for check in _KNOWN):
        return column
    if pa.types.is_float16(kind):
        return column.cast(pa.float32())
    return _texts_of(column.to_pylist())


def lazy_frame(frame: Any) -> nw.LazyFrame[Any]:
    """Any frame as a Narwhals lazy frame."""
    wrapped = _narwhal(frame)
    return wrapped if isinstance(wrapped, nw.LazyFrame) else wrapped.lazy()


def _with_text_names(frame: Any) -> Any:
    """Columns that pandas numbers, or names by several levels, under names that are texts."""
    of_pandas = hasattr(frame, "set_axis") and hasattr(frame, "columns")
    if not of_pandas or all(isinstance(name, str) for name in frame.columns):
        return frame
    return frame.set_axis([str(name) for name in frame.columns], axis="columns")


def _narwhal(frame: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    try:
        wrapped: nw.DataFrame[Any] | nw.LazyFrame[Any] = nw.from_native(_with_text_names(frame))
    except nw.exceptions.DuplicateError as error:
        twice = [name for name, times in Counter(frame.columns).items() if times > 1]
        raise InputError(
            f"The frame has the column {str(twice[0])!r} twice: rename one of them."
        ) from error
    except TypeError as error:
        raise InputError(
            f"A {type(frame).__name__} is not a frame that can be read: pass a pandas, Polars, "
            "Arrow, DuckDB or PySpark frame, or a file to Ratings.read or Predictions.read."
        ) from error
    return wrapped
