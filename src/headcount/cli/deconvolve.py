"""`headcount deconvolve`: what share of people would agree, once their slips are set aside."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.cli.reading import reads
from headcount.errors import OptionError
from headcount.options import DeconvolutionCheckOptions, DeconvolutionOptions

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings
    from headcount.deconvolution import PrimaryLabels
    from headcount.results import Result


class By(StrEnum):
    """How to take the scores apart."""

    LEVEL = "level"
    GROUP = "group"


@reads(predictions="optional")
@chooses(DeconvolutionOptions)
def deconvolve(
    ratings: "Ratings",
    predictions: "Predictions | None",
    options: DeconvolutionOptions,
    scorer: Annotated[
        str | None,
        typer.Option(
            help="accuracy, precision, recall, f1, auc, cross_entropy, brier …, separated by "
            "commas (default: the first six)."
        ),
    ] = None,
    by: Annotated[
        By | None, typer.Option(help="Scores by level of disagreement, or by group of raters.")
    ] = None,
    validate: Annotated[
        bool,
        typer.Option("--validate", help="Check the method on raters who were asked again."),
    ] = False,
    items: Annotated[
        bool,
        typer.Option(
            "--items", help="Print what people hold of every item, slips set aside, instead."
        ),
    ] = False,
    draw: Annotated[
        Path | None,
        typer.Option(
            help="Also write a test set: labels drawn from what people hold (.csv, .parquet)."
        ),
    ] = None,
    labels_per_item: Annotated[int, typer.Option(help="Labels to draw for each item.")] = 10,
    positive: shared.Positive = None,
    unknown: shared.Unknown = "error",
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """What share of people would agree with a classifier, once their slips are set aside?"""
    from headcount.cli.progress import bar
    from headcount.deconvolution import deconvolve as compute
    from headcount.deconvolution import validate_deconvolution

    if validate + items + (by is not None) > 1:
        raise OptionError("--validate, --items and --by are different questions: ask one.")
    meeting: dict[str, Any] = {"positive": positive, "unknown": unknown}
    scorers = None if scorer is None else [name.strip() for name in scorer.split(",")]
    if validate:
        chosen = DeconvolutionCheckOptions.among(options.as_given() | meeting).as_given()
        chosen |= {} if scorers is None else {"scorer": scorers}
        emit(validate_deconvolution(ratings, predictions, **chosen, progress=bar), output, chart)
        return
    labels = compute(ratings, **options.as_given(), progress=bar)
    if draw is not None:
        written = labels.draw(labels_per_item, seed=options.seed).write(draw)
        typer.echo(f"Drawn labels written to {written}", err=True)
    emit(labels if items else _answer(labels, predictions, scorers, by, meeting), output, chart)


def _answer(
    labels: "PrimaryLabels",
    predictions: "Predictions | None",
    scorers: list[str] | None,
    by: By | None,
    meeting: dict[str, Any],
) -> "Result":
    if by is not None:
        split = labels.by_level if by is By.LEVEL else labels.by_group
        return split(predictions, scorers or "accuracy", **meeting)
    if predictions is None:
        return labels.oracle(scorers, positive=meeting["positive"], soft=True)
    return labels.score(predictions, scorers, **meeting)
