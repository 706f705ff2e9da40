"""The list of studies in SQLite: for finding them, never for keeping them.

The index is made anew from the folders at every start. Where it cannot be written it is kept in
memory instead: no study depends on it.
"""

import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headcount.frozen import frozen
from headcount.web.record import StudyRecord

_TABLE = """
CREATE TABLE studies (
  id TEXT PRIMARY KEY, title TEXT, created TEXT, state TEXT, files TEXT, verdict TEXT,
  again_of TEXT, words TEXT
)
"""
_FIELDS = ("id", "title", "created", "state", "files", "verdict", "again_of")


@frozen
class Listed:
    """A study in the list."""

    id: str
    title: str
    created: str
    state: str
    files: str
    verdict: str
    again_of: str | None


class Index:
    """What can be searched of every study."""

    def __init__(self, path: Path, known: Sequence[tuple[StudyRecord, Any]]) -> None:
        self._lock = threading.Lock()
        try:
            path.unlink(missing_ok=True)
            self._fill(str(path), known)
        except (sqlite3.Error, OSError):
            self._fill(":memory:", known)

    def _fill(self, where: str, known: Sequence[tuple[StudyRecord, Any]]) -> None:
        self._database = sqlite3.connect(where, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = MEMORY")
        self._database.execute("PRAGMA synchronous = OFF")  # made anew at every start
        self._database.execute(_TABLE)
        self._database.executemany(_INSERT, [_row(*each) for each in known])

    def remember(self, record: StudyRecord, summary: Any) -> None:
        """Add a study or what changed of it."""
        with self._lock:
            try:
                self._database.execute(_INSERT, _row(record, summary))
            except sqlite3.Error:
                self._into_memory()
                self._database.execute(_INSERT, _row(record, summary))

    def forget(self, id: str) -> None:
        """Leave a study out."""
        with self._lock:
            try:
                self._database.execute("DELETE FROM studies WHERE id = ?", (id,))
            except sqlite3.Error:
                self._into_memory()
                self._database.execute("DELETE FROM studies WHERE id = ?", (id,))

    def search(self, text: str = "", *, limit: int = 50, offset: int = 0) -> list[Listed]:
        """The studies in which all words of a text occur, newest first."""
        where, words = _condition(text)
        fields = ", ".join(_FIELDS)
        asked = f"SELECT {fields} FROM studies {where} ORDER BY id DESC LIMIT ? OFFSET ?"
        with self._lock:
            rows = self._database.execute(asked, (*words, limit, offset)).fetchall()
        return [Listed(*row) for row in rows]

    def count(self, text: str = "") -> int:
        """How many studies there are in which all words of a text occur."""
        where, words = _condition(text)
        with self._lock:
            found = self._database.execute(f"SELECT count(*) FROM studies {where}", words)
            return int(found.fetchone()[0])

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._database.close()

    def _into_memory(self) -> None:
        """Go on without the file, which cannot be written any more."""
        rows = self._database.execute("SELECT * FROM studies").fetchall()
        self._database.close()
        self._fill(":memory:", ())
        self._database.executemany(_INSERT, rows)


_INSERT = "INSERT OR REPLACE INTO studies VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def _row(record: StudyRecord, summary: Any) -> tuple[str | None, ...]:
    files = ", ".join(each.name for each in record.inputs)
    verdict = summary.get("verdict", "") if isinstance(summary, dict) else ""
    if record.state != "done":
        verdict = record.sentence
    words = " ".join((record.title, files, verdict, record.id)).lower()
    return (
        record.id,
        record.title,
        record.created,
        record.state,
        files,
        verdict,
        record.again_of,
        words,
    )


def _condition(text: str) -> tuple[str, list[str]]:
    words = text.lower().split()[:20]
    if not words:
        return "", []
    return "WHERE " + " AND ".join("instr(words, ?) > 0" for _ in words), words
