"""What plans can be asked for in plain numbers, declared once for commands and calculators."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headcount.errors import OptionError
from headcount.options import Options, option

TASK = "The two classifiers"
LABELS = "The labels"
AIM = "What to reach"
MONEY = "What it costs"


def two_numbers(listed: str) -> tuple[float, float]:
    """What is typed after --step: p_plus,p_minus."""
    try:
        up, down = (float(part) for part in listed.split(","))
    except ValueError:
        raise OptionError(
            f"--step takes two numbers, p_plus,p_minus, such as 0.22,0.19; it was {listed!r}."
        ) from None
    return up, down


def parts_of(text: str) -> list[str]:
    """The parts of a text that are separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


@dataclass(frozen=True, kw_only=True)
class ComparisonPlanOptions(Options):
    """The choices of `plan_comparison`, in plain numbers and small tables."""

    accuracy: float | None = option(
        None, "Accuracy of the better classifier.", panel=TASK, kind=float
    )
    margin: float | None = option(None, "How much better it is.", panel=TASK, kind=float)
    disagreement: float | None = option(
        None,
        "Share of items on which they differ (default: independent errors).",
        panel=TASK,
        kind=float,
    )
    n_labels: int = option(
        2, "How many labels there are; wrong ones spread evenly.", panel=TASK, kind=int
    )
    worse_accuracy: float | None = option(
        None, "Correlated: accuracy of the worse one.", panel=TASK, kind=float
    )
    better_if_worse_wrong: float | None = option(
        None,
        "Correlated: the better one's accuracy where the worse is wrong.",
        panel=TASK,
        kind=float,
    )
    better_if_worse_right: float | None = option(
        None,
        "Correlated: the better one's accuracy where the worse is right.",
        panel=TASK,
        kind=float,
    )
    joint: Any = option(
        None,
        "CSV of truth, answer of one, answer of the other, share: any number of labels.",
        panel=TASK,
        kind=Path,
    )
    step: tuple[float, float] | None = option(
        None,
        "Only p_plus,p_minus: an item's chances to favour either.",
        panel=TASK,
        parse=two_numbers,
    )
    rivals: int = option(
        1,
        "How many rivals the best one is compared with, all so far behind.",
        panel=TASK,
        kind=int,
    )
    label_accuracy: float | None = option(
        None, "Chance that a single label is right, above guessing.", panel=LABELS, kind=float
    )
    label_spread: float = option(
        0.0,
        "How much that varies over items, as a standard deviation.",
        panel=LABELS,
        kind=float,
    )
    label_accuracy_if_better: float | None = option(
        None,
        "The same on items that only the better one gets right.",
        panel=LABELS,
        kind=float,
    )
    label_accuracy_if_worse: float | None = option(
        None,
        "The same on items that only the worse one gets right.",
        panel=LABELS,
        kind=float,
    )
    label_confusion: Any = option(
        None, "CSV of truth, label, chance; with --joint.", panel=LABELS, kind=Path
    )
    budget: float | None = option(
        None, "What may be spent: highest probability.", panel=AIM, kind=float
    )
    target: float | None = option(None, "Probability to reach: lowest cost.", panel=AIM, kind=float)
    labels_per_item: Sequence[str] | None = option(
        None,
        "Only these numbers of labels an item, such as 1,3,2+1 (a third where two differ).",
        panel=AIM,
        parse=parts_of,
    )
    item_cost: float = option(0.0, "What an item costs before any label.", panel=MONEY, kind=float)
    label_cost: float = option(1.0, "What a label costs.", panel=MONEY, kind=float)
