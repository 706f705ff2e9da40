"""The commands there are, in the order a newcomer needs them."""

from pathlib import Path
from typing import Annotated

import typer

from headcount._version import __version__
from headcount.cli import data_commands as data
from headcount.cli import evaluate, methods, plan, process, serve, settings

app = typer.Typer(
    name="headcount",
    help="How good is a classifier when the people it is judged by disagree?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"headcount {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
    file: Annotated[
        Path | None,
        typer.Option(
            "--settings",
            help="Settings: roles, labels, gates and options. By default the nearest "
            f"{settings.NAME}, or tool.headcount in {settings.PROJECT}, from here upwards.",
            metavar="FILE",
        ),
    ] = None,
    alone: Annotated[
        bool, typer.Option("--no-settings", help="Look for no settings anywhere.")
    ] = False,
) -> None:
    """How good is a classifier when the people it is judged by disagree?"""
    if context.invoked_subcommand == "serve":  # which stays
        process.leave_to_server()
    settings.apply(context, file, wanted=not alone)


plan.app.callback()(settings.announce)
app.command("demo")(data.demo)
app.command("evaluate")(evaluate.evaluate)
app.command("serve")(serve.serve)
app.command("doctor")(data.doctor)
app.command("import")(data.import_)
app.command("agreement")(methods.agreement)
app.command("equivalence")(methods.equivalence)
app.command("together")(methods.together)
app.command("population")(methods.population)
app.command("scores")(methods.scores)
app.command("accuracy")(methods.accuracy)
app.command("rate")(methods.rate)
app.command("deconvolve")(methods.deconvolve)
app.add_typer(plan.app, name="plan")
app.command("simulate", cls=data.ListsRecipes)(data.simulate)
