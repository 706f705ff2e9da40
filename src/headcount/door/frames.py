"""Frames of any library, through Narwhals: in memory as Arrow, lazy ones left where they are."""

from collections import Counter
from typing import Any

import narwhals as nw
import pyarrow as pa

from headcount.door.source import Source
from headcount.errors import InputError


def is_lazy(frame: Any) -> bool:
    """Whether the frame lives elsewhere (DuckDB, Polars LazyFrame, Spark) and must stay there."""
    return isinstance(_narwhal(frame), nw.LazyFrame)


def source_of_frame(frame: Any, name: str) -> Source:
    """An in-memory frame as a source; `name` is what messages call it."""
    eager = _narwhal(frame)
    if isinstance(eager, nw.LazyFrame):
        eager = eager.collect("pyarrow")
    return Source(name, tuple(eager.columns), arrow=_as_arrow(eager))


def _as_arrow(frame: nw.DataFrame[Any]) -> pa.Table:
    try:
        return frame.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        # A pandas column of objects may hold texts and numbers at once; then all become texts.
        return pa.table({column.name: _arrow_column(column) for column in frame.iter_columns()})


def _arrow_column(column: nw.Series[Any]) -> pa.Array:
    try:
        return column.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([_text(value) for value in column.to_list()], pa.string())


def _text(value: object) -> str | None:
    """One object as text, as its own column would be read: 1 and 1.0 are the same."""
    if value is None or value != value:  # NaN, NaT and the like differ from themselves
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


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
