"""Exports become Parquet files: ratings, predictions, and whatever else the tool told."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from headcount.door.arrays import text_column
from headcount.door.exports import (
    cells_table,
    chosen_ratings,
    question_cells,
    ratings_source,
    with_positive,
)
from headcount.door.reading import Asked, expand, read_exports
from headcount.door.tools.found import Found
from headcount.errors import InputError


def import_export(paths: Sequence[Any], asked: Asked) -> tuple[dict[str, pa.Table], list[str]]:
    """The tables that exports hold, by the name of the file to write, and what to know of them."""
    files = expand(list(paths))
    found = read_exports(files, asked)
    if found is None:
        raise InputError(
            f"{files[0]} is no export that is known by its structure: a table is read as it is "
            "(headcount doctor), and nested JSON by naming paths (--label 'a[].b')."
        )
    title = str(files[0]) if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"
    tables: dict[str, pa.Table] = {}
    notes: list[str] = []
    labels: list[str] = []
    if found.ratings:
        ratings, _, _ = chosen_ratings(found, title, asked)
        labels = list(dict.fromkeys(rating.ticks[0] for rating in ratings))
        tables["ratings"] = pa.table(
            {
                "item": text_column(rating.item for rating in ratings),
                "rater": text_column(rating.rater or "" for rating in ratings),
                "label": text_column(rating.ticks[0] for rating in ratings),
            }
        )
        notes += ratings_source(found, title, asked).notes
    else:
        notes.append(f"{title}: read as an export of {found.tool}; it holds no ratings by people.")
    tables |= _answers(found, title, asked, labels)
    return tables, notes


def _answers(found: Found, title: str, asked: Asked, labels: Sequence[str]) -> dict[str, pa.Table]:
    tables: dict[str, pa.Table] = {}
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


def write_tables(tables: dict[str, pa.Table], folder: Path) -> list[Path]:
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
