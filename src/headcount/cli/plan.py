"""`headcount plan`: how to spend the next labels."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options as shared
from headcount.cli import plan_accuracy, plan_gold, plan_ratings
from headcount.cli.choices import chooses, shown
from headcount.cli.output import emit
from headcount.cli.reading import reads
from headcount.planning import AIM, LABELS, ComparisonPlanOptions, parts_of

if TYPE_CHECKING:
    from headcount.budget.from_numbers import SharesTable
    from headcount.data import Predictions, Ratings, Study

app = typer.Typer(
    help="How to spend the next labels.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("accuracy")(plan_accuracy.accuracy)
app.command("gold")(plan_gold.gold)
app.command("ratings")(plan_ratings.ratings)


def _in(panel: str, text: str) -> Any:
    return typer.Option(help=text, rich_help_panel=panel)


@app.command("compare")
@chooses(ComparisonPlanOptions)
def compare(
    options: ComparisonPlanOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Pick the better of two classifiers, from numbers: how many items, how many labels each?"""
    from headcount.budget.from_numbers import plan_from_numbers

    joint, confusion = _table(options.joint), _table(options.label_confusion)
    result = plan_from_numbers(options, joint=joint, label_confusion=confusion)
    emit(result, output, chart)


def _table(path: Path | None) -> "SharesTable | None":
    from headcount.budget.from_numbers import SharesTable
    from headcount.errors import InputError

    if path is None:
        return None
    try:
        return SharesTable(str(path), path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"{path} is not a text file: save it as CSV UTF-8.") from error


ItemCost = Annotated[float, shown(ComparisonPlanOptions, "item_cost")]
LabelCost = Annotated[float, shown(ComparisonPlanOptions, "label_cost")]
PilotTarget = Annotated[float, _in(AIM, "Probability that the chosen one is the best.")]
Matters = Annotated[str, _in(AIM, "The smallest difference that matters, such as 1%.")]
Loss = Annotated[str | None, _in(AIM, "An expected loss to get down to, such as 0.1%.")]
Affordable = Annotated[int, _in(AIM, "The most labels that anyone would pay for.")]
Raters = Annotated[
    str | None,
    _in(
        LABELS,
        "Who labels next: new (people like the raters; the default where they have names), same "
        "(the same raters), fixed (only these raters matter).",
    ),
]
Weigh = Annotated[
    str, _in(LABELS, "items (each counts once) or labels (by what an item's labels tell).")
]
PriorSd = Annotated[
    str | None, _in(LABELS, "How far apart two such classifiers usually are, such as 3%.")
]
Gold = Annotated[
    Path | None, _in(LABELS, "The truth of some items (item, label): compares right answers.")
]
PilotLabelAccuracy = Annotated[
    float | None, _in(LABELS, "How often a label is right: compares right answers too.")
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


@app.command("pilot")
@reads("required")
def pilot(
    ratings: "Ratings",
    predictions: "Predictions",
    target: PilotTarget = 0.95,
    matters: Matters = "1%",
    loss: Loss = None,
    affordable: Affordable = 100_000,
    raters: Raters = None,
    weigh: Weigh = "items",
    prior_sd: PriorSd = None,
    gold: Gold = None,
    label_accuracy: PilotLabelAccuracy = None,
    item_cost: ItemCost = 0.0,
    label_cost: LabelCost = 1.0,
    positive: shared.Positive = None,
    unknown: shared.Unknown = "error",
    confidence: shared.Confidence = 0.95,
    items: ItemsFile = None,
    texts: Texts = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Choose a classifier from a pilot: what does that lose, and what would more labels save?"""
    from headcount.budget import Costs, plan_from_pilot
    from headcount.data import Study
    from headcount.results.files import FRAME_SUFFIXES, check_writable

    if items is not None:
        check_writable(items, "The items", FRAME_SUFFIXES)
    study = Study(ratings, predictions, positive, unknown)
    result = plan_from_pilot(
        study,
        target=target,
        matters=_per_cent("matters", matters),
        loss=None if loss is None else _per_cent("loss", loss),
        affordable=affordable,
        raters=raters,
        weigh=weigh,
        prior_sd=None if prior_sd is None else _per_cent("prior-sd", prior_sd),
        gold=None if gold is None else _truths(gold),
        label_accuracy=label_accuracy,
        costs=Costs(label=label_cost, item=item_cost),
        confidence=confidence,
    )
    if items is not None:
        _write_items(study, items, texts)
    emit(result, output, chart)
    if items is not None:
        print(f"Items to label next written to {items}", file=sys.stderr)


Pair = Annotated[str | None, typer.Option("--pair", help="Which two, where there are more: a,b.")]
Error = Annotated[str, _in(AIM, "Chance of a false stop, over all looks together.")]
WatchMatters = Annotated[str, _in(AIM, "Stop too when they differ by less, such as 1%.")]
LabelsEach = Annotated[int, _in(LABELS, "An item counts once it has so many labels.")]
Every = Annotated[
    float | None, typer.Option(help="Look again every so many seconds until labelling can stop.")
]


@app.command("watch")
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
    from headcount.budget import watch as look
    from headcount.data.reading import read_predictions, read_ratings

    told = read_predictions(predictions, item=item)
    while True:
        result = look(
            read_ratings(ratings, item=item, rater=rater, label=label),
            told,
            classifiers=None if pair is None else _pair(pair),
            error=_per_cent("error", error),
            matters=_per_cent("matters", matters),
            labels_each=labels_each,
            positive=positive,
            unknown=unknown,
        )
        if every is None or result.stop is not None:
            break
        print(result.verdict(), file=sys.stderr)
        time.sleep(every)
    emit(result, output, chart)


def _pair(listed: str) -> tuple[str, str]:
    from headcount.errors import OptionError

    names = parts_of(listed)
    if len(names) != 2:
        raise OptionError(f"--pair names two classifiers, a,b; it was {listed!r}.")
    return names[0], names[1]


def _write_items(study: "Study", path: Path, texts: Path | None) -> None:
    from headcount.budget import next_items
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


def _per_cent(option: str, text: str) -> float:
    """A share, as 0.01 or as 1%."""
    from headcount.errors import OptionError

    try:
        return float(text[:-1]) / 100 if text.strip().endswith("%") else float(text)
    except ValueError:
        raise OptionError(f"--{option} is a share such as 1% or 0.01; it was {text!r}.") from None


def _truths(path: Path) -> dict[str, str]:
    """The truth by item: a file with item and label, a row an item."""
    from headcount.data import Ratings

    gold = Ratings.read(path)
    counted = gold.item_counts()
    return {
        str(item): gold.labels.names[int(row.argmax())]
        for item, row in zip(counted.items, counted.counts, strict=True)
    }
