"""Ways to read nested records: each list in them gives a table, tried as any other is."""

import re
from dataclasses import replace

from headcount.door.documents import loads, rows_by_path
from headcount.door.readings import Reading, rows_of_answers
from headcount.door.roles import Roles
from headcount.door.source import Source
from headcount.errors import HeadcountError

_LIST = re.compile(r".*(\[\]|\{\}|\{key\})")
_MOST_RECORDS = 2_000
"""Enough to see what a list holds; every record of them may hold many answers."""


def readings_of_paths(source: Source, roles: Roles) -> list[Reading]:
    """The readings by paths that pass, likeliest first."""
    lists = dict.fromkeys(_above(path) for path in source.paths if _above(path))
    if not lists:
        return []
    texts = {name: source.seen(name)[:_MOST_RECORDS] for name in source.columns}
    records = [
        {name: _value(text) for name, text in zip(texts, row, strict=True)}
        for row in zip(*texts.values(), strict=True)
    ]
    found: list[Reading] = []
    for each in lists:
        paths = [path for path in source.paths if each.startswith(_above(path))]
        try:
            table = rows_by_path(records, paths, source.name)
        except HeadcountError:
            continue
        flat = replace(table, call=source.call)
        found += [
            one
            for one in rows_of_answers(flat, paths, roles, each)
            if str(one.options["label"]).startswith(each)
        ]
    return found


def _above(path: str) -> str:
    """The list that a path leads into; "" where it leads into none."""
    found = _LIST.match(path)
    return "" if found is None else found.group().replace("{key}", "{}")


def _value(text: str | None) -> object:
    """A cell as it stood in the record: lists and objects were written out as JSON."""
    if text is not None and text[:1] in ("[", "{"):
        return loads(text)
    return text
