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
Item = Annotated[
    str | None,
    typer.Option(help="Column with the item, or a path into nested JSON.", rich_help_panel=_READ),
]
Rater = Annotated[
    str | None,
    typer.Option(help="Column with the rater.", rich_help_panel=_READ),
]
Label = Annotated[
    str | None,
    typer.Option(help="Column with the label, or a path: a[].b.", rich_help_panel=_READ),
]
Raters = Annotated[
    list[str] | None,
    typer.Option(
        help="Columns that are a rater each: names or patterns ('reader*'); may be repeated.",
        rich_help_panel=_READ,
    ),
]
Classifiers = Annotated[
    list[str] | None,
    typer.Option(
        help="Columns that are a classifier each: names or patterns ('model*'); may be repeated.",
        rich_help_panel=_READ,
    ),
]
Layout = Annotated[
    str | None,
    typer.Option(help="long, wide or counts, if the file does not tell.", rich_help_panel=_READ),
]
Text = Annotated[
    str | None,
    typer.Option(help="Column with the item's text.", rich_help_panel=_READ),
]
Slice = Annotated[
    list[str] | None,
    typer.Option(
        "--slice",
        help="Column to look at parts of the items by; may be repeated.",
        rich_help_panel=_READ,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Column with what items come from: document, patient, prompt.", rich_help_panel=_READ
    ),
]
Group = Annotated[
    list[str] | None,
    typer.Option(
        "--group", help="Column with the rater's group; may be repeated.", rich_help_panel=_READ
    ),
]
Gold = Annotated[
    str | None,
    typer.Option(
        help="Column with the answer known to be right, or a file with item and gold.",
        rich_help_panel=_READ,
    ),
]
Occasion = Annotated[
    str | None,
    typer.Option(help="Column that orders a rater's repeated answers.", rich_help_panel=_READ),
]
Pool = Annotated[
    str | None,
    typer.Option(help="Column with the pool of raters.", rich_help_panel=_READ),
]
Weight = Annotated[
    str | None,
    typer.Option(help="Column with the answer's weight.", rich_help_panel=_READ),
]
Order = Annotated[
    str | None,
    typer.Option(help="Labels from lowest to highest, separated by commas.", rich_help_panel=_READ),
]
Scale = Annotated[
    str | None,
    typer.Option(help="nominal, ordered or numeric, if detected wrongly.", rich_help_panel=_READ),
]
Map = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        help="Read an answer as another label: TOXIC=toxic, or a file of such pairs.",
        rich_help_panel=_READ,
    ),
]
FoldCase = Annotated[
    bool,
    typer.Option("--fold-case", help="Upper and lower case are the same.", rich_help_panel=_READ),
]
Missing = Annotated[
    str | None,
    typer.Option(
        help="Further spellings of no answer, separated by commas.", rich_help_panel=_READ
    ),
]
Unrated = Annotated[
    str,
    typer.Option(
        help="Items with only missing labels: error, or drop them.", rich_help_panel=_READ
    ),
]
Question = Annotated[
    str | None,
    typer.Option(help="Which question of an export with several.", rich_help_panel=_READ),
]
RaterFrom = Annotated[
    str | None,
    typer.Option(
        help="file or folder: the rater is its name.",
        rich_help_panel=_READ,
    ),
]
Controls = Annotated[
    str,
    typer.Option(
        help="Control tasks of an export, whose answer was known: keep or drop.",
        rich_help_panel=_READ,
    ),
]
Sheet = Annotated[
    str | None,
    typer.Option(help="Sheet of a workbook.", rich_help_panel=_READ),
]
PredictionItem = Annotated[
    str | None,
    typer.Option(
        help="Column with the item in the predictions, where it differs.", rich_help_panel=_READ
    ),
]
Run = Annotated[
    str | None,
    typer.Option(
        help="Column of the predictions that numbers a classifier's runs.",
        rich_help_panel=_READ,
    ),
]
Runs = Annotated[
    str,
    typer.Option(help="Of several runs: first, or majority.", rich_help_panel=_READ),
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
