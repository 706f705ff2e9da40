"""`headcount simulate`: files with known truth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from headcount.errors import OptionError

if TYPE_CHECKING:
    from headcount.results import Table


class ListsRecipes(TyperCommand):
    """A command whose help names the recipes; they are looked up when help is asked for."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The usual help with the recipes below it."""
        from headcount.simulate import RECIPES

        lines = [f"{name}: {kind.about}" for name, kind in RECIPES.items()]
        self.epilog = "\n\n".join(["Recipes:", *lines])
        super().format_help(ctx, formatter)


def simulate(
    recipe: Annotated[
        str | None,
        typer.Argument(
            metavar="RECIPE", help="Which data; without it, all recipes and options are listed."
        ),
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
    seed: Annotated[int, typer.Option(help="Seed: the same one gives the same data.")] = 0,
) -> None:
    """Make data with known truth: ratings.csv, predictions.csv and truth.csv."""
    from headcount.cli.output import console, rich_table
    from headcount.simulate import recipe as find

    if recipe is None:
        for table in _catalogue():
            console().print(rich_table(table))
        return
    data = find(recipe, **_options(settings or [])).make(seed)
    for path in data.write(folder or Path(recipe)):
        typer.echo(f"wrote {path}")
    for name, value in data.facts.items():
        typer.echo(f"true {name.replace('_', ' ')}: {value:.4g}")


def _options(settings: list[str]) -> dict[str, str]:
    """`-s name=value` as a mapping."""
    for setting in settings:
        if "=" not in setting:
            raise OptionError(f"--set takes OPTION=VALUE, such as items=200; it was {setting!r}.")
    pairs = (setting.split("=", 1) for setting in settings)
    return {name.strip().replace("-", "_"): value.strip() for name, value in pairs}


def _catalogue() -> list["Table"]:
    """The recipes, and the options of each."""
    from headcount.results import Table
    from headcount.simulate import RECIPES

    recipes = Table(
        "Recipes",
        ("recipe", "what it makes"),
        tuple((name, kind.about) for name, kind in RECIPES.items()),
    )
    return [recipes] + [
        Table(
            f"Options of {name}",
            ("option", "default", "what it is"),
            tuple((each.name, _shown(each.default), each.help) for each in kind.settings()),
        )
        for name, kind in RECIPES.items()
    ]


def _shown(default: object) -> str:
    """A default the way it is written on the command line."""
    if not isinstance(default, tuple):
        return str(default)
    return ",".join(
        "/".join(str(inner) for inner in each) if isinstance(each, tuple) else str(each)
        for each in default
    )
