"""Excel workbooks: the sheet that holds the table, its cells as text."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from headcount.door.arrays import optional_text_column
from headcount.door.delimited import check_names
from headcount.door.source import Source, table_source
from headcount.door.text import as_text
from headcount.door.unpacking import check_archive
from headcount.errors import InputError, MissingExtraError

_OLD = b"\xd0\xcf\x11\xe0"  # workbooks before 2007 are no archives


def open_workbook(file: Path, name: str, sheet: str | None = None) -> Source:
    """The table of a workbook: the sheet named, else the one sheet that holds a table.

    Where several do, the first is taken and the others are told of in the notes.
    """
    with open(file, "rb") as stream:
        packed = not stream.read(8).startswith(_OLD)
    if packed:
        check_archive(file, name)
    sheets = {title: rows for title, rows in _sheets(file, name).items() if _is_table(rows)}
    if sheet is not None:
        if sheet not in sheets:
            known = ", ".join(map(repr, sheets)) or "none with a table"
            raise InputError(f"{name} has no table on a sheet {sheet!r}; its sheets: {known}.")
        sheets = {sheet: sheets[sheet]}
    if not sheets:
        raise InputError(f"{name} has no sheet with a header line and rows under it.")
    title, rows = next(iter(sheets.items()))
    notes: tuple[str, ...] = ()
    if len(sheets) > 1:
        others = ", ".join(repr(other) for other in list(sheets)[1:])
        notes = (f"{name}: the sheet {title!r} was read, not {others}: choose with sheet=.",)
    header = [(as_text(value) or "").strip() for value in rows[0]]
    width = max(j for j, value in enumerate(header) if value) + 1
    columns = check_names(header[:width], name)
    body = [row for row in rows[1:] if any(_cell(value) is not None for value in row)]
    cells = [
        optional_text_column(_cell(row[j]) if j < len(row) else None for row in body)
        for j in range(width)
    ]
    table = pa.table(cells, [f"c{j}" for j in range(width)])
    return table_source(name, columns, table, first_row=2, notes=notes)


def _cell(value: Any) -> str | None:
    return None if value == "" else as_text(value)


def _is_table(rows: list[list[Any]]) -> bool:
    return len(rows) > 1 and sum(_cell(value) is not None for value in rows[0]) > 1


def _sheets(file: Path, name: str) -> dict[str, list[list[Any]]]:
    try:
        from python_calamine import CalamineWorkbook
    except ImportError as error:
        raise MissingExtraError(
            f"{name} is a workbook, which needs python-calamine: "
            "pip install 'headcount[excel]', or save the sheet as CSV UTF-8."
        ) from error
    try:
        book = CalamineWorkbook.from_path(str(file))
        return {
            title: book.get_sheet_by_name(title).to_python(skip_empty_area=True)
            for title in book.sheet_names
        }
    except Exception as error:  # the reader raises errors of many classes of its own
        raise InputError(f"{name} is not a readable workbook: save it again as .xlsx.") from error
