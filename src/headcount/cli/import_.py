"""`headcount import`: another tool's export, a workbook or any table becomes Parquet files."""

from pathlib import Path
from typing import Annotated

import typer

from headcount.cli import options
from headcount.options.parsing import listed


def import_(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="The export or the table: files, folders, or - for input."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Folder to write ratings and predictions to."),
    ],
    question: options.Question = None,
    rater_from: options.RaterFrom = None,
    controls: options.Controls = "keep",
    item: options.Item = None,
    rater: options.Rater = None,
    label: options.Label = None,
    raters: options.Raters = None,
    classifiers: options.Classifiers = None,
    layout: options.Layout = None,
    occasion: options.Occasion = None,
    sheet: options.Sheet = None,
) -> None:
    """Turn another tool's export or any table into ratings.parquet and predictions.parquet."""
    from headcount.door.importing import import_files, left_from_before, write_tables
    from headcount.door.reading import Asked
    from headcount.door.roles import Roles
    from headcount.results import count, plain

    asked = Asked(question=question, rater_from=rater_from, sheet=sheet, controls=controls)
    roles = Roles(
        item=item,
        rater=rater,
        label=label,
        raters=tuple(listed(raters) or ()),
        classifiers=tuple(listed(classifiers) or ()),
        occasion=occasion,
    )
    tables, notes = import_files(files, asked, roles, layout)
    for note in notes:
        print(plain(note))
    for path in write_tables(tables, output):
        print(f"wrote {path} ({count(tables[path.stem].num_rows, 'row', 'rows')})")
    for path in left_from_before(tables, output):
        print(f"{path} is from before, and not of this import.")
