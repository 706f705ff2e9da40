"""Options that several commands share, declared once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """How a result is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


_READ = "Reading the files"
_STATS = "Intervals"

RatingsPath = Annotated[
    Path,
    typer.Argument(
        metavar="RATINGS",
        help="Ratings: a row an answer (item, rater, label), a row an item with a column a rater, "
        "or counts. CSV, TSV, Parquet or JSON lines, plain or .gz.",
    ),
]
PredictionsPath = Annotated[
    Path,
    typer.Argument(
        metavar="PREDICTIONS",
        help="Predictions: item and a column a classifier, or 'name:label' columns of "
        "probabilities. CSV, TSV, Parquet or JSON lines, plain or .gz.",
    ),
]
OptionalPredictionsPath = Annotated[
    Path | None,
    typer.Argument(metavar="PREDICTIONS", help="Predictions, if there are any."),
]
Item = Annotated[str | None, typer.Option(help="Column with the item.", rich_help_panel=_READ)]
Rater = Annotated[str | None, typer.Option(help="Column with the rater.", rich_help_panel=_READ)]
Label = Annotated[str | None, typer.Option(help="Column with the label.", rich_help_panel=_READ)]
Layout = Annotated[
    str | None,
    typer.Option(help="long, wide or counts, if the file does not tell.", rich_help_panel=_READ),
]
Order = Annotated[
    str | None,
    typer.Option(help="Labels from lowest to highest, separated by commas.", rich_help_panel=_READ),
]
Scale = Annotated[
    str | None,
    typer.Option(help="nominal, ordinal or numeric, if detected wrongly.", rich_help_panel=_READ),
]
Occasion = Annotated[
    str | None,
    typer.Option(help="Column that orders a rater's repeated answers.", rich_help_panel=_READ),
]
Pool = Annotated[
    str | None, typer.Option(help="Column with the pool of raters.", rich_help_panel=_READ)
]
Group = Annotated[
    str | None, typer.Option(help="Column with the rater's group.", rich_help_panel=_READ)
]
Weight = Annotated[
    str | None, typer.Option(help="Column with the answer's weight.", rich_help_panel=_READ)
]
Unrated = Annotated[
    str,
    typer.Option(
        help="Items with only missing labels: error, or drop them.", rich_help_panel=_READ
    ),
]
Classifiers = Annotated[
    str | None,
    typer.Option(help="Only these classifiers, separated by commas.", rich_help_panel=_READ),
]
Positive = Annotated[
    str | None,
    typer.Option(help="The positive label (default: the last).", rich_help_panel=_READ),
]
Unknown = Annotated[
    str,
    typer.Option(
        help="Predictions outside the labels: error, wrong (count as errors) or drop (the item).",
        rich_help_panel=_READ,
    ),
]
OutputFormat = Annotated[Format, typer.Option("--format", help="How to print the result.")]


def _drawable(chart: Path | None) -> Path | None:
    """Stop before the work where the chart could not be written after it."""
    if chart is not None:
        from headcount.charts.saving import SUFFIXES
        from headcount.results.files import check_writable

        check_writable(chart, "The chart", SUFFIXES)
    return chart


ChartPath = Annotated[
    Path | None,
    typer.Option(
        "--chart",
        help="Also draw it: a file ending in .html, .png, .svg or .pdf.",
        callback=_drawable,
    ),
]
Bootstrap = Annotated[
    int,
    typer.Option(
        "--n-bootstrap", help="Bootstrap samples; 0 for no intervals.", rich_help_panel=_STATS
    ),
]
Confidence = Annotated[
    float, typer.Option(help="Confidence of the intervals.", rich_help_panel=_STATS)
]
Seed = Annotated[
    int, typer.Option(help="Seed: the same one gives the same numbers.", rich_help_panel=_STATS)
]
TwoWay = Annotated[
    bool,
    typer.Option("--two-way", help="Draw raters anew too, not only items.", rich_help_panel=_STATS),
]
