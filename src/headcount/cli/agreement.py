"""`headcount agreement`: how much people agree."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from headcount.cli import options
from headcount.cli.output import emit
from headcount.cli.reading import reads

if TYPE_CHECKING:
    from headcount.data import Ratings


class Level(StrEnum):
    """How alpha sees the labels."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@reads()
def agreement(
    ratings: "Ratings",
    level: Annotated[
        Level | None,
        typer.Option(help="How alpha sees the labels (default: as what they are)."),
    ] = None,
    contested: Annotated[int, typer.Option(help="How many contested items to list.")] = 10,
    two_way: options.TwoWay = False,
    bootstrap: options.Bootstrap = 500,
    confidence: options.Confidence = 0.95,
    seed: options.Seed = 0,
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
) -> None:
    """How much do people agree? Coefficients with intervals, raters, contested items."""
    from headcount.agreement import agreement as measure
    from headcount.cli.progress import bar

    result = measure(
        ratings,
        level=None if level is None else level.value,
        contested=contested,
        two_way=two_way,
        n_bootstrap=bootstrap,
        confidence=confidence,
        seed=seed,
        progress=bar,
    )
    emit(result, output, chart)
