"""Excel workbooks: the sheet that holds the table, its cells as text."""

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa

from headcount.door.arrays import optional_text_column
from headcount.door.delimited import check_names
from headcount.door.source import Source, table_source
from headcount.door.text import as_text
from headcount.door.unpacking import check_archive
from headcount.errors import InputError, MissingExtraError
from headcount.results import count

_OLD = b"\xd0\xcf\x11\xe0"  # workbooks before 2007 are no archives
_LARGE = 2.0**53
"""Whole numbers from here on are not all different as the floats that readers make of them."""
_MOST_TITLE_ROWS = 10
_NUMBER = re.compile(
    rb"<(?:\w+:)?c\b([^>]*)>(?:<(?:\w+:)?f\b[^<]*(?:</(?:\w+:)?f>)?)?<(?:\w+:)?v>([^<]+)<"
)
_FORMULA = re.compile(
    rb"<(?:\w+:)?c\b([^>]*)>\s*<(?:\w+:)?f\b[^>]*?(?:/>|>[^<]*</(?:\w+:)?f>)\s*"
    rb"(<(?:\w+:)?v>[^<])?"
)
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

Rows = list[list[Any]]


def open_workbook(file: Path, name: str, sheet: str | None = None) -> Source:
    """The table of a workbook: the sheet named, else the one sheet in sight that holds a table.

    Where several do, the first is taken and the others are told of in the notes.
    """
    with open(file, "rb") as stream:
        packed = not stream.read(8).startswith(_OLD)
    if packed:
        check_archive(file, name)
    hidden, everything = _sheets(file, name)
    sheets = {title: rows for title, rows in everything.items() if _is_table(rows)}
    if sheet is not None:
        if sheet not in sheets:
            known = ", ".join(map(repr, sheets)) or "none with a table"
            raise InputError(f"{name} has no table on a sheet {sheet!r}; its sheets: {known}.")
        sheets = {sheet: sheets[sheet]}
    if not sheets:
        raise InputError(f"{name} has no sheet with a header line and rows under it.")
    title, rows = min(sheets.items(), key=lambda each: each[0] in hidden)
    notes: list[str] = []
    others = [other for other in sheets if other != title]
    if others:
        shown = ", ".join(repr(o) + (" (hidden)" if o in hidden else "") for o in others)
        notes.append(f"{name}: the sheet {title!r} was read, not {shown}: choose with sheet=.")
    rows = _exact(file, name, title, rows)
    start = _header_row(rows)
    if start:
        notes.append(
            f"{name}: {count(start, 'row', 'rows')} above the header "
            f"({_filled(rows[0])[0]!r} …) {'was' if start == 1 else 'were'} left out."
        )
    header, body = rows[start], rows[start + 1 :]
    width = max(j for j, value in enumerate(header) if _cell(value) is not None) + 1
    _check_one_header(name, start, header[:width], body)
    columns = check_names([(as_text(value) or "").strip() for value in header[:width]], name)
    body = [row for row in body if any(_cell(value) is not None for value in row)]
    cells = [
        optional_text_column(_cell(row[j]) if j < len(row) else None for row in body)
        for j in range(width)
    ]
    table = pa.table(cells, [f"c{j}" for j in range(width)])
    return table_source(name, columns, table, first_row=start + 2, notes=tuple(notes))


def _cell(value: Any) -> str | None:
    return None if value == "" else as_text(value)


def _filled(row: Sequence[Any]) -> list[str]:
    return [text for value in row if (text := _cell(value)) is not None]


def _header_row(rows: Rows) -> int:
    """The first row with names for two columns: what stands above it is a title."""
    return next((at for at, row in enumerate(rows) if len(_filled(row)) > 1), len(rows))


def _is_table(rows: Rows) -> bool:
    start = _header_row(rows)
    return start <= _MOST_TITLE_ROWS and len(rows) > start + 1


def _check_one_header(name: str, start: int, header: Sequence[Any], body: Rows) -> None:
    """Stop where a second row names the columns that the first one leaves blank."""
    blank = [j for j, value in enumerate(header) if _cell(value) is None]
    below = body[0] if body else []
    if not blank or not all(j < len(below) and isinstance(below[j], str) for j in blank):
        return
    if all(below[j].strip() for j in blank):
        raise InputError(
            f"{name}: the header stands in two rows, {start + 1} and {start + 2} (such as "
            f"{_filled(header)[-1]!r} above {below[blank[-1]]!r}): make one row of them, with a "
            "name for each column."
        )


def _sheets(file: Path, name: str) -> tuple[set[str], dict[str, Rows]]:
    """The names of hidden sheets, and the rows of every sheet."""
    try:
        from python_calamine import CalamineWorkbook, SheetVisibleEnum
    except ImportError as error:
        raise MissingExtraError(
            f"{name} is a workbook, which needs python-calamine: "
            "pip install 'headcount[excel]', or save the sheet as CSV UTF-8."
        ) from error
    try:
        book = CalamineWorkbook.from_path(str(file))
        seen = {s.name for s in book.sheets_metadata if s.visible == SheetVisibleEnum.Visible}
        return {title for title in book.sheet_names if title not in seen}, {
            title: book.get_sheet_by_name(title).to_python(skip_empty_area=True)
            for title in book.sheet_names
        }
    except Exception as error:  # the reader raises errors of many classes of its own
        raise InputError(f"{name} is not a readable workbook: save it again as .xlsx.") from error


def _exact(file: Path, name: str, title: str, rows: Rows) -> Rows:
    """The rows with large whole numbers as they are written, which readers make floats of."""
    written = _written(file, title)
    # The result of a formula may be a text without a letter in it.
    missing = sum(not result and b't="str"' not in c for c, result in _FORMULA.findall(written))
    if missing:
        raise InputError(
            f"{name}: {count(missing, 'cell', 'cells')} of the sheet {title!r} hold a formula "
            "without its result, as programs write that do not calculate: open the file in a "
            "spreadsheet and save it."
        )
    large = [
        (row, j)
        for row in rows
        for j, value in enumerate(row)
        if isinstance(value, float) and abs(value) >= _LARGE
    ]
    if not large:
        return rows
    texts = [
        text.decode("ascii", "replace")
        for about, text in _NUMBER.findall(written)
        if b't="' not in about.replace(b't="n"', b"") and _is_large(text)
    ]
    whole = [text for text in texts if text.lstrip("-").isdecimal()]
    if len(whole) != len(large):
        row, j = large[0]
        raise InputError(
            f"{name}: the sheet {title!r} holds whole numbers of more than 15 digits "
            f"(such as {row[j]:.0f}), which workbooks round: take the ids from where they were "
            "made, as text or as CSV."
        )
    for (row, j), text in zip(large, whole, strict=True):
        row[j] = int(text)
    return rows


def _is_large(text: bytes) -> bool:
    try:
        return abs(float(text)) >= _LARGE
    except ValueError:
        return False


def _written(file: Path, title: str) -> bytes:
    """What a sheet of an .xlsx holds, as it is written; nothing of workbooks of other kinds."""
    try:
        with zipfile.ZipFile(file) as archive:
            book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
            links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
            target = {link.get("Id"): link.get("Target") or "" for link in links}
            part = next(
                target[each.get(_RELATION)]
                for each in book.iter()
                if each.tag.endswith("}sheet") and each.get("name") == title
            )
            return archive.read(part.lstrip("/") if part.startswith("/") else f"xl/{part}")
    except (zipfile.BadZipFile, KeyError, StopIteration, ElementTree.ParseError):
        return b""
