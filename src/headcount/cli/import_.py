"""`headcount import`: another tool's export becomes Parquet files."""

from pathlib import Path
from typing import Annotated

import typer

from headcount.cli import options


def import_(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="The export: files, folders, or - for input."),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Folder to write ratings and predictions to."),
    ],
    question: options.Question = None,
    rater_from: options.RaterFrom = None,
    controls: options.Controls = "keep",
) -> None:
    """Turn another tool's export into ratings.parquet and predictions.parquet."""
    from headcount.door.importing import import_export, write_tables
    from headcount.door.reading import Asked
    from headcount.results import plain

    asked = Asked(question=question, rater_from=rater_from, controls=controls)
    tables, notes = import_export(files, asked)
    for note in notes:
        print(plain(note))
    for path in write_tables(tables, output):
        print(f"wrote {path} ({tables[path.stem].num_rows:,} rows)")
