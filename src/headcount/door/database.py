"""DuckDB as the counting engine: quiet, offline, opened once and closed at the end."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING

from headcount.errors import OptionError
from headcount.later import Later
from headcount.scratch import Scratch

if TYPE_CHECKING:
    import duckdb
else:
    duckdb = Later("duckdb")

MEMORY = "HEADCOUNT_MEMORY"
"""The variable that says how much memory counting may take."""

_INTERRUPTED = "Query interrupted"  # what DuckDB says of it, in no class of its own


class _Database:
    """The database of this process, in memory.

    Opening one costs as much as counting a small file, so it is opened once. It is closed at
    exit: what outlives the interpreter makes DuckDB print to the user's screen. A forked
    child opens its own, because the threads of its parent's did not come along. A file broken
    enough (Parquet with bytes that are no text) makes DuckDB give the whole database up: the
    next question opens another.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = 0
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._of_parents: list[object] = []
        self._spilled: Scratch | None = None
        self._unwanted: list[str] = []

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection of its own to the database, for one question."""
        with self._lock:
            if self._connection is None or self._process != os.getpid():
                # Closing a parent's database would wait for threads that are not here, and its
                # folder is still in use.
                self._of_parents += [self._connection, self._spilled]
                self._spilled = Scratch()
                self._connection, self._process = _open(self._spilled), os.getpid()
            cursor = self._connection.cursor()
            if not _answers(cursor):
                self._connection.close()
                self._spilled = Scratch()
                self._connection = _open(self._spilled)
                cursor = self._connection.cursor()
            while self._unwanted:
                with suppress(duckdb.Error):
                    cursor.execute(f"DROP TABLE IF EXISTS {self._unwanted.pop()}")
            return cursor

    def holds(self, connection: duckdb.DuckDBPyConnection | None) -> bool:
        """Whether this is still the database that was open then, in the same process."""
        return connection is self._connection and self._process == os.getpid()

    @property
    def opened(self) -> duckdb.DuckDBPyConnection | None:
        """What tells this database from one that is opened after it."""
        return self._connection

    def drop(self, table: str) -> None:
        """Drop a table with the next question: nothing is asked while memory is tidied."""
        self._unwanted.append(table)

    def close(self) -> None:
        """Close the database, if this process opened it."""
        if self._connection is not None and self._process == os.getpid():
            self._connection.close()
        self._connection = None


_DATABASE = _Database()
atexit.register(_DATABASE.close)


@contextmanager
def connect() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection for one question; what it names is gone when it closes.

    A question that Ctrl-C breaks off ends like any other work.
    """
    connection = _DATABASE.cursor()
    try:
        yield connection
    except (duckdb.InterruptException, RuntimeError) as error:
        if isinstance(error, duckdb.InterruptException) or str(error) == _INTERRUPTED:
            raise KeyboardInterrupt from error
        raise
    finally:
        connection.close()


_NUMBERS = count()


class Kept:
    """A table that stays in the database as long as somebody holds this.

    It takes part in the limit of memory and is written to disk past it. `there` is false in a
    forked child and once the database was given up: what it held must then be worked out again.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, query: str, **values: object) -> None:
        self.name = f"kept{next(_NUMBERS)}"
        self._database = _DATABASE.opened
        connection.execute(f"CREATE TABLE {self.name} AS {query}", values or None)
        weakref.finalize(self, _DATABASE.drop, self.name).atexit = False

    def add(self, connection: duckdb.DuckDBPyConnection, query: str) -> None:
        """Add rows of the same columns."""
        connection.execute(f"INSERT INTO {self.name} {query}")

    @property
    def there(self) -> bool:
        """Whether the table can be asked."""
        return _DATABASE.holds(self._database)


def _answers(cursor: duckdb.DuckDBPyConnection) -> bool:
    try:
        cursor.execute("SELECT 1").fetchall()
    except duckdb.FatalException:
        return False
    return True


def _open(spilled: Scratch) -> duckdb.DuckDBPyConnection:
    """A database that never fetches extensions, so nothing leaves the machine.

    What does not fit in memory (`HEADCOUNT_MEMORY`, such as 6GB; else most of the machine's) is
    written to a folder of its own, which goes with the process.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": str(spilled.path),
    }
    if MEMORY in os.environ:
        config["memory_limit"] = os.environ[MEMORY]
    try:
        connection = duckdb.connect(config=config)
    except duckdb.Error as error:
        if MEMORY not in os.environ:
            raise
        raise OptionError(
            f"{MEMORY} is a size such as 6GB; it was {os.environ[MEMORY]!r}."
        ) from error
    # A notebook without widgets has no bar to draw, and refuses to be told to draw none.
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    return connection


def quote_text(text: str) -> str:
    """A text value as SQL."""
    return "'" + text.replace("'", "''") + "'"
