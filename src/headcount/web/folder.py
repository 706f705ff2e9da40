"""The folder of studies: inputs by hash, a folder a study, everything written whole or not at all.

A list of them in SQLite is for finding them, never for keeping them.
"""

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from headcount.errors import HeadcountError, InputError
from headcount.frozen import frozen
from headcount.results.files import write_content
from headcount.web.limits import RefusedError, not_there
from headcount.web.record import BASELINE_FILE, BUSY, ID, Input, StudyRecord, as_title, new_id, now

# What a finished study can be asked for, and the file that holds it.
FILES = {
    "report": "report.html",
    "result": "result.json",
    "classifiers": "classifiers.csv",
    "summary": "summary.md",
    "ratings": "ratings.parquet",
    "baseline": BASELINE_FILE,
}

# The verdict of a finished study in a few lines, for lists.
SUMMARY = "summary.json"
_INTERRUPTED = "headcount was stopped in the middle of this: start it again."


class Folder:
    """The studies in one folder. Every change goes through here, one at a time."""

    def __init__(self, path: Path, *, most: int = 10_000) -> None:
        self.path, self._most = path, most
        self._changing = threading.RLock()
        try:
            path.mkdir(parents=True, exist_ok=True)
            path.chmod(0o700)  # people's data: nobody else on this machine may look in
            for part in ("inputs", "studies", "incoming", "work"):
                (path / part).mkdir(exist_ok=True)
            self._lock = _lock(path / "in-use")
        except OSError as error:
            raise InputError(
                f"{path} cannot be used for studies ({error.strerror}): name another with --folder."
            ) from error
        self._tidy()
        known = [(record, self.told(record.id, SUMMARY)) for record in self._all()]
        self.index = Index(path / "index.sqlite", known)

    def close(self) -> None:
        """Let another server have the folder."""
        self.index.close()
        os.close(self._lock)

    def study_path(self, id: str) -> Path:
        """The folder of a study; only ids that we made lead anywhere."""
        if not ID.fullmatch(id):
            raise not_there("study")
        return self.path / "studies" / id

    def get(self, id: str) -> StudyRecord:
        """A study by its id."""
        path = self.study_path(id) / "study.json"
        try:
            return StudyRecord.read(path)
        except ValueError:
            raise not_there("study") from None

    def input_path(self, given: Input) -> Path:
        """Where an uploaded file lies."""
        return self.path / "inputs" / given.sha256

    def create(
        self,
        ratings: "Sequence[Incoming]",
        predictions: "Incoming | None" = None,
        gold: "Incoming | None" = None,
        *,
        title: str = "",
    ) -> StudyRecord:
        """A new study of files that have come in."""
        files = [each for each in (*ratings, predictions, gold) if each is not None]
        with self._changing:
            for each in files:
                each.keep()
            try:
                return self._add(
                    StudyRecord(
                        id=new_id(),
                        title=as_title(title) or _title_of([each.input for each in ratings]),
                        created=now(),
                        ratings=tuple(each.input for each in ratings),
                        predictions=predictions.input if predictions else None,
                        gold=gold.input if gold else None,
                    )
                )
            except HeadcountError:
                self._drop_unused(tuple(each.input for each in files))
                raise

    def again(self, id: str) -> StudyRecord:
        """A new study of the same files, with the same choices until others are made."""
        with self._changing:
            known = self.get(id)
            before = known.baseline
            return self._add(
                known.changed(
                    id=new_id(),
                    baseline=before if before and self.study_path(before).exists() else None,
                    created=now(),
                    state="looking",
                    sentence="",
                    seconds=None,
                    again_of=known.id,
                )
            )

    def _add(self, record: StudyRecord) -> StudyRecord:
        if self.index.count() >= self._most:
            raise RefusedError(
                507, f"There are {self._most:,} studies already: delete some of them first."
            )
        try:
            self.study_path(record.id).mkdir()
            self._save(record)
        except (OSError, HeadcountError) as error:
            shutil.rmtree(self.study_path(record.id), ignore_errors=True)
            self.index.forget(record.id)
            raise no_room(self.path) from error
        return record

    def change(
        self, id: str, how: Callable[[StudyRecord], StudyRecord] | None = None, **fields: Any
    ) -> StudyRecord:
        """Change a study's record: by a function of it, or by fields."""
        with self._changing:
            record = self.get(id)
            record = how(record) if how else record.changed(**fields)
            self._save(record)
        return record

    def drop_parts(self, id: str) -> None:
        """Remove what a worker that was stopped has half written."""
        with self._changing:  # what is written here meanwhile is not half written
            for left in self.study_path(id).glob(".*.part"):
                left.unlink(missing_ok=True)

    def delete(self, id: str) -> None:
        """Delete a study, and the inputs that no other study has."""
        with self._changing:
            record = self.get(id)
            # By another name first: half a study is never listed, whenever we are stopped.
            gone = self.path / "work" / f"deleted-{secrets.token_hex(8)}"
            self.study_path(id).rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
            self.index.forget(id)
            self._drop_unused(record.inputs)

    def _drop_unused(self, inputs: tuple[Input, ...]) -> None:
        used = {each.sha256 for record in self._all() for each in record.inputs}
        for each in inputs:
            if each.sha256 not in used:
                self.input_path(each).unlink(missing_ok=True)

    def file(self, id: str, what: str) -> Path:
        """A file of a finished study."""
        record = self.get(id)
        path = self.study_path(id) / FILES.get(what, "-")
        if record.state != "done" or not path.is_file():
            raise not_there("file")
        return path

    def told(self, id: str, name: str) -> Any:
        """What a worker left in a JSON file of the study; None where there is none."""
        try:
            return json.loads((self.study_path(id) / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def incoming(self, name: str) -> "Incoming":
        """A file that is being uploaded, by the name that its owner gave it."""
        return Incoming(self, name)

    def workplace(self) -> Path:
        """An empty folder for one job."""
        path = self.path / "work" / secrets.token_hex(8)
        path.mkdir()
        return path

    def _save(self, record: StudyRecord) -> None:
        path = self.study_path(record.id)
        write_content(path / "study.json", record.to_json(), "The study")
        self.index.remember(record, self.told(record.id, SUMMARY))

    def _all(self) -> Iterator[StudyRecord]:
        for path in sorted((self.path / "studies").iterdir()):
            with contextlib.suppress(ValueError):
                yield StudyRecord.read(path / "study.json")

    def _tidy(self) -> None:
        """After a stop in the middle: nothing half done is left, and what was under way says so."""
        for part in ("incoming", "work"):
            for path in (self.path / part).iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        for path in (self.path / "studies").iterdir():
            for left in path.glob(".*.part"):
                left.unlink()
            if not (path / "study.json").exists() and ID.fullmatch(path.name):
                shutil.rmtree(path, ignore_errors=True)
        used = set()
        for record in list(self._all()):
            used |= {each.sha256 for each in record.inputs}
            if record.state in BUSY:
                done = (
                    record.state == "running"
                    and (self.study_path(record.id) / FILES["result"]).exists()
                )
                ended = ("done", "") if done else ("interrupted", _INTERRUPTED)
                stopped = record.changed(state=ended[0], sentence=ended[1])
                write_content(
                    self.study_path(record.id) / "study.json", stopped.to_json(), "The study"
                )
        for path in (self.path / "inputs").iterdir():
            if path.name not in used:
                path.unlink()


class Incoming:
    """A file that is being uploaded: written to disk piece by piece, hashed on the way."""

    def __init__(self, folder: Folder, name: str) -> None:
        self._folder, self._name = folder, name
        self._path = folder.path / "incoming" / secrets.token_hex(16)
        self._file = os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _BINARY, 0o600)
        self._hash = hashlib.sha256()
        self._open = True
        self.size = 0

    def write(self, piece: bytes) -> None:
        """Add what came."""
        left = memoryview(piece)
        while left:
            left = left[os.write(self._file, left) :]
        self._hash.update(piece)
        self.size += len(piece)

    @property
    def input(self) -> Input:
        """What the file is known by."""
        return Input(self._name, self._hash.hexdigest(), self.size)

    def keep(self) -> None:
        """All of it has come: put it under its hash, on the disk for sure."""
        os.fsync(self._file)
        self._close()
        os.replace(self._path, self._folder.input_path(self.input))

    def drop(self) -> None:
        """Leave nothing behind, unless it was kept."""
        self._close()
        self._path.unlink(missing_ok=True)

    def _close(self) -> None:
        if self._open:
            os.close(self._file)
            self._open = False


def _title_of(ratings: list[Input]) -> str:
    """What a study is called until it is given a title."""
    more = f" and {len(ratings) - 1} more" if len(ratings) > 1 else ""
    return as_title(ratings[0].name) + more


def no_room(path: Path) -> RefusedError:
    """Nothing can be written."""
    return RefusedError(
        507, f"Nothing can be written to {path}: is the disk full? Make room and try again."
    )


_BINARY = getattr(os, "O_BINARY", 0)


def _lock(path: Path) -> int:
    """Hold a file that says the folder is in use; a lock goes with the process that has it."""
    file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # not on this system: two servers on one folder are the user's care
        pass
    except OSError:
        os.close(file)
        raise InputError(
            f"{path.parent} is in use by another headcount serve: stop that one, or name another "
            "folder with --folder."
        ) from None
    return file


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
