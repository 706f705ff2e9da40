"""Where the ids of two files meet: every column, and every path of nested records, of both."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headcount.door.documents import cell, leaves, read_document, records_of, walk
from headcount.door.files import JSON, Opened, open_file
from headcount.door.profiles import Profile
from headcount.door.reading import Asked, expand, open_ratings
from headcount.door.roles import Roles
from headcount.errors import HeadcountError

_MOST_RECORDS = 20_000
"""As many as are looked at in a table; two files of the same items meet in fewer."""
_FIRST = 50

Values = Mapping[str, frozenset[str]]


def meeting_columns(people: Any, machines: Any) -> tuple[str, str, int] | None:
    """The column or path of each file by which most items are the same, and how many are.

    At least half of the smaller one's values must be found in the other, and be ids: a column of a
    few labels is in both files as well.
    """
    mine, theirs = _values_of(people), _values_of(machines)
    best: tuple[int, str, str] | None = None
    for one, values in mine.items():
        for other, found in theirs.items():
            common = len(values & found)
            if common * 2 >= min(len(values), len(found)) and common > 2:
                best = max(best or (0, "", ""), (common, one, other), key=lambda each: each[0])
    if best is None:
        return None
    return best[1], best[2], best[0]


def _values_of(path: Any) -> Values:
    files = expand(path)
    try:
        found = _of_records(files[0]) if len(files) == 1 else None
        if found is None:
            source = open_ratings(path, Roles(), Asked()) if len(files) > 1 else open_file(files[0])
            columns = (Profile.of(source, name) for name in source.columns)
            found = {each.name: frozenset(each.vocabulary) for each in columns}
    except HeadcountError:  # told of already, where the file was read
        return {}
    return {name: values for name, values in found.items() if len(values) > 2}


def _of_records(file: Path) -> dict[str, frozenset[str]] | None:
    opened = Opened(file)
    if opened.suffix not in JSON:
        return None
    records = records_of(read_document(opened.file, opened.name), opened.name)[:_MOST_RECORDS]
    paths = [p for p in leaves(records[:_FIRST]) if not any(sign in p for sign in "[{")]
    return {
        path: frozenset(
            text
            for record in records
            for _, value in walk(record, path)
            if (text := cell(value)) is not None
        )
        for path in paths
    }
