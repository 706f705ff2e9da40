"""`headcount plan`: how to spend the next labels."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options as shared
from headcount.cli.options import chooses, shown
from headcount.cli.output import bar, emit, remark
from headcount.cli.reading import reads
from headcount.cli.short_help import ShortHelp
from headcount.options import (
    AccuracyPlanOptions,
    ComparisonPlanOptions,
    GoldPlanOptions,
    PilotOptions,
    RatingsPlanOptions,
)
from headcount.options.declared import parts_of, share
from headcount.options.plans import AIM, LABELS

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings, Study
    from headcount.plan import SharesTable

app = typer.Typer(
    help="How to spend the next labels.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def under(panel: str, text: str) -> Any:
    """An option in a panel of the help."""
    return typer.Option(help=text, rich_help_panel=panel)


ItemCost = Annotated[float, shown(ComparisonPlanOptions, "item_cost")]
LabelCost = Annotated[float, shown(ComparisonPlanOptions, "label_cost")]
Gold = Annotated[
    Path | None, under(LABELS, "The truth of some items (item, label): compares right answers.")
]
ItemsFile = Annotated[
    Path | None,
    typer.Option(
        "--items", help="Also write the items to label next, best first: .csv, .parquet or .jsonl."
    ),
]
Texts = Annotated[
    Path | None, typer.Option(help="What the items say (item, text), to stand beside them.")
]
Pair = Annotated[str | None, typer.Option("--pair", help="Which two, where there are more: a,b.")]
Error = Annotated[str, under(AIM, "Chance of a false stop, over all looks together.")]
WatchMatters = Annotated[str, under(AIM, "Stop too when they differ by less, such as 1%.")]
LabelsEach = Annotated[int, under(LABELS, "An item counts once it has so many labels.")]
Every = Annotated[
    float | None, typer.Option(help="Look again every so many seconds until labelling can stop.")
]


@app.command("accuracy", cls=ShortHelp)
@chooses(AccuracyPlanOptions)
def accuracy(
    options: AccuracyPlanOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Estimate a system's accuracy from raters who err: how many items to rate?"""
    from headcount.accuracy import plan_accuracy

    emit(plan_accuracy(**options.as_given(), progress=bar), output, chart)


@app.command("gold", cls=ShortHelp)
@chooses(GoldPlanOptions)
def gold(
    options: GoldPlanOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Know an accuracy from true answers: how many items need one?"""
    from headcount.plan import plan_gold

    emit(plan_gold(**options.as_given()), output, chart)


@app.command("ratings", cls=ShortHelp)
@chooses(RatingsPlanOptions)
def ratings(
    options: RatingsPlanOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Know the best that any classifier could do: what can k ratings an item tell?"""
    from headcount.plan import plan_ratings

    emit(plan_ratings(**options.as_given()), output, chart)


@app.command("compare", cls=ShortHelp)
@chooses(ComparisonPlanOptions)
def compare(
    options: ComparisonPlanOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Pick the better of two classifiers, from numbers: how many items, how many labels each?"""
    from headcount.plan import plan_from_numbers

    joint, confusion = _table(options.joint), _table(options.label_confusion)
    result = plan_from_numbers(options, joint=joint, label_confusion=confusion)
    emit(result, output, chart)


@app.command("pilot", cls=ShortHelp)
@reads("required")
@chooses(PilotOptions)
def pilot(
    ratings: "Ratings",
    predictions: "Predictions",
    options: PilotOptions,
    gold: Gold = None,
    item_cost: ItemCost = 0.0,
    label_cost: LabelCost = 1.0,
    items: ItemsFile = None,
    texts: Texts = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Choose a classifier from a pilot: what does that lose, and what would more labels save?"""
    from headcount.data import Study
    from headcount.plan import Costs, plan_from_pilot
    from headcount.results.files import FRAME_SUFFIXES, check_writable

    if items is not None:
        check_writable(items, "The items", FRAME_SUFFIXES)
    study = Study(ratings, predictions, options.positive, options.unknown)
    result = plan_from_pilot(
        study,
        gold=None if gold is None else _truths(gold),
        costs=Costs(label=label_cost, item=item_cost),
        **options.as_given(),
    )
    if items is not None:
        _write_items(study, items, texts)
    emit(result, output, chart)
    if items is not None:
        remark(f"Items to label next written to {items}")


@app.command("scores", cls=ShortHelp)
@reads("required")
def scores(
    ratings: "Ratings",
    predictions: "Predictions",
    distance: Annotated[str, typer.Option(help="squared, or absolute.")] = "squared",
    target: Annotated[float, typer.Option(help="Chance that the chosen one is the best.")] = 0.95,
    matters: Annotated[float, typer.Option(help="A mean distance too small to matter.")] = 0.0,
    affordable: Annotated[int, typer.Option(help="The most ratings anyone would pay for.")] = (
        100_000
    ),
    raters: Annotated[str | None, typer.Option(help="Who rates next: new, same or fixed.")] = None,
    prior_sd: Annotated[
        float | None, typer.Option(help="How far apart two such judges usually are.")
    ] = None,
    unknown: Annotated[
        str, typer.Option(help="Predictions that are no numbers: error, or drop.")
    ] = "error",
    confidence: shared.Confidence = 0.95,
    output: shared.OutputFormat = shared.Format.TABLE,
) -> None:
    """Choose a judge by its scores: what does that lose, and what would more ratings save?"""
    from headcount.plan import plan_scores

    result = plan_scores(
        ratings,
        predictions,
        distance=distance,
        target=target,
        matters=matters,
        affordable=affordable,
        raters=raters,
        prior_sd=prior_sd,
        unknown=unknown,
        confidence=confidence,
    )
    emit(result, output, None)


@app.command("watch", cls=ShortHelp)
def watch(
    ratings: shared.RatingsPath,
    predictions: shared.PredictionsPath,
    pair: Pair = None,
    error: Error = "5%",
    matters: WatchMatters = "0%",
    labels_each: LabelsEach = 1,
    every: Every = None,
    item: shared.Item = None,
    rater: shared.Rater = None,
    label: shared.Label = None,
    positive: shared.Positive = None,
    unknown: shared.Unknown = "error",
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Can labelling stop? Look at growing files as often as you like."""
    from headcount.data import read_predictions, read_ratings
    from headcount.plan import watch as look

    told = read_predictions(predictions, item=item)
    while True:
        result = look(
            read_ratings(ratings, item=item, rater=rater, label=label),
            told,
            classifiers=None if pair is None else _pair(pair),
            error=share("error")(error),
            matters=share("matters")(matters),
            labels_each=labels_each,
            positive=positive,
            unknown=unknown,
        )
        if every is None or result.stop is not None:
            break
        print(result.verdict(), file=sys.stderr)
        time.sleep(every)
    emit(result, output, chart)


def _table(path: Path | None) -> "SharesTable | None":
    from headcount.errors import InputError
    from headcount.plan import SharesTable

    if path is None:
        return None
    try:
        return SharesTable(str(path), path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"{path} is not a text file: save it as CSV UTF-8.") from error


def _write_items(study: "Study", path: Path, texts: Path | None) -> None:
    from headcount.plan import next_items
    from headcount.results.files import write_frame

    found = next_items(study, texts=None if texts is None else _read_texts(texts))
    write_frame(found.to_frame("pyarrow"), path, "The items")


def _read_texts(path: Path) -> dict[str, str]:
    """What each item says: a file with the item and one other column, or one called text."""
    from headcount.door import open_file
    from headcount.door.roles import require_column
    from headcount.errors import InputError

    source = open_file(str(path))
    item = require_column("item", source.columns, None, table=source.name)
    others = [name for name in source.columns if name != item]
    text = "text" if "text" in others else others[0] if len(others) == 1 else None
    if text is None:
        raise InputError(
            f"{source.name} has no column 'text': name it so, or leave the others out."
        )
    table = source.ask(f"SELECT {source.text(item)} AS i, {source.text(text)} AS t FROM source")
    pairs = zip(table["i"].to_pylist(), table["t"].to_pylist(), strict=True)
    return {str(i): str(t) for i, t in pairs if i is not None and t is not None}


def _truths(path: Path) -> dict[str, str]:
    """The truth by item: a file with item and label, a row an item."""
    from headcount.data import Ratings

    gold = Ratings.read(path)
    counted = gold.item_counts()
    return {
        str(item): gold.labels.names[int(row.argmax())]
        for item, row in zip(counted.items, counted.counts, strict=True)
    }


def _pair(text: str) -> tuple[str, str]:
    from headcount.errors import OptionError

    names = parts_of(text)
    if len(names) != 2:
        raise OptionError(f"--pair names two classifiers, a,b; it was {text!r}.")
    return names[0], names[1]
