"""A comparison asked for in plain numbers and small tables, as commands and calculators do."""

import csv
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.errors import InputError, OptionError
from headcount.frozen import frozen
from headcount.options.plans import ComparisonPlanOptions
from headcount.plan.comparison import Correlated, plan_comparison
from headcount.plan.comparison_result import ComparisonPlan
from headcount.plan.label_accuracy import LabelAccuracy, Noise
from headcount.plan.labelling import Costs


@frozen
class SharesTable:
    """A small table as text: names of labels and, last, a number; its first line is a heading."""

    name: str
    text: str

    def rows(self, sides: int) -> list[tuple[list[str], float]]:
        """The labels of each row, `sides` of them, and the number."""
        read = list(csv.reader(io.StringIO(self.text)))[1:]
        try:
            rows = [([name.strip() for name in row[:-1]], float(row[-1])) for row in read if row]
        except ValueError as error:
            raise InputError(f"{self.name}: the last column holds numbers.") from error
        if not rows or any(len(names) != sides for names, _ in rows):
            raise InputError(f"{self.name} has {sides} columns of labels and one of shares.")
        return rows

    def shares(self, labels: list[str], sides: int) -> NDArray[np.float64]:
        """The numbers by the places of their labels; rows of the same labels add up."""
        table = np.zeros((len(labels),) * sides)
        for names, share in self.rows(sides):
            table[tuple(labels.index(name) for name in names)] += share
        return table


def plan_from_numbers(
    options: ComparisonPlanOptions,
    *,
    joint: SharesTable | None = None,
    label_confusion: SharesTable | None = None,
) -> ComparisonPlan:
    """`plan_comparison` of what was asked; the tables in place of the files that options name."""
    tables = [(joint, 3), (label_confusion, 2)]
    names = [n for table, k in tables if table for row, _ in table.rows(k) for n in row]
    labels = list(dict.fromkeys(names))
    return plan_comparison(
        accuracy=options.accuracy,
        margin=options.margin,
        disagreement=options.disagreement,
        n_labels=options.n_labels,
        joint=joint.shares(labels, 3) if joint else _correlated(options),
        step=options.step,
        label_accuracy=_noise(options),
        label_confusion=label_confusion.shares(labels, 2) if label_confusion else None,
        budget=options.budget,
        target=options.target,
        labels_per_item=options.labels_per_item,
        costs=Costs(label=options.label_cost, item=options.item_cost),
        rivals=options.rivals,
    )


def _correlated(options: ComparisonPlanOptions) -> Any:
    given = (
        options.worse_accuracy,
        options.better_if_worse_wrong,
        options.better_if_worse_right,
    )
    if all(value is None for value in given):
        return None
    if any(value is None for value in given):
        raise OptionError(
            "the correlated form needs --worse-accuracy, --better-if-worse-wrong and "
            "--better-if-worse-right, all three."
        )
    return Correlated(*(value for value in given if value is not None))


def _noise(options: ComparisonPlanOptions) -> Any:
    spread = options.label_spread
    given = (
        options.label_accuracy,
        options.label_accuracy_if_better,
        options.label_accuracy_if_worse,
    )
    found = [
        LabelAccuracy.spread(value, spread) if value is not None and spread else value
        for value in given
    ]
    if all(value is None for value in found):
        return None
    if found[1] is None and found[2] is None:
        return found[0]
    return Noise(found[0], if_better=found[1], if_worse=found[2])
