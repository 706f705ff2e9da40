"""`headcount accuracy`: how accurate, against a truth nobody has."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.gate import hold
from headcount.cli.gate import require as requirement
from headcount.cli.output import emit, remark
from headcount.cli.reading import reads
from headcount.options import AccuracyOptions

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings


class Which(StrEnum):
    """Which estimate the truth file holds."""

    ALGEBRAIC = "algebraic"
    LATENT_CLASS = "latent_class"


@reads(predictions="optional", files=("gold",))
@chooses(AccuracyOptions)
def accuracy(
    ratings: "Ratings",
    predictions: "Predictions | None",
    gold: str | None,
    options: AccuracyOptions,
    truth: Annotated[
        Path | None,
        typer.Option(
            help="Also write the probability of each label for each item: .csv, .parquet or .jsonl."
        ),
    ] = None,
    truth_from: Annotated[
        Which | None, typer.Option(help="Whose truth (default: the estimate that fits better).")
    ] = None,
    strata: Annotated[
        str | None,
        typer.Option(help="How gold was drawn: a --slice of the ratings, or a file with item."),
    ] = None,
    require: Annotated[
        list[Any] | None,
        requirement(
            "Exit with 3 unless met: 'gpt:accuracy low>=80%'; without a name, for all. Without "
            "gold there are only the low and high ends of a span. May be repeated.",
            "accuracy",
        ),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """How accurate is it against a truth nobody has, judged by experts who err?"""
    from headcount.accuracy import system_accuracy
    from headcount.cli.progress import bar
    from headcount.results.files import FRAME_SUFFIXES, check_writable

    if truth is not None:
        check_writable(truth, "The truth probabilities", FRAME_SUFFIXES)
    result = system_accuracy(
        ratings, predictions, **options.as_given(), gold=gold, strata=strata, progress=bar
    )
    if truth is not None:
        result.save_truth(truth, estimate=None if truth_from is None else truth_from.value)
    emit(result, output, chart)
    if truth is not None:
        remark(f"Truth probabilities written to {truth}")
    hold(require, {each.name: {"accuracy": each.accuracy} for each in result.classifiers})
