"""The commands there are, in the order a newcomer needs them."""

from pathlib import Path
from typing import Annotated

import typer

from headcount._version import __version__
from headcount.cli import data_commands as data
from headcount.cli import evaluate, methods, plan, process, serve, settings
from headcount.cli.short_help import ShortHelp

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
app.command("demo", cls=ShortHelp)(data.demo)
app.command("evaluate", cls=ShortHelp)(evaluate.evaluate)
app.command("serve", cls=ShortHelp)(serve.serve)
app.command("doctor", cls=ShortHelp)(data.doctor)
app.command("import", cls=ShortHelp)(data.import_)
app.command("agreement", cls=ShortHelp)(methods.agreement)
app.command("equivalence", cls=ShortHelp)(methods.equivalence)
app.command("together", cls=ShortHelp)(methods.together)
app.command("drift", cls=ShortHelp)(methods.drift)
app.command("rank", cls=ShortHelp)(methods.rank)
app.command("history", cls=ShortHelp)(evaluate.history)
app.command("population", cls=ShortHelp)(methods.population)
app.command("scores", cls=ShortHelp)(methods.scores)
app.command("accuracy", cls=ShortHelp)(methods.accuracy)
app.command("rate", cls=ShortHelp)(methods.rate)
app.command("deconvolve", cls=ShortHelp)(methods.deconvolve)
app.command("export-labels", cls=ShortHelp)(methods.export_labels)
app.add_typer(plan.app, name="plan")
app.command("simulate", cls=data.ListsRecipes)(data.simulate)
