"""`headcount deconvolve`: what share of people would agree, once their slips are set aside."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options
from headcount.cli.output import emit
from headcount.cli.reading import reads
from headcount.errors import OptionError

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings
    from headcount.deconvolution import PrimaryLabels
    from headcount.results import Result

_SLIPS = "Slips"
_PEOPLE = "Whose labels count, and how"


class By(StrEnum):
    """How to take the scores apart."""

    LEVEL = "level"
    GROUP = "group"


class Formula(StrEnum):
    """The retest formula."""

    ALL = "all-labels"
    TWO = "two-labels"


class Repeats(StrEnum):
    """Which of a rater's answers on one item count."""

    FIRST = "first"
    ALL = "all"


class Weigh(StrEnum):
    """What counts the same."""

    ITEMS = "items"
    RATINGS = "ratings"


@reads(predictions="optional")
def deconvolve(
    ratings: "Ratings",
    predictions: "Predictions | None",
    metric: Annotated[
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
        bool, typer.Option("--items", help="Print the primary labels of every item instead.")
    ] = False,
    draw: Annotated[
        Path | None,
        typer.Option(help="Also write a test set of drawn primary labels (.csv or .parquet)."),
    ] = None,
    labels_per_item: Annotated[int, typer.Option(help="Labels to draw for each item.")] = 10,
    positive: options.Positive = None,
    unknown: options.Unknown = "error",
    flip_rate: Annotated[
        str,
        typer.Option(
            help="auto, retest, svd, a number such as 0.1, a column of RATINGS, or a file with "
            "item and rate.",
            rich_help_panel=_SLIPS,
        ),
    ] = "auto",
    strata: Annotated[
        str,
        typer.Option(
            help="Levels within which flip rates are pooled: auto, a number of them, a width such "
            "as 0.05, or edges separated by commas.",
            rich_help_panel=_SLIPS,
        ),
    ] = "auto",
    formula: Annotated[
        Formula,
        typer.Option(
            help="The retest formula: for as many labels as there are, or for two.",
            rich_help_panel=_SLIPS,
        ),
    ] = Formula.ALL,
    min_ratings: Annotated[
        int, typer.Option(help="Leave out items with fewer ratings.", rich_help_panel=_PEOPLE)
    ] = 1,
    repeats: Annotated[
        Repeats,
        typer.Option(
            help="Which answers of a rater asked twice are labels.", rich_help_panel=_PEOPLE
        ),
    ] = Repeats.FIRST,
    weigh_by: Annotated[
        Weigh, typer.Option(help="What counts the same.", rich_help_panel=_PEOPLE)
    ] = Weigh.ITEMS,
    group_weights: Annotated[
        str | None,
        typer.Option(
            help="Weights of the groups of raters, such as 'women=0.5,men=0.5'.",
            rich_help_panel=_PEOPLE,
        ),
    ] = None,
    bootstrap: options.Bootstrap = 500,
    confidence: options.Confidence = 0.95,
    seed: options.Seed = 0,
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
) -> None:
    """What share of people would agree, and what is the best any classifier could do?"""
    from headcount.cli.progress import bar
    from headcount.deconvolution import deconvolve as compute
    from headcount.deconvolution import validate_deconvolution

    if validate + items + (by is not None) > 1:
        raise OptionError("--validate, --items and --by are different questions: ask one.")
    shared: dict[str, Any] = {
        "strata": _strata(strata),
        "formula": formula.value,
        "n_bootstrap": bootstrap,
        "confidence": confidence,
        "seed": seed,
        "progress": bar,
    }
    asked: dict[str, Any] = {"positive": positive, "unknown": unknown}
    metrics = None if metric is None else [name.strip() for name in metric.split(",")]
    if validate:
        asked |= {} if metrics is None else {"metric": metrics}
        emit(validate_deconvolution(ratings, predictions, **asked, **shared), output, chart)
        return
    labels = compute(
        ratings,
        flip_rate=_flip_rate(flip_rate),
        min_ratings=min_ratings,
        repeats=repeats.value,
        weigh_by=weigh_by.value,
        group_weights=_group_weights(group_weights),
        **shared,
    )
    if draw is not None:
        written = labels.draw(labels_per_item, seed=seed).write(draw)
        typer.echo(f"Drawn labels written to {written}", err=True)
    emit(labels if items else _answer(labels, predictions, metrics, by, asked), output, chart)


def _answer(
    labels: "PrimaryLabels",
    predictions: "Predictions | None",
    metrics: list[str] | None,
    by: By | None,
    asked: dict[str, Any],
) -> "Result":
    if by is not None:
        split = labels.by_level if by is By.LEVEL else labels.by_group
        return split(predictions, metrics or "accuracy", **asked)
    if predictions is None:
        return labels.oracle(metrics, positive=asked["positive"], soft=True)
    return labels.score(predictions, metrics, **asked)


def _flip_rate(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _strata(text: str) -> str | float | list[float]:
    try:
        if "," in text:
            return [float(part) for part in text.split(",")]
        return int(text) if text.strip().isdigit() else float(text)
    except ValueError:
        return text


def _group_weights(text: str | None) -> dict[str, float] | None:
    if text is None:
        return None
    weights = {}
    for part in text.split(","):
        name, equals, number = part.rpartition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise OptionError(
                f"--group-weights is a list such as 'women=0.5,men=0.5'; {part!r} is not of "
                "that form."
            )
    return weights
