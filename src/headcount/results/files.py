"""Files that are written whole or not at all: yesterday's stays until today's is complete."""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from headcount.errors import InputError, OptionError

# What a table of numbers can be written as.
FRAME_SUFFIXES = (".csv", ".parquet", ".jsonl")


def check_writable(path: str | os.PathLike[str], what: str, suffixes: tuple[str, ...]) -> Path:
    """Whether `what` can be written there, before the work that it takes is done."""
    target = Path(path)
    if target.suffix.lower() not in suffixes:
        raise OptionError(
            f"{what} cannot be written to {target.name!r}: the name must end in "
            f"{_one_of(suffixes)}."
        )
    if target.is_dir():
        raise InputError(f"{what} cannot be written to {target}: it is a folder; name a file.")
    try:
        beside = _beside(target)
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        beside.unlink()
    except OSError as error:
        raise _cannot(what, target, error) from error
    return target


def check_report(path: str | os.PathLike[str]) -> Path:
    """Whether a report can be written there, before the work that it takes is done."""
    return check_writable(path, "The report", (".html", ".htm"))


@contextmanager
def replacing(path: str | os.PathLike[str], what: str) -> Iterator[Path]:
    """A new file beside `path` that takes its place when it is complete.

    Where writing fails, for want of room or leave, the old file is whole and no part is left.
    """
    target = Path(path)
    beside = _beside(target)
    try:
        yield beside
        with beside.open("rb") as written:
            os.fsync(written.fileno())
        os.replace(beside, target)
    except OSError as error:
        raise _cannot(what, target, error) from error
    finally:
        with suppress(OSError):
            beside.unlink()


def write_content(path: str | os.PathLike[str], content: str | bytes, what: str) -> Path:
    """Write a text (as UTF-8) or bytes."""
    with replacing(path, what) as beside:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)
    return Path(path)


def write_frame(table: Any, path: str | os.PathLike[str], what: str) -> Path:
    """Write an Arrow table as .csv, .parquet or .jsonl, by the name's ending."""
    target = check_writable(path, what, FRAME_SUFFIXES)
    with replacing(target, what) as beside:
        _write_arrow(table, beside, target.suffix.lower())
    return target


def _write_arrow(table: Any, path: Path, suffix: str) -> None:
    if suffix == ".csv":
        import pyarrow.csv as pa_csv

        pa_csv.write_csv(table, path)
    elif suffix == ".parquet":
        import pyarrow.parquet as pq

        pq.write_table(table, path)
    else:
        with path.open("w", encoding="utf-8") as file:
            for row in table.to_pylist():
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _beside(target: Path) -> Path:
    # A name of its own: threads of one process may write to one path at the same time.
    return target.with_name(f".{target.name}.{secrets.token_hex(8)}.part")


def _cannot(what: str, target: Path, error: OSError) -> InputError:
    why = error.strerror or str(error)
    return InputError(f"{what} cannot be written to {target} ({why}): name another place.")


def _one_of(suffixes: tuple[str, ...]) -> str:
    *most, last = suffixes
    return f"{', '.join(most)} or {last}" if most else last
