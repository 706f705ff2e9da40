"""The commands there are, in the order a newcomer needs them."""

from pathlib import Path
from typing import Annotated

import typer

from headcount._version import __version__
from headcount.cli import (
    accuracy,
    agreement,
    deconvolve,
    demo,
    doctor,
    equivalence,
    evaluate,
    import_,
    plan,
    population,
    process,
    rate,
    scores,
    serve,
    settings,
    simulate,
    stopping,
)

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
        process.collect_as_usual()
        stopping.leave_to_command()
    else:
        process.keep_memory()
    settings.apply(context, file, wanted=not alone)


plan.app.callback()(settings.announce)
app.command("demo")(demo.demo)
app.command("evaluate")(evaluate.evaluate)
app.command("serve")(serve.serve)
app.command("doctor")(doctor.doctor)
app.command("import")(import_.import_)
app.command("agreement")(agreement.agreement)
app.command("equivalence")(equivalence.equivalence)
app.command("population")(population.population)
app.command("scores")(scores.scores)
app.command("accuracy")(accuracy.accuracy)
app.command("rate")(rate.rate)
app.command("deconvolve")(deconvolve.deconvolve)
app.add_typer(plan.app, name="plan")
app.command("simulate", cls=simulate.ListsRecipes)(simulate.simulate)
