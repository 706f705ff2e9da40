"""`headcount simulate`: files with known truth."""

from pathlib import Path
from typing import Annotated

import typer

from headcount.cli import options


def simulate(
    recipe: Annotated[
        str | None,
        typer.Argument(metavar="RECIPE", help="Which data; without it, the recipes are listed."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write (default: a folder named RECIPE)."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="OPTION=VALUE",
            help="Change an option of the recipe, such as -s items=200; can be repeated.",
        ),
    ] = None,
    seed: options.Seed = 0,
) -> None:
    """Make ratings and predictions with known truth: ratings.csv, predictions.csv, truth.csv.

    Recipes: comments (toxic comments, ragged, retests), running-example (the paper's),
    mixture (all dials open), scores (ordinal marks), divided (two groups of raters).
    """
    from headcount.cli.output import emit
    from headcount.simulate import RECIPES, catalogue
    from headcount.simulate import recipe as find

    if recipe is None:
        emit(catalogue())
        return
    chosen = find(recipe, **_options(settings or []))
    target = folder or Path(recipe)
    data = chosen.make(seed)
    for path in data.write(target):
        typer.echo(f"wrote {path}")
    for name, value in data.facts.items():
        typer.echo(f"true {name.replace('_', ' ')}: {value:.4g}")
