"""`headcount accuracy`: how accurate, against a truth nobody has."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headcount.cli import options
from headcount.cli.output import emit
from headcount.cli.reading import reads

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings


class Latent(StrEnum):
    """Which latent classes are fitted."""

    AUTO = "auto"
    EACH = "each"
    SHARED = "shared"
    OFF = "off"


class Which(StrEnum):
    """Which estimate the truth file holds."""

    ALGEBRAIC = "algebraic"
    LATENT_CLASS = "latent_class"


@reads(predictions="optional")
def accuracy(
    ratings: "Ratings",
    predictions: "Predictions | None",
    positive: options.Positive = None,
    unknown: options.Unknown = "error",
    latent_class: Annotated[
        Latent,
        typer.Option(help="Confusion matrices: one each, one shared, by the data, or none."),
    ] = Latent.AUTO,
    restarts: Annotated[int, typer.Option(help="More starts for the latent classes.")] = 9,
    precision: Annotated[
        float, typer.Option(help="Half-width wanted: are there enough cases for it?")
    ] = 0.1,
    truth: Annotated[
        Path | None,
        typer.Option(
            help="Also write the probability of each label for each case: .csv, .parquet or .jsonl."
        ),
    ] = None,
    truth_from: Annotated[
        Which | None, typer.Option(help="Whose truth (default: the estimate to believe).")
    ] = None,
    bootstrap: options.Bootstrap = 500,
    confidence: options.Confidence = 0.95,
    seed: options.Seed = 0,
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
) -> None:
    """How accurate is it against a truth nobody has, judged by experts who err?"""
    from headcount.accuracy import system_accuracy
    from headcount.cli.progress import bar

    result = system_accuracy(
        ratings,
        predictions,
        positive=positive,
        unknown=unknown,
        latent_class=latent_class.value,
        restarts=restarts,
        precision=precision,
        n_bootstrap=bootstrap,
        confidence=confidence,
        seed=seed,
        progress=bar,
    )
    emit(result, output, chart)
    if truth is not None:
        written = result.save_truth(
            truth, estimate=None if truth_from is None else truth_from.value
        )
        print(f"Truth probabilities written to {written}", file=sys.stderr)
