"""`headcount evaluate`: everything the data can answer, and the report."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headcount.cli import options
from headcount.cli.output import console, emit, rich_table
from headcount.cli.reading import reads

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings
    from headcount.evaluation import Evaluation

_METHOD = "Method"


@reads(predictions="required")
def evaluate(
    ratings: "Ratings",
    predictions: "Predictions",
    report: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where to write the report, a name ending in .html "
            "(default: report.html; none when printing JSON, CSV or Markdown).",
        ),
    ] = None,
    markdown: Annotated[
        bool,
        typer.Option("--markdown", help="Print a short summary for a pull-request comment."),
    ] = False,
    require: Annotated[
        list[str] | None,
        typer.Option(
            help="Exit with 3 unless met: 'gpt:>=3' raters, 'gpt:oracle>=90%' of what any "
            "classifier could reach; without a name, for all; 'low>=3' tests the low end of "
            "the interval. May be repeated.",
        ),
    ] = None,
    combiner: Annotated[
        str,
        typer.Option(help="How a survey becomes a prediction.", rich_help_panel=_METHOD),
    ] = "abc",
    scorer: Annotated[
        str,
        typer.Option(help="How predictions of raters are scored.", rich_help_panel=_METHOD),
    ] = "cross_entropy",
    max_raters: Annotated[
        int | None,
        typer.Option(
            help="Ratings an item must have for the power curve.", rich_help_panel=_METHOD
        ),
    ] = None,
    calibrate: Annotated[
        bool | None,
        typer.Option(
            help="Calibrate classifiers to the raters, or take them at their word "
            "(default: calibrate where the scorer reads probabilities).",
            rich_help_panel=_METHOD,
        ),
    ] = None,
    flip_rate: Annotated[
        str,
        typer.Option(
            help="How often an answer is a slip: auto (from retests), svd, or a number.",
            rich_help_panel=_METHOD,
        ),
    ] = "auto",
    target: Annotated[
        float,
        typer.Option(
            help="Probability with which the next labels shall find the better classifier.",
            rich_help_panel=_METHOD,
        ),
    ] = 0.95,
    positive: options.Positive = None,
    unknown: options.Unknown = "error",
    bootstrap: options.Bootstrap = 500,
    confidence: options.Confidence = 0.95,
    seed: options.Seed = 0,
    output: options.OutputFormat = options.Format.TABLE,
) -> None:
    """Everything these data can answer about the classifiers, and a report to share."""
    from headcount.cli.progress import bar
    from headcount.evaluation import evaluate as evaluated
    from headcount.evaluation.gate import parse_requirement
    from headcount.report import check_path

    requirements = [parse_requirement(text) for text in require or ()]
    for_people = output is options.Format.TABLE and not markdown
    page = (report or Path("report.html")) if for_people or report is not None else None
    if page is not None:
        check_path(page)
    result = evaluated(
        ratings,
        predictions,
        positive=positive,
        unknown=unknown,
        combiner=combiner,
        scorer=scorer,
        max_raters=max_raters,
        calibrate=calibrate,
        flip_rate=_number_or_name(flip_rate),
        target=target,
        n_bootstrap=bootstrap,
        confidence=confidence,
        seed=seed,
        progress=bar,
    )
    # The report first: whoever reads what is printed may leave before its end.
    written = None if page is None else result.report(page)
    if markdown:
        print(result.to_markdown(short=True))
    elif for_people:
        show(result)
    else:
        emit(result, output)
    if written is not None:
        print(f"\nReport: {written}", file=sys.stdout if for_people else sys.stderr)
    unmet = [sentence for each in requirements for sentence in each.unmet(result)]
    for sentence in unmet:
        print(f"headcount: requirement not met: {sentence}", file=sys.stderr)
    if unmet:
        raise typer.Exit(3)


def show(result: "Evaluation") -> None:
    """The verdicts, the table of classifiers and what is missing; the rest is in the report."""
    from rich.padding import Padding
    from rich.text import Text

    screen = console()
    for sentences in result.verdicts().values():
        screen.print(Text(sentences[0], style="bold"))
        screen.print(Padding(Text(" ".join(sentences[1:])), (0, 0, 0, 2)))
    for table in result.tables():
        screen.print()
        screen.print(rich_table(table))
    if result.next_labels:
        screen.print()
        screen.print(Text("What to label next", style="bold"))
        screen.print(Text(result.next_labels.verdict()))
    for sentence in result.missing():
        screen.print()
        screen.print(Text(sentence))


def _number_or_name(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text
