"""Text tables: CSV, TSV and what spreadsheets make of them.

DuckDB reads them fast. What it might read differently from what people mean (lone carriage
returns, mixed line ends) or gives up on is read by Python's own reader, which also says in which
line a table is broken.
"""

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa

from headcount.door.arrays import text_column
from headcount.door.database import quote_text
from headcount.door.repairs import repaired
from headcount.door.source import Source, table_source
from headcount.errors import InputError
from headcount.frozen import frozen
from headcount.scratch import Scratch, held, literal_path

_LONGEST_LINE = 2_000_000
_SAMPLE = 1 << 20
_SEPARATORS = (",", "\t", ";", "|")
_SAVE = "save it as UTF-8 (in Excel: 'CSV UTF-8'; elsewhere: iconv -f latin1 -t utf-8)."


@frozen
class Header:
    """Column names, the separator, and how many physical lines stand before the first row."""

    columns: tuple[str, ...]
    separator: str
    lines: int
    plain_ends: bool


def open_delimited(file: Path, name: str, separator: str | None, holder: Scratch | None) -> Source:
    """A text table with a header line."""
    header = read_header(file, name, separator)
    careful = partial(read_carefully, file, name, header)
    commas = header.separator != ","
    if not header.plain_ends:
        return repaired(careful(), commas=commas)
    location, link = literal_path(file, ".csv")
    columns = ", ".join(f"'c{j}': 'VARCHAR'" for j in range(len(header.columns)))
    scan = (
        f"read_csv({quote_text(location)}, auto_detect=false, header=false, skip={header.lines}, "
        f"columns={{{columns}}}, delim={quote_text(header.separator)}, quote='\"', escape='\"', "
        f"nullstr='', null_padding=false, strict_mode=true, compression='none')"
    )
    source = Source(
        name,
        header.columns,
        (pa.string(),) * len(header.columns),
        scan,
        first_row=header.lines + 1,
        size=file.stat().st_size,
        careful=careful,
        holders=held(holder, link),
    )
    return repaired(source, commas=commas)


def read_header(file: Path, name: str, separator: str | None = None) -> Header:
    """Read and check the header; without a separator, the commonest one in the line is it."""
    with open(file, "rb") as stream:
        sample = stream.read(_SAMPLE)
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{name} is UTF-16 text, not UTF-8: {_SAVE.replace('latin1', 'utf-16')}")
    if b"\x00" in sample[:4096]:
        raise InputError(
            f"{name} is not UTF-8 text: it holds binary data, so its name may be wrong; if it is "
            f"a table, {_SAVE}"
        )
    raw = sample.removeprefix(b"\xef\xbb\xbf")
    skipped = 0
    first, rest = _cut_line(raw)
    told = _told_separator(first)
    if told is not None:
        separator, skipped, raw = told, 1, rest
        first, _ = _cut_line(raw)
    if len(first) >= _SAMPLE - 3:
        raise InputError(
            f"{name}, line 1: the header is longer than 1 MB, so this is not a table with a row "
            "a line: check the line ends."
        )
    text = _decoded(raw if b'"' in first else first, name, skipped + 1)
    if separator is None:
        separator = max(_SEPARATORS, key=first.decode("utf-8", "replace").count)
    columns, lines = _header_fields(text, separator, name)
    lone = b"\r" in sample.replace(b"\r\n", b"")
    mixed = b"\r\n" in sample and b"\n" in sample.replace(b"\r\n", b"")
    return Header(check_names(columns, name), separator, skipped + lines, not (lone or mixed))


def _cut_line(raw: bytes) -> tuple[bytes, bytes]:
    ends = [at for at in (raw.find(b"\n"), raw.find(b"\r")) if at >= 0]
    if not ends:
        return raw, b""
    at = min(ends)
    return raw[:at], raw[at + (2 if raw[at : at + 2] == b"\r\n" else 1) :]


def _told_separator(line: bytes) -> str | None:
    """Excel's first line "sep=;" says what the separator is."""
    stripped = line.strip().strip(b'"')
    if stripped[:4].lower() == b"sep=" and len(stripped) == 5:
        return stripped[4:].decode("ascii", "replace")
    return "\t" if line.lower() in (b"sep=\t", b'"sep=\t"') else None


def _decoded(raw: bytes, name: str, line: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.start > len(raw) - 4:
            return raw[: error.start].decode("utf-8")  # the sample ends within a letter
        if raw.count(b"\n", 0, error.start):
            return raw[: raw.rfind(b"\n", 0, error.start)].decode("utf-8")
        raise InputError(f"{name}, line {line}: the text is not UTF-8: {_SAVE}") from error


def _header_fields(text: str, separator: str, name: str) -> tuple[list[str], int]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        row = next(reader, [])
    except csv.Error as error:
        raise InputError(f"{name}, line 1: the header cannot be read: check its quotes.") from error
    return [field.strip() for field in row], max(1, reader.line_num)


def check_names(columns: Sequence[str], name: str) -> tuple[str, ...]:
    """The columns of a header, each with a name of its own."""
    where = f"{name}, line 1"
    if not any(columns):
        raise InputError(f"{where}: the header is blank: name the columns there.")
    for position, column in enumerate(columns, start=1):
        if not column:
            index = " (an index that pandas wrote: to_csv(index=False))" if position == 1 else ""
            raise InputError(f"{where}: column {position} has no name: name or remove it{index}.")
    twice = [column for column, times in Counter(columns).items() if times > 1]
    if twice:
        raise InputError(
            f"{where}: the column {twice[0]!r} stands there twice: rename one of them."
        )
    return tuple(columns)


def read_carefully(file: Path, name: str, header: Header) -> Source:
    """The whole table by Python's reader: any line ends, and the line of whatever is wrong."""
    width = len(header.columns)
    cells: list[list[str]] = [[] for _ in range(width)]
    for line, row in delimited_rows(file, name, header.separator, header.lines):
        if len(row) != width:
            raise InputError(
                f"{name}, line {line}: the row has {len(row)} fields where the header has "
                f"{width}: quote fields that contain the separator, or fix the row."
            )
        for column, cell in zip(cells, row, strict=True):
            column.append(cell)
    table = pa.table([text_column(column) for column in cells], [f"c{j}" for j in range(width)])
    return table_source(name, header.columns, table, first_row=header.lines + 1)


def delimited_rows(
    file: Path, name: str, separator: str, skip: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line each ends in; blank lines are none."""
    csv.field_size_limit(min(sys.maxsize, 1 << 31))
    line = 0
    try:
        with open(file, encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(_bounded(stream, name), delimiter=separator, strict=True)
            for row in reader:
                line = reader.line_num
                if row and line > skip:
                    yield line, row
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}, line {_broken_line(file)}: the text is not UTF-8: {_SAVE}"
        ) from (error)
    except csv.Error as error:
        raise InputError(
            f"{name}, line {line + 1}: a quote is opened and not closed, or stands inside a field: "
            "close it or double it inside the field."
        ) from error


def _bounded(stream: io.TextIOBase, name: str) -> Iterator[str]:
    for number, line in enumerate(_lines(stream), start=1):
        if len(line) > _LONGEST_LINE:
            raise InputError(
                f"{name}, line {number}: a line is longer than 2 MB, so this is not a table with a "
                "row a line: check the line ends and the quotes."
            )
        yield line


def _lines(stream: io.TextIOBase) -> Iterator[str]:
    while line := stream.readline(_LONGEST_LINE + 2):
        yield line


def _broken_line(file: Path) -> int:
    with open(file, "rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return 1
