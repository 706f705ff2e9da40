"""`headcount plan accuracy`: how many cases to rate."""

from typing import Annotated

import typer

from headcount.cli import options
from headcount.cli.output import emit


def accuracy(
    raters: Annotated[int, typer.Option(help="Ratings each case gets.")] = 3,
    categories: Annotated[int, typer.Option(help="How many labels there are.")] = 5,
    kappa: Annotated[
        float | None, typer.Option(help="Raters' agreement beyond chance 1/N.")
    ] = None,
    rater_accuracy: Annotated[
        float | None, typer.Option(help="Or how often a rater is right.")
    ] = None,
    half_width: Annotated[float, typer.Option(help="How near the estimate must come.")] = 0.1,
    confidence: Annotated[float, typer.Option(help="In what share of evaluations.")] = 0.9,
    system_accuracy: Annotated[
        str, typer.Option(help="Accuracies the system may have, separated by commas.")
    ] = "0.1,0.3,0.5,0.7,0.9",
    base_rates: Annotated[
        str | None,
        typer.Option(help="Share of each label, separated by commas (default: at random)."),
    ] = None,
    cases: Annotated[
        str | None,
        typer.Option(help="Only these numbers of cases (default: search for enough)."),
    ] = None,
    simulations: Annotated[int, typer.Option(help="Simulated evaluations for each point.")] = 1000,
    seed: options.Seed = 0,
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
) -> None:
    """Estimate a system's accuracy from raters who err: how many cases to rate?"""
    from headcount.accuracy import plan_accuracy
    from headcount.cli.progress import bar

    result = plan_accuracy(
        raters=raters,
        categories=categories,
        kappa=kappa,
        rater_accuracy=rater_accuracy,
        half_width=half_width,
        confidence=confidence,
        system_accuracy=_numbers("system-accuracy", system_accuracy),
        base_rates=None if base_rates is None else _numbers("base-rates", base_rates),
        cases=None if cases is None else [_whole(value) for value in _numbers("cases", cases)],
        simulations=simulations,
        seed=seed,
        progress=bar,
    )
    emit(result, output, chart)


def _numbers(option: str, listed: str) -> list[float]:
    from headcount.errors import OptionError

    try:
        return [float(part) for part in listed.split(",") if part.strip()]
    except ValueError:
        raise OptionError(
            f"--{option} takes numbers separated by commas, such as 0.5,0.9; it was {listed!r}."
        ) from None


def _whole(value: float) -> int:
    from headcount.errors import OptionError

    if value != int(value):
        raise OptionError(f"--cases takes whole numbers of cases; one was {value:g}.")
    return int(value)
