"""DuckDB's complaints in our words: one sentence with the place and the remedy."""

import re

import duckdb

_LINE = re.compile(r"(?:CSV Error on )?[Ll]ine:? (\d+)")
_EXPECTED = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")


def complaint(name: str, error: duckdb.Error) -> str:
    """What is wrong with the file `name`, from DuckDB's error."""
    text = str(error)
    found = _LINE.search(text)
    place = f"{name}, line {found.group(1)}" if found else name
    if isinstance(error, duckdb.OutOfMemoryException):
        return f"{name} needs more memory than there is to count: close other programs or split it."
    lowered = text.lower()
    if "maximum line size" in lowered or "maximum_object_size" in lowered:
        return (
            f"{place}: a line is longer than 2 MB, so this is not a table with a row a line: "
            "check the line ends and the quotes."
        )
    if "unicode" in lowered or "utf-8" in lowered or "utf8" in lowered:
        return (
            f"{place}: the text is not UTF-8: save the file as UTF-8 "
            "(in Excel: 'CSV UTF-8'; elsewhere: iconv -f latin1 -t utf-8)."
        )
    columns = _EXPECTED.search(text)
    if columns:
        return (
            f"{place}: the row has {columns.group(2)} fields where the header has "
            f"{columns.group(1)}: quote fields that contain the separator, or fix the row."
        )
    if "quote" in lowered:
        return f"{place}: a quote is opened and not closed: close it or double it inside the field."
    if "json" in lowered:
        return f"{place}: not valid JSON lines (one object a line): check that line."
    if "parquet" in lowered or "magic bytes" in lowered:
        return f"{name} is not a readable Parquet file: it may be cut short or have a wrong name."
    if "gzip" in lowered or "inflate" in lowered or "decompress" in lowered:
        return f"{name} is not a readable gzip file: it may be cut short or have a wrong name."
    first = text.strip().splitlines()[0] if text.strip() else type(error).__name__
    return f"{place} cannot be read ({first.rstrip('.')}): check that it is the table you meant."
