"""`headcount evaluate`: everything the data can answer, and the report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options as shared
from headcount.cli.gate import end
from headcount.cli.gate import require as requirement
from headcount.cli.options import chooses
from headcount.cli.output import bar, console, emit, remark, rich_table
from headcount.cli.reading import reads
from headcount.options import EvaluateOptions

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings
    from headcount.evaluation import Evaluation

_LOADED = ("headcount.evaluation", "headcount.report.writing", "rich.table", "rich.padding")
"""What an evaluation and its report need, and takes a third of a second to load."""


def _writable(report: Path | None) -> Path | None:
    """Stop before the work where the report could not be written after it."""
    if report is not None:
        from headcount.results.files import check_report

        check_report(report)
    return report


def _savable(save: Path | None) -> Path | None:
    """The same for the result itself."""
    if save is not None:
        from headcount.results.files import check_writable

        check_writable(save, "The result", (".json",))
    return save


@reads(predictions="required", files=("gold",), spark=True, meanwhile=_LOADED)
@chooses(EvaluateOptions)
def evaluate(
    ratings: "Ratings",
    predictions: "Predictions",
    gold: str | None,
    options: EvaluateOptions,
    report: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where to write the report, a name ending in .html "
            "(default: report.html; none when printing JSON, CSV or Markdown).",
            callback=_writable,
        ),
    ] = None,
    markdown: Annotated[
        bool,
        typer.Option("--markdown", help="Print a short summary for a pull-request comment."),
    ] = False,
    details: Annotated[
        bool,
        typer.Option("--details", help="Print every sentence and table, not one screen."),
    ] = False,
    require: Annotated[
        list[Any] | None,
        requirement(
            "Exit with 3 unless met: 'gpt:low>=3' raters at the low end of the interval, "
            "'gpt:agree low>=80%' of people, 'gpt:ceiling low>=90%' of what any classifier could "
            "reach, 'gpt:accuracy low>=80%', 'gpt:kappa low>=0.6' where one person labelled, "
            "'gpt:saves>=50%' of the labels that asking people alone would take; "
            "without a name, for all; '>=3' tests the value, which "
            "luck may meet; "
            "'new:agree>=old-1%' that new is not worse than old by more than a point, "
            "'agree>=baseline-1%' than itself in --baseline. May be repeated.",
            "worth",
            "agree",
            "ceiling",
            "ideal",
            "accuracy",
            "kappa",
            "saves",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            help="An earlier result (--save) to compare with: what changed is printed, and "
            "requirements may name it.",
            metavar="LAST.JSON",
        ),
    ] = None,
    await_baseline: Annotated[
        bool,
        typer.Option(
            "--await-baseline",
            help="Go on where the --baseline is not there yet: requirements that name it wait, "
            "and it is said which.",
        ),
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Also write the whole result as JSON, to be the --baseline of a later run.",
            metavar="FILE",
            callback=_savable,
        ),
    ] = None,
    judge_id: Annotated[
        list[str] | None,
        typer.Option(
            help="With --save: what the classifier is, such as 'gpt=gpt-4o-2025-08, prompt 3'. "
            "May be repeated.",
            metavar="NAME=TEXT",
        ),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
) -> None:
    """Everything these data can answer about the classifiers, and a report to share."""
    from headcount.evaluation import evaluate as evaluated
    from headcount.evaluation.baseline import since
    from headcount.evaluation.gates import changes_table, check_requirements, difference_in
    from headcount.evaluation.history import judge_ids, other_judges, to_save
    from headcount.results import hold

    for_people = output is shared.Format.TABLE and not markdown
    page = (report or Path("report.html")) if for_people or report is not None else None
    _writable(page)
    awaited = baseline if await_baseline and baseline and not baseline.exists() else None
    before = None if baseline is None or awaited else _read_baseline(baseline)
    judges = judge_ids(judge_id or (), predictions.names)
    for sentence in other_judges(before or {}, judges):
        remark(f"headcount: {sentence}")
    check_requirements(require or (), predictions.names, baseline=bool(before or awaited))
    result = evaluated(
        ratings, predictions, **options.as_given(), gold=gold, progress=bar, processes=2
    )
    # The report first: whoever reads what is printed may leave before its end.
    written = None if page is None else result.report(page)
    if save is not None:
        _write_result(to_save(result.to_dict(), judges), save)
    changes = None if before is None else since(result, before)
    held = hold(
        require or (),
        result.estimates(),
        difference_in(result, changes),
        missing_baseline=None if awaited is None else awaited.name,
    )
    if markdown:
        # What was not met stands above the numbers, where nobody overlooks it.
        print("\n\n".join(filter(None, (held.as_markdown(), result.to_markdown(short=True)))))
    elif for_people and details:
        show(result)
    elif for_people:
        from headcount.cli.first_screen import first_screen

        print(first_screen(result.first_answer(), str(written)))
    else:
        emit(result, output)
    if written is not None and (details or not for_people):
        (print if for_people else remark)(f"\nReport: {written}")
    if changes is not None and for_people:
        screen = console()
        screen.print()
        screen.print(rich_table(changes_table(changes, result.nearness.people)))
    end(held)


def _write_result(told: "dict[str, Any]", path: Path) -> None:
    import json

    from headcount.results.files import write_content

    text = json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False)
    write_content(path, f"{text}\n", "The result")


def history(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="RESULT...", help="Results that evaluate --save wrote."),
    ],
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Many saved results as one table and chart, in the order of time."""
    from headcount.evaluation import history as of_results

    emit(of_results(files), output, chart)


def _read_baseline(path: Path) -> "dict[str, Any]":
    import json

    from headcount.errors import InputError
    from headcount.evaluation.gates import check_baseline

    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as an earlier result: {error}.") from error
    return check_baseline(found, str(path))


def show(result: "Evaluation") -> None:
    """All that `--details` prints: verdicts, the table of classifiers, what is missing."""
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
