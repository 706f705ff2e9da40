"""Frames of any library, through Narwhals: in memory as Arrow, lazy ones left where they are."""

from typing import Any

import narwhals as nw

from headcount.errors import InputError
from headcount.tables.source import Source


def is_lazy(frame: Any) -> bool:
    """Whether the frame lives elsewhere (DuckDB, Polars LazyFrame, Spark) and must stay there."""
    return isinstance(_narwhal(frame), nw.LazyFrame)


def source_of_frame(frame: Any, name: str) -> Source:
    """An in-memory frame as a source; `name` is what messages call it."""
    eager = _narwhal(frame)
    if isinstance(eager, nw.LazyFrame):
        eager = eager.collect("pyarrow")
    return Source(name, tuple(eager.columns), arrow=eager.to_arrow())


def lazy_frame(frame: Any) -> nw.LazyFrame[Any]:
    """Any frame as a Narwhals lazy frame."""
    wrapped = _narwhal(frame)
    return wrapped if isinstance(wrapped, nw.LazyFrame) else wrapped.lazy()


def _narwhal(frame: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    try:
        wrapped: nw.DataFrame[Any] | nw.LazyFrame[Any] = nw.from_native(frame)
    except TypeError as error:
        raise InputError(
            f"A {type(frame).__name__} is not a frame that can be read: pass a pandas, Polars, "
            "Arrow, DuckDB or PySpark frame, or a file to Ratings.read or Predictions.read."
        ) from error
    return wrapped
