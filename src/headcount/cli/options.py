"""Options that several commands share, declared once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from headcount.cli.choices import shown
from headcount.options.reading import RatingsReading


class Format(StrEnum):
    """How a result is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


_READ = "Reading the files"
_STATS = "Intervals"

RatingsPath = Annotated[
    str,
    typer.Argument(
        metavar="RATINGS",
        help="Ratings: a row an answer (item, rater, label), a row an item with a column a rater, "
        "counts, or another tool's export. CSV, TSV, Parquet, JSON or Excel, plain or .gz; a "
        "folder or a pattern in quotes ('readers/*.csv'); - for standard input.",
    ),
]
PredictionsPath = Annotated[
    str | None,
    typer.Argument(
        metavar="PREDICTIONS",
        help="Predictions: item and a column a classifier, or 'name:label' columns of "
        "probabilities, or a row an answer. Left out where the first file holds them "
        "(--classifiers, or a tool's export).",
    ),
]
OptionalPredictionsPath = Annotated[
    str | None,
    typer.Argument(metavar="PREDICTIONS", help="Predictions, if there are any."),
]
Master = Annotated[
    str | None,
    typer.Option(
        help="Let Spark read and count the tables (extra spark): the address of its master, such "
        "as local[*] or spark://host:7077. Paths are then what that Spark can see; --engine spark "
        "alone means local[*].",
        rich_help_panel=_READ,
    ),
]
Item = Annotated[str | None, shown(RatingsReading, "item")]
Rater = Annotated[str | None, shown(RatingsReading, "rater")]
Label = Annotated[str | None, shown(RatingsReading, "label")]
Raters = Annotated[list[str] | None, shown(RatingsReading, "raters")]
Classifiers = Annotated[list[str] | None, shown(RatingsReading, "classifiers")]
Layout = Annotated[str | None, shown(RatingsReading, "layout")]
Occasion = Annotated[str | None, shown(RatingsReading, "occasion")]
Sheet = Annotated[str | None, shown(RatingsReading, "sheet")]
Question = Annotated[str | None, shown(RatingsReading, "question")]
RaterFrom = Annotated[str | None, shown(RatingsReading, "rater_from")]
Controls = Annotated[str, shown(RatingsReading, "controls")]
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
