"""`headcount demo`: a real answer in a few seconds, on data it makes itself."""

from pathlib import Path
from typing import Annotated

import typer

from headcount.cli import options


def demo(
    folder: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the files.")
    ] = Path("headcount-demo"),
    seed: options.Seed = 2,
) -> None:
    """Simulate a realistic data set, evaluate its classifiers, and write the report."""
    from headcount.cli.evaluate import show
    from headcount.cli.progress import bar
    from headcount.data import Predictions, Ratings
    from headcount.evaluation import evaluate
    from headcount.simulate import make

    make("comments", seed=seed).write(folder)
    ratings, predictions = folder / "ratings.csv", folder / "predictions.csv"
    result = evaluate(Ratings.read(ratings), Predictions.read(predictions), progress=bar)
    data = result.data
    typer.echo(
        f"Simulated: {data.items:,} comments, each judged fine or toxic by some of {data.raters} "
        "people who disagree,\nand three classifiers: a word list, a fine-tuned model and an LLM "
        "judge.\n"
    )
    show(result)
    written = result.report(folder / "report.html")
    typer.echo(f"\nReport: {written}  (open it in a browser)")
    typer.echo(f"Data:   {ratings}, {predictions}")
    typer.echo(f"Again:  headcount evaluate {ratings} {predictions}")
    typer.echo("A gate: the same with --require 'fine_tuned:low>=2', which ends with 3 if not met")
