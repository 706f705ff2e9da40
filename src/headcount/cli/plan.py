"""`headcount plan`: how to spend the next labels."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options, plan_accuracy, plan_scores
from headcount.cli.output import emit
from headcount.cli.reading import reads

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings, Study

app = typer.Typer(
    help="How to spend the next labels.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("accuracy")(plan_accuracy.accuracy)
app.command("scores")(plan_scores.scores)

_TASK = "The two classifiers"
_LABELS = "The labels"
_AIM = "What to reach"
_MONEY = "What it costs"


def _in(panel: str, text: str) -> Any:
    return typer.Option(help=text, rich_help_panel=panel)


Accuracy = Annotated[float | None, _in(_TASK, "Accuracy of the better classifier.")]
Margin = Annotated[float | None, _in(_TASK, "How much better it is.")]
Disagreement = Annotated[
    float | None,
    _in(_TASK, "Share of items on which they differ (default: independent errors)."),
]
Categories = Annotated[int, _in(_TASK, "How many labels there are; wrong ones spread evenly.")]
WorseAccuracy = Annotated[float | None, _in(_TASK, "Correlated: accuracy of the worse one.")]
BetterIfWorseWrong = Annotated[
    float | None, _in(_TASK, "Correlated: the better one's accuracy where the worse is wrong.")
]
BetterIfWorseRight = Annotated[
    float | None, _in(_TASK, "Correlated: the better one's accuracy where the worse is right.")
]
JointFile = Annotated[
    Path | None,
    _in(_TASK, "CSV of truth, answer of one, answer of the other, share: any number of labels."),
]
StepChances = Annotated[
    str | None, _in(_TASK, "Only p_plus,p_minus: an item's chances to favour either.")
]
Rivals = Annotated[
    int, _in(_TASK, "How many rivals the best one is compared with, all so far behind.")
]
LabelAccuracy = Annotated[
    float | None, _in(_LABELS, "Chance that a single label is right, above guessing.")
]
LabelSpread = Annotated[
    float, _in(_LABELS, "How much that varies over items, as a standard deviation.")
]
LabelAccuracyIfBetter = Annotated[
    float | None, _in(_LABELS, "The same on items that only the better one gets right.")
]
LabelAccuracyIfWorse = Annotated[
    float | None, _in(_LABELS, "The same on items that only the worse one gets right.")
]
LabelConfusion = Annotated[Path | None, _in(_LABELS, "CSV of truth, label, chance; with --joint.")]
Budget = Annotated[float | None, _in(_AIM, "What may be spent: highest probability.")]
Target = Annotated[float | None, _in(_AIM, "Probability to reach: lowest cost.")]
LabelsPerItem = Annotated[
    str | None,
    _in(_AIM, "Only these numbers of labels an item, such as 1,3,2+1 (a third where two differ)."),
]
ItemCost = Annotated[float, _in(_MONEY, "What an item costs before any label.")]
LabelCost = Annotated[float, _in(_MONEY, "What a label costs.")]


@app.command("compare")
def compare(
    accuracy: Accuracy = None,
    margin: Margin = None,
    disagreement: Disagreement = None,
    n_labels: Categories = 2,
    worse_accuracy: WorseAccuracy = None,
    better_if_worse_wrong: BetterIfWorseWrong = None,
    better_if_worse_right: BetterIfWorseRight = None,
    joint: JointFile = None,
    step: StepChances = None,
    rivals: Rivals = 1,
    label_accuracy: LabelAccuracy = None,
    label_spread: LabelSpread = 0.0,
    label_accuracy_if_better: LabelAccuracyIfBetter = None,
    label_accuracy_if_worse: LabelAccuracyIfWorse = None,
    label_confusion: LabelConfusion = None,
    budget: Budget = None,
    target: Target = None,
    labels_per_item: LabelsPerItem = None,
    item_cost: ItemCost = 0.0,
    label_cost: LabelCost = 1.0,
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
) -> None:
    """Pick the better of two classifiers, from numbers: how many items, how many labels each?"""
    from headcount.budget import Costs, plan_comparison

    labels = _label_names(joint, label_confusion)
    correlated = (worse_accuracy, better_if_worse_wrong, better_if_worse_right)
    result = plan_comparison(
        accuracy=accuracy,
        margin=margin,
        disagreement=disagreement,
        n_labels=n_labels,
        joint=_shares(joint, labels, 3) if joint is not None else _correlated(*correlated),
        step=None if step is None else _two_numbers(step),
        label_accuracy=_noise(
            label_accuracy, label_spread, label_accuracy_if_better, label_accuracy_if_worse
        ),
        label_confusion=None if label_confusion is None else _shares(label_confusion, labels, 2),
        budget=budget,
        target=target,
        labels_per_item=None if labels_per_item is None else _listed(labels_per_item),
        costs=Costs(label=label_cost, item=item_cost),
        rivals=rivals,
    )
    emit(result, output, chart)


PilotTarget = Annotated[float, _in(_AIM, "Probability that the chosen one is the best.")]
Matters = Annotated[str, _in(_AIM, "The smallest difference that matters, such as 1%.")]
Loss = Annotated[str | None, _in(_AIM, "An expected loss to get down to, such as 0.1%.")]
Affordable = Annotated[int, _in(_AIM, "The most labels that anyone would pay for.")]
Raters = Annotated[
    str | None,
    _in(
        _LABELS,
        "Who labels next: new (people like the raters; the default where they have names), same "
        "(the same raters), fixed (only these raters matter).",
    ),
]
Weigh = Annotated[
    str, _in(_LABELS, "items (each counts once) or labels (by what an item's labels tell).")
]
PriorSd = Annotated[
    str | None, _in(_LABELS, "How far apart two such classifiers usually are, such as 3%.")
]
Gold = Annotated[
    Path | None, _in(_LABELS, "The truth of some items (item, label): compares right answers.")
]
PilotLabelAccuracy = Annotated[
    float | None, _in(_LABELS, "How often a label is right: compares right answers too.")
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
    positive: options.Positive = None,
    unknown: options.Unknown = "error",
    confidence: options.Confidence = 0.95,
    items: ItemsFile = None,
    texts: Texts = None,
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
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
Error = Annotated[str, _in(_AIM, "Chance of a false stop, over all looks together.")]
WatchMatters = Annotated[str, _in(_AIM, "Stop too when they differ by less, such as 1%.")]
LabelsEach = Annotated[int, _in(_LABELS, "An item counts once it has so many labels.")]
Every = Annotated[
    float | None, typer.Option(help="Look again every so many seconds until labelling can stop.")
]


@app.command("watch")
def watch(
    ratings: options.RatingsPath,
    predictions: options.PredictionsPath,
    pair: Pair = None,
    error: Error = "5%",
    matters: WatchMatters = "0%",
    labels_each: LabelsEach = 1,
    every: Every = None,
    item: options.Item = None,
    rater: options.Rater = None,
    label: options.Label = None,
    positive: options.Positive = None,
    unknown: options.Unknown = "error",
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
) -> None:
    """Can labelling stop? Look at growing files as often as you like."""
    from headcount.budget import watch as look
    from headcount.cli.reading import read_predictions, read_ratings

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

    names = _listed(listed)
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


def _correlated(*given: float | None) -> Any:
    from headcount.budget import Correlated
    from headcount.errors import OptionError

    if all(value is None for value in given):
        return None
    if any(value is None for value in given):
        raise OptionError(
            "the correlated form needs --worse-accuracy, --better-if-worse-wrong and "
            "--better-if-worse-right, all three."
        )
    return Correlated(*(value for value in given if value is not None))


def _noise(
    accuracy: float | None, spread: float, if_better: float | None, if_worse: float | None
) -> Any:
    from headcount.budget import LabelAccuracy, Noise

    if accuracy is None and if_better is None and if_worse is None:
        return None
    found = [
        LabelAccuracy.spread(value, spread) if value is not None and spread else value
        for value in (accuracy, if_better, if_worse)
    ]
    if found[1] is None and found[2] is None:
        return found[0]
    return Noise(found[0], if_better=found[1], if_worse=found[2])


def _two_numbers(listed: str) -> tuple[float, float]:
    from headcount.errors import OptionError

    try:
        up, down = (float(part) for part in listed.split(","))
    except ValueError:
        raise OptionError(
            f"--step takes two numbers, p_plus,p_minus, such as 0.22,0.19; it was {listed!r}."
        ) from None
    return up, down


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _rows(path: Path, columns: int) -> list[tuple[list[str], float]]:
    """The rows of a small CSV of names and, last, a number; its first line is a heading."""
    import csv

    from headcount.errors import InputError

    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            read = list(csv.reader(file))[1:]
        rows = [([name.strip() for name in row[:-1]], float(row[-1])) for row in read if row]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"{path}: the last column holds numbers.") from error
    if not rows or any(len(names) != columns for names, _ in rows):
        raise InputError(f"{path} has {columns} columns of labels and one of shares.")
    return rows


def _label_names(joint: Path | None, confusion: Path | None) -> list[str]:
    """Every label that the two tables name, in the order in which they come."""
    tables = [(joint, 3), (confusion, 2)]
    names = [n for path, k in tables if path is not None for row, _ in _rows(path, k) for n in row]
    return list(dict.fromkeys(names))


def _shares(path: Path, labels: list[str], sides: int) -> Any:
    import numpy as np

    table = np.zeros((len(labels),) * sides)
    for names, share in _rows(path, sides):
        table[tuple(labels.index(name) for name in names)] += share
    return table
