"""`headcount plan compare`: how many items and labels pick the better of two classifiers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from headcount.cli import options
from headcount.cli.output import emit
from headcount.cli.plan_shared import AIM, LABELS, TASK, ItemCost, LabelCost, listed, under

if TYPE_CHECKING:
    pass

Accuracy = Annotated[float | None, under(TASK, "Accuracy of the better classifier.")]
Margin = Annotated[float | None, under(TASK, "How much better it is.")]
Disagreement = Annotated[
    float | None,
    under(TASK, "Share of items on which they differ (default: independent errors)."),
]
Categories = Annotated[int, under(TASK, "How many labels there are; wrong ones spread evenly.")]
WorseAccuracy = Annotated[float | None, under(TASK, "Correlated: accuracy of the worse one.")]
BetterIfWorseWrong = Annotated[
    float | None, under(TASK, "Correlated: the better one's accuracy where the worse is wrong.")
]
BetterIfWorseRight = Annotated[
    float | None, under(TASK, "Correlated: the better one's accuracy where the worse is right.")
]
JointFile = Annotated[
    Path | None,
    under(TASK, "CSV of truth, answer of one, answer of the other, share: any number of labels."),
]
StepChances = Annotated[
    str | None, under(TASK, "Only p_plus,p_minus: an item's chances to favour either.")
]
Rivals = Annotated[
    int, under(TASK, "How many rivals the best one is compared with, all so far behind.")
]
LabelAccuracy = Annotated[
    float | None, under(LABELS, "Chance that a single label is right, above guessing.")
]
LabelSpread = Annotated[
    float, under(LABELS, "How much that varies over items, as a standard deviation.")
]
LabelAccuracyIfBetter = Annotated[
    float | None, under(LABELS, "The same on items that only the better one gets right.")
]
LabelAccuracyIfWorse = Annotated[
    float | None, under(LABELS, "The same on items that only the worse one gets right.")
]
LabelConfusion = Annotated[Path | None, under(LABELS, "CSV of truth, label, chance; with --joint.")]
Budget = Annotated[float | None, under(AIM, "What may be spent: highest probability.")]
Target = Annotated[float | None, under(AIM, "Probability to reach: lowest cost.")]
LabelsPerItem = Annotated[
    str | None,
    under(AIM, "Only these numbers of labels an item, such as 1,3,2+1 (a third where two differ)."),
]


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
        labels_per_item=None if labels_per_item is None else listed(labels_per_item),
        costs=Costs(label=label_cost, item=item_cost),
        rivals=rivals,
    )
    emit(result, output, chart)


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
