"""`headcount demo`: a real answer in a few seconds, on data it makes itself."""

from pathlib import Path
from typing import Annotated

import typer

from headcount.cli import options
from headcount.cli.output import emit


def demo(
    folder: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the files.")
    ] = Path("headcount-demo"),
    seed: options.Seed = 0,
) -> None:
    """Simulate a realistic data set, write its files, and show what they can answer."""
    from headcount.evaluation import examine
    from headcount.predictions import Predictions
    from headcount.ratings import Ratings
    from headcount.simulate import make

    make("comments", seed=seed).write(folder)
    ratings_file, predictions_file = folder / "ratings.csv", folder / "predictions.csv"
    emit(examine(Ratings.read(ratings_file), Predictions.read(predictions_file)))
    typer.echo(f"\nTry next: headcount doctor {ratings_file} {predictions_file}")
