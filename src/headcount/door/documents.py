"""JSON of any shape: read exactly, flattened where records are flat, reached into by paths.

One notation for what lies deeper: `a.b` is the field b of a, `a[]` each element of the list a,
`a{}` each value of the object a and `a{key}` each of its keys; `a[0]` is the first element. A name
with a dot in it that stands in the record itself is that name.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from headcount.door.arrays import optional_text_column
from headcount.door.database import quote_text
from headcount.door.source import Source, table_source
from headcount.door.text import as_text
from headcount.errors import InputError, OptionError
from headcount.scratch import Scratch, held, literal_path

Record = dict[str, Any]

_PROBE = 1 << 18
_DEEPEST = 8  # steps of a path that a refusal shows
_KIND = re.compile(r"\[\d*\]|\{\}|\{key\}")
_STEP = re.compile(rf"([^.\[\]{{}}]*)((?:{_KIND.pattern})*)")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a character outside of the sixteen bits, or all of it: JSON escapes these in two."""
_LONGEST_TUPLE = 6
"""Lists of so few elements, as many in each, hold something else in each place."""


class Number(str):
    """A number as it was written, so that twenty digits stay twenty digits."""

    __slots__ = ()


def is_flat(record: Any) -> bool:
    """Whether a record is a row of a table: an object without objects and lists in it."""
    return isinstance(record, dict) and not any(
        isinstance(value, dict | list) for value in record.values()
    )


def starting_records(file: Path) -> list[Record] | None:
    """The first objects of a file with one a line; None where it is something else."""
    with open(file, "rb") as stream:
        lines = stream.read(_PROBE).removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if len(lines) > 1 and file.stat().st_size > _PROBE:
        lines = lines[:-1]  # which may end anywhere
    try:
        records = [_loads(line.decode("utf-8")) for line in lines[:200] if line.strip()]
    except (ValueError, RecursionError):
        return None
    if not records or not all(isinstance(record, dict) for record in records):
        return None
    return records


def open_records(file: Path, name: str, holder: Scratch | None) -> Source | None:
    """Flat objects, one a line, read by DuckDB; None where a record is not flat after all."""
    location, link = literal_path(file, ".jsonl")
    scan = (
        f"read_json_objects({quote_text(location)}, format='newline_delimited', "
        "maximum_object_size=2000000, compression='uncompressed') AS t(record)"
    )
    careful = partial(_read_as_document, file, name)
    raw = Source(name, ("record",), (pa.string(),), scan, size=file.stat().st_size)
    keyed = (
        "SELECT key, min(row) AS first, bool_or(json_type(record, '/' || "
        "replace(replace(key, '~', '~0'), '/', '~1')) IN ('OBJECT', 'ARRAY')) AS deep FROM (SELECT "
        "record, unnest(json_keys(record)) AS key, row FROM (SELECT record, row_number() OVER () "
        "AS row FROM source)) GROUP BY key ORDER BY first, key"
    )
    try:
        keys = raw.ask(keyed).to_pylist()
    except InputError:
        return careful()
    if not keys or any(row["deep"] for row in keys):
        return None
    names = [str(row["key"]) for row in keys]
    if any(not key.strip() for key in names):
        return careful()
    pointers = ("/" + key.replace("~", "~0").replace("/", "~1") for key in names)
    fields = ", ".join(
        f"json_extract_string(record, {quote_text(pointer)}) AS c{j}"
        for j, pointer in enumerate(pointers)
    )
    if "\0" in fields:
        return careful()
    return Source(
        name,
        tuple(names),
        (pa.string(),) * len(names),
        f"(SELECT {fields} FROM {scan})",
        first_row=1,
        size=file.stat().st_size,
        careful=careful,
        holders=held(holder, link),
    )


def _read_as_document(file: Path, name: str) -> Source:
    return records_source(read_document(file, name), name)


def read_document(file: Path, name: str) -> Any:
    """A JSON document, or the list of the documents that stand one a line."""
    try:
        text = file.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: the text is not UTF-8: save it as UTF-8.") from error
    try:
        return _loads(text)
    except RecursionError as error:
        raise InputError(f"{name} is nested too deeply to be a table of ratings.") from error
    except ValueError as error:
        return _read_lines(text, name, error)


def _read_lines(text: str, name: str, whole: ValueError) -> list[Any]:
    records = []
    lines = [line for line in enumerate(text.split("\n"), start=1) if line[1].strip()]
    for number, line in lines:
        try:
            records.append(_loads(line))
        except (ValueError, RecursionError) as error:
            if number == lines[0][0] and isinstance(whole, json.JSONDecodeError):
                number = whole.lineno
            raise InputError(
                f"{name}, line {number}: not valid JSON, neither one document nor JSON lines "
                "(one object a line): check that line."
            ) from error
    return records


def loads(text: str) -> Any:
    """A JSON text within another document; None where it is none."""
    try:
        return _loads(text)
    except (ValueError, RecursionError):
        return None


def _loads(text: str) -> Any:
    found = json.loads(text, parse_int=Number, parse_float=Number)
    return _whole_letters(found) if _HALF.search(text) else found


def _whole_letters(value: Any) -> Any:
    """The same with halves of letters written out: no other program takes them for text."""
    if isinstance(value, dict):
        return {_whole_letters(key): _whole_letters(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole_letters(each) for each in value]
    if type(value) is str:
        return value.encode("utf-8", "backslashreplace").decode()
    return value


def records_of(document: Any, name: str) -> list[Record]:
    """The records of a document: its list of objects, or the objects it holds by key."""
    if isinstance(document, dict):
        if isinstance(document.get("columns"), list) and isinstance(document.get("data"), list):
            return split_records(document)
        if document and all(isinstance(value, dict) for value in document.values()):
            return [{"id": key, **value} for key, value in document.items()]
        if _by_item(document):
            return [{"id": key, "answers": value} for key, value in document.items()]
        lists = [value for value in document.values() if _is_records(value)]
        document = lists[0] if len(lists) == 1 else [document]
    if not isinstance(document, list) or not all(isinstance(record, dict) for record in document):
        raise InputError(
            f"{name} is JSON, but not a list of objects: a table needs one object a row."
        )
    return document


def _by_item(document: Record) -> bool:
    """Whether a list of answers, each a list or an object, stands by the name of each item."""
    return len(document) > 1 and all(map(_is_table, document.values()))


def _is_table(value: Any) -> bool:
    """Whether a value is a list of lists."""
    return isinstance(value, list) and bool(value) and all(isinstance(v, list) for v in value)


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def split_records(document: Record) -> list[Record]:
    """The records of a table that stands as `columns` and `data`, as pandas splits one."""
    columns = [str(column) for column in document["columns"]]
    return [
        dict(zip(columns, row, strict=False)) for row in document["data"] if isinstance(row, list)
    ]


def records_source(document: Any, name: str) -> Source:
    """Records as a table: a column a key, in the order of their first appearance."""
    records = records_of(document, name)
    names = list(dict.fromkeys(key for record in records for key in record))
    if not names:
        raise InputError(f"{name} holds no records: it has a header and no rows.")
    if any(not key.strip() for key in names):
        raise InputError(f"{name}: a field has no name: name or remove it.")
    columns = [optional_text_column(cell(record.get(key)) for record in records) for key in names]
    table = pa.table(columns, [f"c{j}" for j in range(len(names))])
    first = records[:50]
    nested = not all(is_flat(record) for record in first)
    return replace(table_source(name, names, table), paths=tuple(leaves(first)) if nested else ())


def cell(value: Any) -> str | None:
    """A JSON value as text: numbers as written; lists and objects as their JSON."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False) if value else None
    return as_text(value)


def is_path(name: str) -> bool:
    """Whether a role is given as a path into nested records."""
    return "." in name or bool(_KIND.search(name))


def leaves(values: Sequence[Any], path: str = "") -> list[str]:
    """The paths that lead to values in records, for a refusal to show what could be named.

    >>> leaves([{"id": 1, "said": [{"by": "ann"}]}, {"id": 2, "said": []}])
    ['id', 'said[].by']
    """
    objects = [value for value in values if isinstance(value, dict)]
    inside = [value for value in values if isinstance(value, list)]
    lists = [each for value in inside for each in value]
    long = {len(value) for value in inside}
    if path.endswith("]") and len(long) == 1 and 1 < min(long) <= _LONGEST_TUPLE:
        every = [
            leaves([v[place] for v in inside], f"{path}[{place}]") for place in range(min(long))
        ]
        return [leaf for each in every for leaf in each]
    if lists and sum(map(path.count, ".[{")) < _DEEPEST:
        return leaves(lists, f"{path}[]")
    if not objects or sum(map(path.count, ".[{")) >= _DEEPEST:
        return [path] if any(value is not None for value in values) else []
    keys = list(dict.fromkeys(key for each in objects for key in each))
    tables = all(map(_is_table, (value for each in objects for value in each.values())))
    if path and (tables or len(keys) > 2 * max(len(each) for each in objects)):
        # Keys are names, not fields.
        inner = [value for each in objects for value in each.values()]
        return [f"{path}{{key}}", *leaves(inner, f"{path}{{}}")]
    return [
        leaf
        for key in keys
        for leaf in leaves(
            [each[key] for each in objects if key in each], f"{path}.{key}" if path else key
        )
    ]


Trail = tuple[int | str, ...]


def walk(record: Any, path: str) -> Iterator[tuple[Trail, Any]]:
    """The values a path leads to, each with the elements it went through.

    >>> list(walk({"a": [{"b": 1}, {"b": 2}]}, "a[].b"))
    [((0,), 1), ((1,), 2)]
    """
    if isinstance(record, dict) and path in record:
        yield (), record[path]
        return
    yield from _walk(record, _steps(path), ())


def _steps(path: str) -> list[tuple[str, str]]:
    steps = []
    for part in path.split("."):
        found = _STEP.fullmatch(part)
        if not found or not (found.group(1) or found.group(2)):
            raise OptionError(
                f"{path!r} is not a path: write a.b for a field, a[] for the elements of a list, "
                "a[0] for the first of them, a{} for the values of an object, a{key} for its keys."
            )
        first, *rest = _KIND.findall(found.group(2)) or [""]
        steps += [(found.group(1), first), *(("", kind) for kind in rest)]
    return steps


def _walk(
    value: Any, steps: Sequence[tuple[str, str]], trail: Trail
) -> Iterator[tuple[Trail, Any]]:
    if not steps:
        yield trail, value
        return
    (name, kind), rest = steps[0], steps[1:]
    if name:
        if not isinstance(value, dict) or name not in value:
            return
        value = value[name]
    if kind[1:-1].isdigit():
        if isinstance(value, list) and int(kind[1:-1]) < len(value):
            yield from _walk(value[int(kind[1:-1])], rest, trail)
        return
    if kind == "[]":
        inner: Any = enumerate(value) if isinstance(value, list) else ()
    elif kind == "{}":
        inner = value.items() if isinstance(value, dict) else ()
    elif kind == "{key}":
        inner = ((key, key) for key in value) if isinstance(value, dict) else ()
    else:
        yield from _walk(value, rest, trail)
        return
    for step, each in inner:
        yield from _walk(each, rest, (*trail, step))


def rows_by_path(records: Sequence[Record], paths: Sequence[str], name: str) -> Source:
    """A row for each value the deepest path leads to; the others give what stands above it."""
    rows: list[list[str | None]] = []
    for record in records:
        found = [list(walk(record, path)) for path in paths]
        deepest = max(found, key=lambda values: max((len(t) for t, _ in values), default=-1))
        for trail, _ in deepest:
            rows.append(
                [
                    _above(values, trail, path, name)
                    for values, path in zip(found, paths, strict=True)
                ]
            )
    nowhere = [p for j, p in enumerate(paths) if not any(row[j] is not None for row in rows)]
    if nowhere:
        raise InputError(f"{name}: the path {nowhere[0]!r} leads nowhere: check the path.")
    columns = [optional_text_column(row[j] for row in rows) for j in range(len(paths))]
    return table_source(name, paths, pa.table(columns, [f"c{j}" for j in range(len(paths))]))


def _above(values: list[tuple[Trail, Any]], trail: Trail, path: str, name: str) -> str | None:
    fitting = [value for at, value in values if trail[: len(at)] == at]
    if len(fitting) > 1:
        raise InputError(f"{name}: {path!r} leads to several values for one label: check the path.")
    if fitting and isinstance(fitting[0], dict | list) and len(fitting[0]) > 0:
        raise InputError(
            f"{name}: {path!r} leads to a list or an object: write {path + '[]'!r} for the "
            "elements of a list, or the field of the object that is meant."
        )
    return cell(fitting[0]) if fitting else None
