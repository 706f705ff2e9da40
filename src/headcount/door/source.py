"""A table that can be asked questions in SQL without being held in memory."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import duckdb
import pyarrow as pa

from headcount.door.complaints import complaint
from headcount.door.database import connect
from headcount.door.scratch import Scratch
from headcount.errors import InputError


@dataclass(frozen=True)
class Source:
    """A file scanned by SQL, or an Arrow table.

    `name` is what error messages call it; `scan` is the SQL of a table function for a file,
    empty for an Arrow table. `first_row` is the line of the first data row in a text file.
    `holder` keeps a temporary directory alive as long as the source.
    """

    name: str
    columns: tuple[str, ...]
    scan: str = ""
    arrow: pa.Table | None = None
    first_row: int | None = None
    holder: Scratch | None = field(default=None, repr=False)

    def ask(self, sql: str, **others: pa.Table) -> pa.Table:
        """Run `sql`, in which the table is called `source`, and fetch the answer.

        `others` are further tables that it names.
        """
        with connect() as connection:
            try:
                for name, table in others.items():
                    connection.register(name, table)
                if self.arrow is not None:
                    connection.register("source", self.arrow)
                else:
                    connection.execute(f"CREATE TEMP VIEW source AS SELECT * FROM {self.scan}")
                return connection.sql(sql).to_arrow_table()
            except duckdb.Error as error:
                raise InputError(complaint(self.name, error)) from error

    @cached_property
    def types(self) -> dict[str, pa.DataType]:
        """The type of each column."""
        schema = self.ask("SELECT * FROM source LIMIT 0").schema
        return {name: schema.field(name).type for name in schema.names}

    def ask_row(self, sql: str, **others: pa.Table) -> tuple[Any, ...]:
        """The single row that `sql` answers with."""
        table = self.ask(sql, **others)
        return tuple(column[0].as_py() for column in table.columns)

    def place(self, row: int) -> str:
        """Where row number `row` (from 0) stands, for an error message."""
        if self.first_row is None:
            return f"{self.name}, row {row + 1}"
        return f"{self.name}, line {row + self.first_row}"
