"""`headcount doctor`: what was read, and what it can answer."""

from typing import TYPE_CHECKING

import typer

from headcount.cli import options
from headcount.cli.output import emit
from headcount.cli.reading import reads

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings


@reads(predictions="optional")
def doctor(
    ratings: "Ratings",
    predictions: "Predictions | None",
    context: typer.Context,
    positive: options.Positive = None,
    output: options.OutputFormat = options.Format.TABLE,
) -> None:
    """Look at the files: what was read, and which questions they can answer."""
    from headcount.evaluation import examine

    found = context.obj
    said = {} if found is None else {"file": found.name, **dict(found.listed())}
    emit(examine(ratings, predictions, positive=positive, settings=said), output)
