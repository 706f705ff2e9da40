"""Options of commands: a method's, from where they are declared, and those that several share."""

import enum
import inspect
from collections.abc import Callable
from copy import copy
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer

from headcount.options import Options, RatingsReading, Told, described, flag_of
from headcount.options.declared import INTERVALS, READING


def chooses(
    options: type[Options], *, leave_out: tuple[str, ...] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a method; it is called with `options=`, an object of them.

    Options named in `leave_out` keep their defaults.
    """
    told = {name: each for name, each in described(options).items() if name not in leave_out}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def run(**given: Any) -> None:
            chosen = {name: _value(told[name], given.pop(name)) for name in told}
            command(options=options(**chosen), **given)

        own = [
            each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name, each in inspect.signature(command).parameters.items()
            if name != "options"
        ]
        everything = [*own, *(parameter(options, name) for name in told)]
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        vars(run)["__signature__"] = inspect.Signature(everything)
        run.__annotations__ = {p.name: p.annotation for p in everything}
        return run

    return decorate


def shown(options: type[Options], name: str) -> Any:
    """What the command line shows of one option."""
    told, default = described(options)[name], getattr(options, name)
    flag = flag_of(name, told)
    if told.kind is bool and default is not False:
        flag = f"{flag}/--no-{flag.removeprefix('--')}"
    if told.kind is float and told.parse is None:
        return typer.Option(
            flag, help=told.help, rich_help_panel=told.panel, parser=number, metavar="NUMBER"
        )
    return typer.Option(flag, help=told.help, rich_help_panel=told.panel)


def number(typed: Any) -> float:
    """A number as people type it: 0.85, 85% or "85 %".

    >>> number("85 %")
    0.85
    """
    text = str(typed).strip()
    share = text.endswith("%")
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no number such as 0.85 or 85%.") from None
    return value / 100 if share else value


def parameter(options: type[Options], name: str) -> inspect.Parameter:
    """One option as a parameter of a command."""
    told, default = described(options)[name], getattr(options, name)
    kind: Any = _words(name, told.choices) if told.choices else told.kind
    if told.many:
        kind = list[str]
    if told.choices and default is not None:
        default = kind(default)
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind | None if default is None else kind, shown(options, name)],
    )


def also(given: inspect.Parameter, word: str, meaning: str) -> inspect.Parameter:
    """The same option with one more word that may be typed, and what it means."""
    kind, option = get_args(given.annotation)
    wider = _words(given.name, (*(each.value for each in kind), word))
    told = copy(option)
    told.help = f"{option.help} {meaning}"
    return given.replace(annotation=Annotated[wider, told], default=wider(given.default.value))


def _words(name: str, choices: tuple[str, ...]) -> type[enum.Enum]:
    return cast(type[enum.Enum], enum.StrEnum(name, {choice: choice for choice in choices}))


def _value(told: Told, given: Any) -> Any:
    value = given.value if isinstance(given, enum.Enum) else given
    return value if value is None or told.parse is None else told.parse(value)


class Format(StrEnum):
    """How a result is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


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
        rich_help_panel=READING,
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
    typer.Option(help="The positive label (default: the last).", rich_help_panel=READING),
]
Unknown = Annotated[
    str,
    typer.Option(
        help="Predictions outside the labels: error, wrong (count as errors) or drop (the item).",
        rich_help_panel=READING,
    ),
]
OutputFormat = Annotated[Format, typer.Option("--format", help="How to print the result.")]


def _drawable(charts: list[Path] | None) -> list[Path] | None:
    """Stop before the work where a chart could not be written after it."""
    for chart in charts or ():
        from headcount.charts.saving import check_chart

        check_chart(chart)
    return charts


ChartPath = Annotated[
    list[Path] | None,
    typer.Option(
        "--chart",
        help="Also draw it: a file ending in .html, .png, .svg or .pdf; may be repeated.",
        callback=_drawable,
    ),
]
Bootstrap = Annotated[
    int,
    typer.Option(
        "--n-bootstrap", help="Bootstrap samples; 0 for no intervals.", rich_help_panel=INTERVALS
    ),
]
Confidence = Annotated[
    float,
    typer.Option(
        help="Confidence of the intervals.",
        rich_help_panel=INTERVALS,
        parser=number,
        metavar="NUMBER",
    ),
]
Seed = Annotated[
    int, typer.Option(help="Seed: the same one gives the same numbers.", rich_help_panel=INTERVALS)
]
