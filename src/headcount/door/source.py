"""A table that can be asked questions in SQL without being held in memory.

Columns go by their position there, c0, c1 and so on: no name of a user's ever reaches SQL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from headcount.door.coded import Coded, can_be_coded, looked_through
from headcount.door.database import Kept, connect
from headcount.door.text import is_text, looks_like_floats, text_sql, without_zero
from headcount.errors import InputError
from headcount.frozen import frozen
from headcount.later import Later
from headcount.scratch import Scratch

if TYPE_CHECKING:
    import duckdb
else:
    duckdb = Later("duckdb")

Found = TypeVar("Found")

GLANCE = 20_000
"""How many of the first rows are read to see which labels there are."""
LOOK = 5_000
"""How many of them are looked at to understand what a column is."""

scans: Counter[str] = Counter()
"""How often each file was read through, by its name."""


@frozen
class Source:
    """A file scanned by SQL, or an Arrow table.

    `name` is what messages call it. `columns` are the user's names, `kinds` their types. `scan`
    is the SQL of a table function for a file; `arrow` a table in memory instead. `first_row` is
    the line of the first row in a text file. `size` is how many bytes a scan has to read, 0 in
    memory. `careful` reads the same file again, slowly, when the engine gives up on it: it
    returns the table or says what is wrong. `holders` keep temporary directories alive. `call`
    are the words that name it on the command line; None for a frame. `paths` lead to the values
    of nested records. `files` are the Parquet files that `scan` reads, one after the other.
    """

    name: str
    columns: tuple[str, ...]
    kinds: tuple[pa.DataType, ...]
    scan: str = ""
    arrow: pa.Table | None = field(default=None, repr=False)
    first_row: int | None = None
    size: int = 0
    careful: Callable[[], Source] | None = field(default=None, repr=False)
    holders: tuple[Scratch, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()
    call: tuple[str, ...] | None = field(default=None, repr=False)
    paths: tuple[str, ...] = field(default=(), repr=False)
    files: tuple[str, ...] = field(default=(), repr=False)

    def ask(
        self,
        sql: str,
        values: Mapping[str, Any] | None = None,
        *,
        part: bool = False,
        **others: pa.Table,
    ) -> pa.Table:
        """Run `sql`, in which the table is called `source`, and fetch the answer.

        `values` are the user's texts, named $like_this in `sql`; `others` are further tables.
        `part` says that it is not read through: only the first rows are, or what was kept.
        """
        if self._replaced is not None:
            return self._replaced.ask(sql, values, part=part, **others)
        try:
            answer = self._run(sql, values, others)
        except duckdb.OutOfMemoryException as error:
            raise InputError(
                f"{self.name} needs more memory than there is: say how much counting may have, "
                "such as HEADCOUNT_MEMORY=2GB (the rest is put on the disk), close other programs "
                "or split it."
            ) from error
        except (duckdb.Error, pa.ArrowException) as error:
            if self.careful is None:
                raise InputError(
                    f"{self.name} cannot be read: check that it is the table you meant."
                ) from error
            self.__dict__["_careful_reading"] = self.careful()
            return self.ask(sql, values, part=part, **others)
        if self.arrow is None and not part:
            scans[self.name] += 1
        return answer

    def keep(self, sql: str, values: Mapping[str, Any] | None = None) -> Kept | None:
        """The answer to `sql` as a table in the database, for further questions.

        None where it is not to be had in that way: `ask` then says what is wrong.
        """
        if self._replaced is not None or self.arrow is not None:
            return None
        try:
            with connect() as connection:
                connection.execute(f"CREATE TEMP VIEW source AS SELECT * FROM {self.scan}")
                kept = Kept(connection, sql, **(values or {}))
        except duckdb.Error:
            return None
        scans[self.name] += 1
        return kept

    def in_order(
        self, names: Sequence[str], look: Callable[[list[Coded]], Found | None]
    ) -> Iterator[Found | None]:
        """What `look` finds in columns, piece by piece in the order of the rows.

        It ends with None where it is not to be had in that way: of other than Parquet files, of
        numbers with decimals, of a damaged file, of which `ask` then says what is wrong, and
        where `look` gives up.
        """
        places = [self.position(name) for name in names]
        texts = all(can_be_coded(self.kinds[at]) and not self.holds_floats(at) for at in places)
        if self._replaced is not None or not self.files or not texts:
            yield None
            return
        try:
            yield from looked_through(self.files, places, look)
        except (pa.ArrowException, OSError):
            yield None
            return
        scans[self.name] += 1

    def _run(
        self, sql: str, values: Mapping[str, Any] | None, others: Mapping[str, pa.Table]
    ) -> pa.Table:
        with connect() as connection:
            for name, table in others.items():
                connection.register(name, table)
            if self.arrow is not None:
                connection.register("source", self.arrow)
            else:
                connection.execute(f"CREATE TEMP VIEW source AS SELECT * FROM {self.scan}")
            return connection.sql(sql, params=dict(values) if values else None).to_arrow_table()

    @property
    def _replaced(self) -> Source | None:
        found: Source | None = self.__dict__.get("_careful_reading")
        return found

    def ask_row(
        self, sql: str, values: Mapping[str, Any] | None = None, **others: pa.Table
    ) -> tuple[Any, ...]:
        """The single row that `sql` answers with."""
        table = self.ask(sql, values, **others)
        return tuple(column[0].as_py() for column in table.columns)

    def position(self, name: str) -> int:
        """Where the column of this name stands."""
        return self.columns.index(name)

    def text(self, name: str) -> str:
        """The SQL of a column as text."""
        position = self.position(name)
        replaced = self._replaced
        kind = (replaced or self).kinds[position]
        return text_sql(f"c{position}", kind, floats=self.holds_floats(position))

    @cached_property
    def glance(self) -> pa.Table:
        """The first rows as text, a column each, in order."""
        fields = ", ".join(
            f"{text_sql(f'c{j}', kind)} AS c{j}" for j, kind in enumerate(self.kinds)
        )
        rows = min(GLANCE, max(200, 2_000_000 // max(1, len(self.columns))))
        return self.ask(f"SELECT {fields} FROM source LIMIT {rows}", part=True)

    def seen(self, name: str, rows: int = GLANCE) -> list[str | None]:
        """The first rows of a column, as text."""
        position = self.position(name)
        texts: list[str | None] = self.glance.column(position).slice(0, rows).to_pylist()
        if self.holds_floats(position):
            return [text if text is None else without_zero(text) for text in texts]
        return texts

    def holds_floats(self, position: int) -> bool:
        """Whether a column of texts holds floats, by its first rows."""
        known: dict[int, bool] = self.__dict__.setdefault("_known_floats", {})
        if position not in known:
            texts = self.glance.column(position).slice(0, LOOK).to_pylist()
            known[position] = is_text(self.kinds[position]) and looks_like_floats(texts)
        return known[position]

    def place(self, row: int) -> str:
        """Where row number `row` (from 0) stands, for an error message."""
        if self.first_row is None:
            return f"{self.name}, row {row + 1}"
        return f"{self.name}, line {row + self.first_row}"


def table_source(
    name: str,
    columns: Sequence[str],
    table: pa.Table,
    *,
    first_row: int | None = None,
    notes: tuple[str, ...] = (),
) -> Source:
    """A table in memory as a source: its columns go by their positions from here on."""
    placed = table.rename_columns([f"c{j}" for j in range(table.num_columns)])
    kinds = tuple(placed.schema.types)
    return Source(name, tuple(columns), kinds, arrow=placed, first_row=first_row, notes=notes)
