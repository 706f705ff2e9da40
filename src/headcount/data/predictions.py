"""What classifiers said, as it stands in the file: nothing is settled until labels are known."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from headcount.data.column import Column
from headcount.door import Source, floats, open_file, quote_name, source_of_frame, whole
from headcount.door.columns import listing, require_column
from headcount.door.said import as_text
from headcount.errors import InputError, OptionError


@dataclass(frozen=True)
class RawClassifier:
    """One classifier's columns: `whole` is a column of answers, `by_label` one a label."""

    name: str
    whole: str | None = None
    by_label: tuple[tuple[str, str], ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that hold its answers."""
        return tuple(name for _, name in self.by_label) if self.whole is None else (self.whole,)


@dataclass(frozen=True)
class Predictions:
    """One or more classifiers' answers, by item id.

    A column of labels is a hard classifier; columns `name:label` are a soft one; a bare number
    column on a task with two labels is the probability of the positive label. `table` holds
    the ids in `item` and the answers as text.
    """

    name: str
    classifiers: tuple[RawClassifier, ...]
    table: pa.Table = field(repr=False)
    first_row: int | None = field(default=None, repr=False)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        item: str | None = None,
        classifiers: Sequence[str] | None = None,
    ) -> "Predictions":
        """Read predictions from CSV, TSV, Parquet or JSON lines, or a gzip of one.

        `classifiers` keeps only those named, in that order.
        """
        return cls._from_source(open_file(os.fspath(path)), item, classifiers)

    @classmethod
    def from_frame(
        cls, frame: Any, *, item: str | None = None, classifiers: Sequence[str] | None = None
    ) -> "Predictions":
        """Predictions from a frame: pandas, Polars, Arrow, DuckDB, PySpark.

        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 2], "model": ["x", "y"], "llm:x": [0.9, 0.2]})
        >>> Predictions.from_frame(frame).names
        ('model', 'llm')
        """
        return cls._from_source(source_of_frame(frame, "the predictions"), item, classifiers)

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return tuple(classifier.name for classifier in self.classifiers)

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns of the classifiers' answers."""
        names = (name for classifier in self.classifiers for name in classifier.columns)
        return {name: Column(whole(self.table[name])) for name in names}

    @property
    def n_items(self) -> int:
        """How many items have a row."""
        return int(self.table.num_rows)

    def select(self, names: Sequence[str]) -> "Predictions":
        """Only the classifiers named, in that order."""
        kept = _chosen(self.classifiers, names, self.name)
        return Predictions(self.name, kept, self.table, self.first_row)

    def place(self, row: int) -> str:
        """Where row number `row` (from 0) stands, for an error message."""
        if self.first_row is None:
            return f"{self.name}, row {row + 1}"
        return f"{self.name}, line {row + self.first_row}"

    @classmethod
    def _from_source(
        cls, source: Source, item: str | None, only: Sequence[str] | None
    ) -> "Predictions":
        item_column = require_column("item", source.columns, item, table=source.name)
        others = [name for name in source.columns if name != item_column]
        if not others:
            raise InputError(
                f"{source.name} has only the column {item_column!r}: add a column a classifier."
            )
        classifiers = _find_classifiers(others, source.name)
        if only is not None:
            classifiers = _chosen(classifiers, only, source.name)
        wanted = dict.fromkeys(name for each in classifiers for name in each.columns)
        table = _read_texts(source, item_column, wanted)
        _check_items(source, table, item_column)
        return cls(source.name, classifiers, table, source.first_row)


def _chosen(
    classifiers: Sequence[RawClassifier], names: Sequence[str], table: str
) -> tuple[RawClassifier, ...]:
    known = {classifier.name: classifier for classifier in classifiers}
    absent = [name for name in names if name not in known]
    if absent or not names:
        raise OptionError(
            f"{table} has no classifier {', '.join(map(repr, absent)) or 'of no name'}: "
            f"it has {listing(tuple(known))}."
        )
    return tuple(known[name] for name in names)


def _find_classifiers(columns: Sequence[str], table: str) -> tuple[RawClassifier, ...]:
    """Columns `name:label` with the same name belong to one soft classifier."""
    soft: dict[str, list[tuple[str, str]]] = {}
    for column in columns:
        name, colon, label = column.rpartition(":")
        if colon and name:
            soft.setdefault(name, []).append((label.strip(), column))
        elif column in soft:
            raise InputError(f"{table} has {column!r} both as a column and as '{column}:…'.")
        else:
            soft[column] = []
    return tuple(
        RawClassifier(name, by_label=tuple(labels)) if labels else RawClassifier(name, whole=name)
        for name, labels in soft.items()
    )


def _read_texts(source: Source, item: str, others: Iterable[str]) -> pa.Table:
    trim = source.first_row is not None
    fields = [f"{as_text(item, source.types[item], trim=trim)} AS headcount_item"]
    fields += [
        f"{as_text(name, source.types[name], trim=trim)} AS {quote_name(name)}" for name in others
    ]
    return source.ask(f"SELECT {', '.join(fields)} FROM source")


def _check_items(source: Source, table: pa.Table, item: str) -> None:
    """Every row has an id, and no id comes twice."""
    if not table.num_rows:
        raise InputError(f"{source.name} has a header and no rows: it holds no predictions.")
    ids = whole(table["headcount_item"])
    blank = ~(floats(pc.binary_length(ids)) > 0)
    if blank.any():
        row = int(blank.argmax())
        raise InputError(
            f"{source.place(row)}: the item (column {item!r}) is blank: give each row its id."
        )
    (alike,) = Source(source.name, (), arrow=table).ask_row(
        "SELECT count(*) - count(DISTINCT headcount_item) FROM source"
    )
    if not alike:
        return
    seen: set[str] = set()
    for row, name in enumerate(ids.to_pylist()):
        if name in seen:
            raise InputError(
                f"{source.place(row)}: the item {name!r} has a second row of predictions, "
                f"one of {alike:,} such rows: keep one row an item."
            )
        seen.add(name)
