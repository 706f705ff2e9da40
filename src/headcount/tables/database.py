"""DuckDB as the counting engine: quiet, offline, and closed after every question."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb


@contextmanager
def connect() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection for one question.

    It is closed at once: a relation that outlives the interpreter makes DuckDB print to the
    user's screen. Extensions are never fetched, so nothing leaves the machine.
    """
    connection = duckdb.connect(
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "temp_directory": tempfile.gettempdir(),
        }
    )
    try:
        connection.execute("SET enable_progress_bar = false")
        yield connection
    finally:
        connection.close()


def quote_name(name: str) -> str:
    """A column name as SQL."""
    return '"' + name.replace('"', '""') + '"'


def quote_text(text: str) -> str:
    """A text value as SQL."""
    return "'" + text.replace("'", "''") + "'"
