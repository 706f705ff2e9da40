"""Exports and tables become Parquet files: ratings, predictions, and whatever else there is."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from headcount.door.answered import open_predictions
from headcount.door.arrays import text_column, whole
from headcount.door.exports import (
    cells_table,
    question_cells,
    ratings_source,
    sets_table,
    several_ticks,
    with_positive,
)
from headcount.door.joint_keys import with_joint_item
from headcount.door.layout import Layout
from headcount.door.reading import Asked, expand, open_ratings, read_exports, title_of
from headcount.door.roles import Roles
from headcount.door.said import said_in
from headcount.door.source import Source
from headcount.door.tools.found import Found
from headcount.door.understanding import understand_table
from headcount.errors import InputError
from headcount.later import Later
from headcount.results import count

if TYPE_CHECKING:
    import pyarrow.parquet as pq
else:
    pq = Later("pyarrow.parquet")

Tables = dict[str, pa.Table]

_WRITTEN = ("ratings", "sets", "predictions", "scores", "soft", "answers", "truth")


def import_files(
    paths: Sequence[Any], asked: Asked, roles: Roles, layout: str | None = None
) -> tuple[Tables, list[str]]:
    """The tables that files hold, by the name of the file to write, and what to know of them."""
    files = expand(list(paths))
    found = None if roles != Roles() or layout is not None else read_exports(files, asked)
    if found is None:
        return _from_table(files, asked, roles, layout)
    return _from_export(found, title_of(files), asked)


def _from_export(found: Found, title: str, asked: Asked) -> tuple[Tables, list[str]]:
    tables: Tables = {}
    notes: list[str] = []
    labels: list[str] = []
    ticks = several_ticks(found, title, asked) if found.ratings else None
    if ticks is not None:
        tables["sets"] = sets_table(found, title, asked)
        notes.append(f"{ticks} Written as sets, and not as ratings.")
    elif found.ratings:
        source = ratings_source(found, title, asked)
        assert source.arrow is not None
        tables["ratings"] = source.arrow.rename_columns(source.columns)
        labels = list(dict.fromkeys(tables["ratings"]["label"].to_pylist()))
        notes += source.notes
    else:
        notes.append(f"{title}: read as an export of {found.tool}; it holds no ratings by people.")
    return tables | _answers(found, title, asked, labels), notes


def _answers(found: Found, title: str, asked: Asked, labels: Sequence[str]) -> Tables:
    tables: Tables = {}
    held = {
        "predictions": with_positive(question_cells(found, found.answers, title, asked), labels),
        "scores": found.scores,
        "soft": found.soft,
        "answers": found.outputs,
    }
    for file, cells in held.items():
        if cells:
            if file == "answers":
                cells = cells | {(item, "truth"): value for item, value in found.truth.items()}
            names, table = cells_table(cells)
            tables[file] = table.rename_columns(names)
    if found.truth:
        tables["truth"] = pa.table(
            {"item": text_column(found.truth), "truth": text_column(found.truth.values())}
        )
    return tables


def _from_table(
    files: list[Path], asked: Asked, roles: Roles, layout: str | None
) -> tuple[Tables, list[str]]:
    """A plain table, a workbook or nested JSON: what is understood of it, a row an answer."""
    source = open_ratings(files, roles, asked)
    source, roles = with_joint_item(source, roles)
    understood = understand_table(source, roles, layout)
    if understood.kind == "counts":
        raise InputError(
            f"{source.name} holds counts, not answers: it is read as it is (headcount doctor)."
        )
    ratings, notes = _answers_of_table(source, understood)
    tables = {"ratings": ratings}
    if roles.classifiers:
        wanted = Roles(item=understood.item, classifiers=roles.classifiers)
        answered = open_predictions(files, wanted, "first", asked)
        names = ["item", *answered.table.column_names[1:]]
        tables["predictions"] = answered.table.rename_columns(names)
    return tables, [*source.notes, f"{source.name}: {understood.describe()}.", *notes]


def _answers_of_table(source: Source, layout: Layout) -> tuple[pa.Table, list[str]]:
    """Every answer that is not blank: item, rater, label, and what else has a role."""
    said = said_in(source, layout)
    named = {name: name for name in said.names if name != "twin" and name[1:].isalpha()}
    named |= {f"g{j}": name for j, name in enumerate(layout.groups)}
    named |= {f"i{j}": role for j, role in enumerate(layout.of_items)}
    table = source.ask(f"SELECT {', '.join(named)} FROM {said.sql}", said.values)
    items = table["item"].to_pylist()
    for row, item in enumerate(items if layout.kind == "long" else ()):
        if not item:
            raise InputError(
                f"{source.place(row)}: the item (column {layout.item!r}) is blank: give each row "
                "its item's id."
            )
    blank = pc.equal(pc.fill_null(whole(table["label"]).cast(pa.large_string()), ""), "")
    table = table.filter(pc.invert(blank)).rename_columns(list(named.values()))
    left_out = len(items) - table.num_rows
    if not table.num_rows:
        raise InputError(f"{source.name} holds no ratings: every label in it is missing.")
    told = count(left_out, "answer is blank and was", "answers are blank and were")
    return table, [f"{told} left out."] if left_out else []


def left_from_before(tables: Tables, folder: Path) -> list[Path]:
    """Files of an earlier import into the same folder that these tables do not replace."""
    older = (folder / f"{name}.parquet" for name in _WRITTEN if name not in tables)
    return [path for path in older if path.is_file()]


def write_tables(tables: Tables, folder: Path) -> list[Path]:
    """Write each table as a Parquet file of its name."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in tables.items():
            path = folder / f"{name}.parquet"
            pq.write_table(table, path)
            written.append(path)
    except OSError as error:
        raise InputError(f"{folder} cannot be written to: name another folder.") from error
    return written
