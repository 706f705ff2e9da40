"""The first line of a text table: its columns and its separator."""

import csv
import io
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from headcount.door.health import open_bytes
from headcount.errors import InputError

_LONGEST_HEADER = 1 << 20
_SEPARATORS = (",", "\t", ";", "|")


@dataclass(frozen=True)
class Header:
    """Column names, the separator, and how many physical lines the header takes."""

    columns: tuple[str, ...]
    separator: str
    lines: int


def read_header(file: Path, separator: str | None, *, packed: bool) -> Header:
    """Read and check the header; without a separator, the commonest one in the line is it."""
    line = _first_line(file, packed=packed)
    if separator is None:
        separator = max(_SEPARATORS, key=line.count)
    row = next(csv.reader(io.StringIO(line), delimiter=separator), [])
    columns = tuple(name.strip() for name in row)
    if not any(columns):
        raise InputError(f"{file}, line 1: the header is blank: name the columns there.")
    for position, name in enumerate(columns, start=1):
        if not name:
            raise InputError(f"{file}, line 1: column {position} has no name: name or remove it.")
    twice = [name for name, times in Counter(columns).items() if times > 1]
    if twice:
        raise InputError(
            f"{file}, line 1: the column {twice[0]!r} stands there twice: rename one of them."
        )
    return Header(columns, separator, 1)


def _first_line(file: Path, *, packed: bool) -> str:
    try:
        with open_bytes(file, packed=packed) as stream:
            raw = stream.readline(_LONGEST_HEADER)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{file} is not a readable gzip file: pack it again.") from error
    if len(raw) == _LONGEST_HEADER:
        raise InputError(
            f"{file}, line 1: the header is longer than 1 MB, so this is not a table with a row "
            "a line: check the line ends."
        )
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in raw:
        raise InputError(f"{file} is not UTF-8 text (it looks like UTF-16 or binary data): {_SAVE}")
    try:
        return raw.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}, line 1: the text is not UTF-8: {_SAVE}") from error


_SAVE = "save it as UTF-8 (in Excel: 'CSV UTF-8')."
