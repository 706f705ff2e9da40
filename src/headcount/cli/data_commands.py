"""Commands about data: a demonstration, a look at files, another tool's export, known truth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options as shared
from headcount.cli.options import chooses
from headcount.cli.output import bar, console, emit, rich_table
from headcount.cli.reading import reads
from headcount.cli.short_help import ShortHelp
from headcount.errors import OptionError
from headcount.options import EvaluateOptions
from headcount.options.declared import listed

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings
    from headcount.results import Table


def demo(
    folder: Annotated[
        Path, typer.Option("--output", "-o", help="Where to write the files.")
    ] = Path("headcount-demo"),
    seed: shared.Seed = 2,
) -> None:
    """Simulate a realistic data set, evaluate its classifiers, and write the report."""
    from headcount.cli.first_screen import first_screen
    from headcount.data import Predictions, Ratings
    from headcount.evaluation import evaluate
    from headcount.simulate import make

    make("comments", seed=seed).write(folder)
    ratings, predictions = folder / "ratings.csv", folder / "predictions.csv"
    result = evaluate(Ratings.read(ratings), Predictions.read(predictions), progress=bar)
    written = result.report(folder / "report.html")
    typer.echo(first_screen(result.first_answer(), str(written)))
    typer.echo(f"Again:  headcount evaluate {ratings} {predictions}")


@reads(predictions="optional")
@chooses(EvaluateOptions)
def doctor(
    ratings: "Ratings",
    predictions: "Predictions | None",
    context: typer.Context,
    options: EvaluateOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
) -> None:
    """Look at the files: what was read, and which questions they can answer.

    It takes what evaluate takes, so that a line can be tried first.
    """
    from headcount.evaluation import examine

    found = context.obj
    said = {} if found is None else {"file": found.name, **dict(found.listed())}
    looked = examine(
        ratings, predictions, positive=options.positive, unknown=options.unknown, settings=said
    )
    emit(looked, output)


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
    question: shared.Question = None,
    rater_from: shared.RaterFrom = None,
    controls: shared.Controls = "keep",
    item: shared.Item = None,
    rater: shared.Rater = None,
    label: shared.Label = None,
    raters: shared.Raters = None,
    classifiers: shared.Classifiers = None,
    layout: shared.Layout = None,
    occasion: shared.Occasion = None,
    sheet: shared.Sheet = None,
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


class ListsRecipes(ShortHelp):
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
    from headcount.simulate import recipe as find

    if recipe is None:
        for table in _catalogue():
            console().print(rich_table(table))
        return
    data = find(recipe, **_recipe_options(settings or [])).make(seed)
    for path in data.write(folder or Path(recipe)):
        typer.echo(f"wrote {path}")
    for name, value in data.facts.items():
        typer.echo(f"true {name.replace('_', ' ')}: {value:.4g}")


def _recipe_options(settings: list[str]) -> dict[str, str]:
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
