"""From paths to one table: files, folders, patterns, input, tools' exports, nested JSON."""

import glob
import os
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa

from headcount.door.arrays import optional_text_column, text_column, whole
from headcount.door.column_names import made_of_others, of_gold, of_machine, of_person
from headcount.door.columnar import holds_nested, nested_records, open_parquets
from headcount.door.delimited import delimited_rows, read_header
from headcount.door.documents import (
    is_path,
    loads,
    read_document,
    records_of,
    rows_by_path,
    starting_records,
)
from headcount.door.exports import answers_source, ratings_source
from headcount.door.files import (
    JSON,
    PARQUET,
    SEPARATORS,
    STANDARD_INPUT,
    WORKBOOKS,
    Opened,
    is_stream,
    open_file,
    opened_once,
)
from headcount.door.own_ids import with_own_ids
from headcount.door.roles import Roles, find_column, listing, require_column
from headcount.door.source import Source, table_source
from headcount.door.tools import Export, Found, inspect_logs, recognise
from headcount.door.unpacking import zip_members
from headcount.errors import HeadcountError, InputError, OptionError
from headcount.frozen import frozen
from headcount.results import plain

_READ = (*SEPARATORS, *JSON, *WORKBOOKS, *PARQUET, ".eval", ".gz")
_GOLD = "gold"
_SHORTEST_NAME = 3
"""Names of files as short as this are initials."""
_BROKEN = (KeyError, TypeError, AttributeError, IndexError, ValueError, RecursionError)


@frozen
class Asked:
    """What the user says of the files.

    `question` picks one of several in an export; `rater_from` is "file" or "folder" where a name
    on disk is the rater's; `sheet` picks a sheet of a workbook; `controls` says whether tasks
    whose answer was known beforehand are kept ("keep") or left out ("drop"); `item` names the
    fields of an export whose values are the items; `sets` says that answers of an export may tick
    several options.
    """

    question: str | None = None
    rater_from: str | None = None
    sheet: str | None = None
    controls: str = "keep"
    known: dict[str, Any] = field(default_factory=dict)
    item: tuple[str, ...] = ()
    sets: bool = False

    def __post_init__(self) -> None:
        if self.rater_from not in (None, "file", "folder"):
            raise OptionError(f'rater_from is "file" or "folder", not {self.rater_from!r}.')
        if self.controls not in ("keep", "drop"):
            raise OptionError(f'controls is "keep" or "drop", not {self.controls!r}.')


def open_ratings(path: Any, roles: Roles, asked: Asked) -> Source:
    """The table of ratings in a file or several."""
    files = expand(path)
    asked = replace(asked, item=roles.items, sets=bool(roles.sets))
    return replace(_open_ratings(files, roles, asked), call=_call(path, files, asked))


def _call(path: Any, files: Sequence[Path], asked: Asked) -> tuple[str, ...]:
    """The words that name the files on the command line, and how they are to be read."""
    several = isinstance(path, list | tuple) and len(files) > 1
    words = [_pattern(files) if several else str(path[0] if isinstance(path, list) else path)]
    for option, value in (("--rater-from", asked.rater_from), ("--sheet", asked.sheet)):
        words += [option, value] if value is not None else []
    return tuple(words)


def _pattern(files: Sequence[Path]) -> str:
    """One pattern that means just these files, if the simplest one does."""
    pattern = files[0].parent / f"*{files[0].suffix}"
    return str(pattern) if sorted(files) == sorted(map(Path, glob.glob(str(pattern)))) else "FILES"


def _open_ratings(files: list[Path], roles: Roles, asked: Asked) -> Source:
    told = roles.label is not None or roles.raters or roles.a is not None
    found = None if told else read_exports(files, asked)
    if found is None:
        nested = _by_path(files, (*roles.items, roles.rater, roles.label), asked)
        if nested is not None:
            return nested
    if found is not None:
        return ratings_source(found, title_of(files), asked)
    if len(files) == 1 and asked.rater_from is None:
        return open_file(_opened(files[0], asked), sheet=asked.sheet)
    at_once = _scanned_together(files, asked)
    if at_once is not None and find_column(
        "rater", at_once.columns, roles.rater, table=title_of(files)
    ):
        return at_once
    sources = [open_file(_opened(file, asked), sheet=asked.sheet) for file in files]
    return _together(sources, files, roles, asked)


def _scanned_together(files: Sequence[Path], asked: Asked) -> Source | None:
    """Parquet files of the same columns as one table that is never held whole; else None."""
    if asked.rater_from is not None or len(files) < 2:
        return None
    opened = [_opened(file, asked) for file in files]
    if any(each.suffix not in PARQUET or each.holder is not None for each in opened):
        return None
    return open_parquets([each.file for each in opened], title_of(files))


def open_answers(path: Any, roles: Roles, asked: Asked) -> Source:
    """The table of predictions in a file."""
    files = expand(path)
    if roles.label is None and roles.rater is None and roles.a is None:
        found = read_exports(files, replace(asked, item=roles.items))
        if found is not None:
            return answers_source(found, title_of(files), asked)
    at_once = _scanned_together(files, asked)
    if at_once is not None:
        return at_once
    if len(files) > 1:
        raise InputError(
            f"{title_of(files)}: predictions are read from one file, not from several."
        )
    return open_file(_opened(files[0], asked), sheet=asked.sheet)


def parquet_source(path: Any, asked: Asked) -> Source | None:
    """The table in flat Parquet files, scanned where they lie; None where files are others."""
    files = expand(path)
    if not all(file.suffix.lower() in PARQUET and _is_there(file) for file in files):
        return None
    if any(holds_nested(file) for file in files):
        return None
    if len(files) > 1:
        return _scanned_together(files, asked)
    return open_file(_opened(files[0], asked))


def holds_answers(path: Any) -> bool:
    """Whether a file is an export that holds classifiers' answers beside people's ratings."""
    files = expand(path)
    if any(is_stream(file) for file in files):  # it comes only once
        return False
    try:
        found = read_exports(files, Asked(rater_from="file"))
    except HeadcountError:  # to be told when it is read
        return False
    return found is not None and bool(found.answers) and bool(found.ratings)


def expand(path: Any) -> list[Path]:
    """The files that a path, a folder, a pattern or a list of them means, in order."""
    if isinstance(path, list | tuple):
        found = [file for each in path for file in expand(each)]
        if not found:
            raise OptionError("No file was named.")
        return found
    text = os.fspath(path)
    if text in (STANDARD_INPUT, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        return [Path(STANDARD_INPUT)]
    given = Path(text).expanduser()
    if _is_folder(given):
        inside = sorted(
            file
            for file in given.rglob("*")
            if file.is_file() and file.suffix.lower() in _READ and not file.name.startswith(".")
        )
        if not inside:
            raise InputError(f"{given} is a directory without a table in it: name the file.")
        return inside
    if any(sign in text for sign in "*?[") and not _is_there(given):
        matched = [Path(name) for name in sorted(glob.glob(text, recursive=True))]
        return expand(matched) if matched else [given]
    return [given]


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return True  # to be told of when it is opened


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def title_of(files: Sequence[Path]) -> str:
    """What messages call one file or several."""
    if len(files) == 1:
        return "standard input" if str(files[0]) == STANDARD_INPUT else plain(str(files[0]))
    return f"{plain(str(files[0]))} and {len(files) - 1} more"


def read_exports(files: Sequence[Path], asked: Asked) -> Found | None:
    """What other tools' exports hold, together; None where the files are plain tables."""
    whole_found: Found | None = None
    for file in files:
        opened = _opened(file, asked)
        export, tool = _recognised(_exports(opened))
        if tool is None or export is None:
            if whole_found is None:
                return None
            raise InputError(
                f"{file} is not an export of {whole_found.tool}, as the files before it are: "
                "name files of one kind."
            )
        whole_export = replace(_whole(opened, export), question=asked.question)
        found = _read(tool, whole_export, opened.name)
        if asked.item and asked.item != ("item",):
            found = with_own_ids(tool, whole_export, found, asked.item)
        _name_raters(found, export, asked, several=len(files) > 1)
        if whole_found is None:
            whole_found = found
        elif whole_found.tool != found.tool:
            raise InputError(
                f"{file} is an export of {found.tool} and others are of {whole_found.tool}: "
                "name files of one kind."
            )
        else:
            _check_apart(whole_found, found, file, asked)
            whole_found.add(found)
    return whole_found


def _opened(file: Path, asked: Asked) -> Opened:
    """A file opened once, however often it is looked at: standard input comes only once."""
    key = str(file)
    if key not in asked.known:
        asked.known[key] = opened_once(file)
    found: Opened = asked.known[key]
    return found


def _exports(opened: Opened) -> list[Export]:
    """As much of a file as shows what tool it comes from, in the ways it can be read."""
    if opened.suffix in SEPARATORS:
        header = read_header(opened.file, opened.name, SEPARATORS[opened.suffix])
        return [Export(opened.given, [], header.columns)]
    if opened.suffix == ".eval":
        members = {
            name: loads(content.decode("utf-8", "replace"))
            for name, content in zip_members(opened.file, opened.name).items()
            if name.endswith(".json")
        }
        return [Export(opened.given, inspect_logs.from_archive(members))]
    if opened.suffix in PARQUET and holds_nested(opened.file):
        return [Export(opened.given, nested_records(opened.file, opened.name, 50))]
    if opened.suffix not in JSON:
        return []
    start = starting_records(opened.file)
    if start is None:
        return [Export(opened.given, read_document(opened.file, opened.name))]
    # One object on one line may be a record or a document.
    return [Export(opened.given, each) for each in (start, *(start if len(start) == 1 else ()))]


def _recognised(exports: Sequence[Export]) -> tuple[Export | None, ModuleType | None]:
    for export in exports:
        try:
            tool = recognise(export)
        except _BROKEN:
            continue
        if tool is not None:
            return export, tool
    return None, None


def _whole(opened: Opened, export: Export) -> Export:
    """The same export with all of its records."""
    if export.columns:
        header = read_header(opened.file, opened.name, SEPARATORS[opened.suffix])
        rows = delimited_rows(opened.file, opened.name, header.separator, header.lines)
        # Some tools leave the empty cells at a row's end out.
        records = [dict(zip(header.columns, row, strict=False)) for _, row in rows]
        return Export(opened.given, records, header.columns)
    if opened.suffix == ".eval":
        return export
    if opened.suffix in PARQUET:
        return Export(opened.given, nested_records(opened.file, opened.name))
    document = read_document(opened.file, opened.name)
    if isinstance(document, dict) and isinstance(export.document, list):
        document = [document]  # one record on one line
    return Export(opened.given, document)


def _read(tool: ModuleType, export: Export, name: str) -> Found:
    try:
        found: Found = tool.read(export)
    except _BROKEN as error:
        raise InputError(
            f"{name} looks like an export of {tool.NAME}, but a record in it is not as that tool "
            "writes it: export it again, or turn it into a table of item, rater and label."
        ) from error
    if not found.ratings and not found.answers:
        raise InputError(f"{name} is an export of {tool.NAME} without a rating or an answer in it.")
    return found


def _name_raters(found: Found, export: Export, asked: Asked, *, several: bool) -> None:
    """Raters that the export does not name go by the file's name, or the folder's."""
    where = asked.rater_from
    if found.anonymous and where is None:
        return
    name = export.path.parent.name if where == "folder" else export.stem
    if where is None and several and export.stem == "annotated_instances":
        name = export.path.parent.name
    found.ratings[:] = [
        replace(rating, rater=name) if where is not None or rating.rater is None else rating
        for rating in found.ratings
    ]


def _check_apart(known: Found, more: Found, file: Path, asked: Asked) -> None:
    """The same rater on the same item in two files: most likely each file has its own rater 1."""
    if asked.rater_from is not None or known.anonymous:
        return
    seen = {(rating.item, rating.rater, rating.question) for rating in known.ratings}
    for rating in more.ratings:
        if (rating.item, rating.rater, rating.question) in seen:
            raise InputError(
                f"{file}: the rater {rating.rater!r} has rated the item {rating.item!r} in another "
                'file too: if each file is a rater of its own, say rater_from="file" '
                "(--rater-from file)."
            )


def _by_path(files: Sequence[Path], given: Sequence[str | None], asked: Asked) -> Source | None:
    """Nested JSON whose fields are named by paths."""
    paths = [name for name in given if name is not None]
    if len(files) != 1 or not any(is_path(name) for name in paths):
        return None
    opened = _opened(files[0], asked)
    if opened.suffix in JSON:
        records = records_of(read_document(opened.file, opened.name), opened.name)
    elif opened.suffix in PARQUET and holds_nested(opened.file):
        records = nested_records(opened.file, opened.name)
    else:
        return None
    if not any(name not in record for record in records for name in paths):
        return None
    return rows_by_path(records, paths, opened.name)


def _together(
    sources: Sequence[Source], files: Sequence[Path], roles: Roles, asked: Asked
) -> Source:
    """Tables of the same columns as one, with the rater from each file's or folder's name."""
    title = title_of(files)
    shared = [name for name in sources[0].columns if all(name in s.columns for s in sources)]
    if not shared:
        raise InputError(f"{title}: the files have no column in common.")
    named = find_column("rater", shared, roles.rater, table=title)
    if asked.rater_from is None and named is None:
        raise InputError(
            f"{title}: no column names the rater (columns: {listing(shared)}): if each file is one "
            'rater\'s, say rater_from="file" (--rater-from file).'
        )
    kept = [name for name in shared if asked.rater_from is None or name != named]
    known: dict[str, str] = {}
    notes = [note for source in sources for note in source.notes]
    if asked.rater_from == "file":
        _check_people(files)
        of_people = [not _is_truth(file, files) for file in files]
        for source, file, person in zip(sources, files, of_people, strict=True):
            if not person:
                known = _truth(source, file, roles, known)
                notes.append(
                    f"{plain(str(file))} is taken for the right answers (column {_GOLD!r}), as "
                    "it is called, and not for a rater's: rename the file if it is one."
                )
        sources = [each for each, person in zip(sources, of_people, strict=True) if person]
        files = [each for each, person in zip(files, of_people, strict=True) if person]
    raters: list[str] = []
    parts: list[list[pa.Array]] = [[] for _ in kept]
    for source, file in zip(sources, files, strict=True):
        fields = ", ".join(f"{source.text(name)} AS t{j}" for j, name in enumerate(kept))
        table = source.ask(f"SELECT {fields} FROM source")
        for column, part in zip(table.columns, parts, strict=True):
            part.append(whole(column).cast(pa.large_string()))
        name = file.parent.name if asked.rater_from == "folder" else file.name.split(".", 1)[0]
        raters += [name] * table.num_rows
    columns = [pa.concat_arrays(part) for part in parts]
    if asked.rater_from is not None:
        kept, columns = [*kept, "rater"], [*columns, text_column(raters)]
    if known:
        item = require_column("item", kept, roles.item_column, table=title)
        ids = columns[kept.index(item)].to_pylist()
        kept = [*kept, _GOLD]
        columns = [*columns, optional_text_column(known.get(each) for each in ids)]
    if len(sources[0].columns) > len(shared):
        notes.append(f"{title}: only columns that all files have were read.")
    table = pa.table(columns, [f"c{j}" for j in range(len(columns))])
    return table_source(title, kept, table, notes=tuple(notes))


def _is_truth(file: Path, files: Sequence[Path]) -> bool:
    """Whether a file among raters' holds the right answers, by its name; other names do not."""
    name = file.name.split(".", 1)[0]
    called = [of_gold(each.name.split(".", 1)[0]) for each in files]
    short = len(name) <= _SHORTEST_NAME  # x, y and z are raters
    return of_gold(name) and not (short or of_person(name)) and sum(called) < len(called) - 1


def _check_people(files: Sequence[Path]) -> None:
    """Stop where some of the files are called like a model's or like what was made of raters'."""
    names = [file.name.split(".", 1)[0] for file in files]
    strange = [
        file
        for file, name in zip(files, names, strict=True)
        if len(name) > _SHORTEST_NAME and (of_machine(name) or made_of_others(name))
    ]
    if strange and len(strange) < len(files) - 1:
        told = listing([plain(str(file)) for file in strange])
        raise InputError(
            f"{told} would count as one more rater, and is called like a model's or like what was "
            "made of raters' answers: put it elsewhere and give it as the predictions, or rename "
            "it if it is a person's."
        )


def _truth(source: Source, file: Path, roles: Roles, known: dict[str, str]) -> dict[str, str]:
    """The right answers by item."""
    if known:
        raise InputError(
            f"{file}: a second file is called like right answers: keep one beside the raters'."
        )
    item = require_column("item", source.columns, roles.item_column, table=source.name)
    free = [name for name in source.columns if name != item]
    label = require_column("label", free, roles.label, table=source.name)
    table = source.ask(f"SELECT {source.text(item)} AS i, {source.text(label)} AS l FROM source")
    pairs = zip(table["i"].to_pylist(), table["l"].to_pylist(), strict=True)
    return {str(one): str(other) for one, other in pairs if one and other}
