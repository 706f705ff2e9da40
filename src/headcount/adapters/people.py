"""What tools hold, as headcount takes it: what people said of each row, and what a model said."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from headcount.data import Predictions, Ratings
from headcount.errors import InputError
from headcount.evaluation import Evaluation, evaluate
from headcount.results import Estimate

MODEL = "model"
"""What the classifier is called where a tool gives it no name."""


def evaluated(said: Sequence[Any], answers: Sequence[Any], **options: Any) -> Evaluation:
    """A model against what people said, row by row; `options` are those of `evaluate`.

    `said` holds for each row how many people gave each label (`{"fine": 3, "toxic": 1}`) or their
    labels (`["fine", "fine", "toxic"]`); `answers` a label, or the chance of each
    (`{"fine": 0.9, "toxic": 0.1}`). `order` and `scale` say what the labels are.
    """
    declared = {name: options.pop(name) for name in ("order", "scale") if name in options}
    return evaluate(people_of(said, **declared), answers_of({MODEL: answers}), **options)


def people_of(said: Sequence[Any], items: Sequence[str] | None = None, **declared: Any) -> Ratings:
    """Ratings of rows, without names of raters; `items` are their ids, else their places."""
    rows = [_counted(each, place) for place, each in enumerate(said)]
    labels = list(declared.get("order") or sorted({label for row in rows for label in row}))
    counts = {label: [row.get(label, 0) for row in rows] for label in labels}
    ids = items or [str(place) for place in range(len(rows))]
    table = pa.table([pa.array(ids), *counts.values()], names=["item", *labels])
    return Ratings.from_counts(table, labels=labels, item="item", **declared)


def _counted(said: Any, place: int) -> dict[str, int]:
    if isinstance(said, Mapping):
        return {str(label): int(number) for label, number in said.items()}
    if isinstance(said, Sequence) and not isinstance(said, str):
        return dict(Counter(str(label) for label in said))
    raise InputError(
        f'Row {place} does not say how many people gave each label, such as {{"fine": 3, '
        f'"toxic": 1}}, or which labels they gave, such as ["fine", "toxic"]: it holds {said!r}.'
    )


def answers_of(
    classifiers: Mapping[str, Sequence[Any]], items: Sequence[str] | None = None
) -> Predictions:
    """What classifiers say of rows: labels, or the chance of each; None where they say nothing."""
    rows = max(map(len, classifiers.values()), default=0)
    columns: dict[str, list[Any]] = {"item": list(items or (str(row) for row in range(rows)))}
    for name, answers in classifiers.items():
        if answers and all(isinstance(each, Mapping) for each in answers):
            for label in sorted({str(label) for each in answers for label in each}):
                columns[f"{name}:{label}"] = [float(each.get(label, 0.0)) for each in answers]
        else:
            columns[name] = [None if each is None else str(each) for each in answers]
    return Predictions.from_frame(pa.table(columns))


def figures(estimates: Mapping[str, Estimate]) -> dict[str, float]:
    """Estimates as tools keep them: a number each for value, low and high, where there is one."""
    found: dict[str, float] = {}
    for name, estimate in estimates.items():
        parts = {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
        found |= {key: float(value) for key, value in parts.items() if value is not None}
    return found
