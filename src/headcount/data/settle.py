"""What each raw answer means once the labels are known: a label, probabilities, or nothing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.data.column import Column
from headcount.data.labels import Labels, as_number
from headcount.data.meaning import plain_number
from headcount.data.predictions import Predictions, RawClassifier
from headcount.door.columns import listing
from headcount.door.missing import is_missing
from headcount.errors import InputError
from headcount.results import count

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_SUM_SLACK = 0.02
"""Probabilities may be rounded; further from one than this they are something else."""


@dataclass(frozen=True)
class Settled:
    """One classifier's answers for every row of the predictions.

    Hard: `codes` (n,), −1 where there is no answer or an unknown one. Soft: `probabilities`
    (n, L), normalised. `answered` marks rows with an answer, `unknown` those outside the
    labels, of which `example` is the first.
    """

    name: str
    answered: Mask
    unknown: Mask
    codes: Ints | None = None
    probabilities: Floats | None = None
    example: str | None = None
    notes: tuple[str, ...] = ()


def settle(predictions: Predictions, raw: RawClassifier, labels: Labels, positive: int) -> Settled:
    """Decide whether a classifier is hard or soft, and check every answer."""
    if raw.whole is None:
        return _by_label(predictions, raw, labels)
    column = predictions.columns[raw.whole]
    if _holds_probabilities(column, labels):
        return _one_number(predictions, raw, labels, positive)
    distinct, codes = column.distinct, column.codes
    known = _label_codes(distinct, labels)
    missing = np.array([is_missing(text) for text in distinct], dtype=bool)
    unknown = (known < 0) & ~missing
    first = int(np.argmax(unknown[codes])) if unknown.any() else None
    return Settled(
        raw.name,
        answered=~missing[codes],
        unknown=unknown[codes],
        codes=known[codes],
        example=None if first is None else distinct[codes[first]],
    )


def _label_codes(distinct: list[str | None], labels: Labels) -> Ints:
    """Each text's label position, −1 where it is none; numbers match by value."""
    numeric = labels.values is not None

    def code(text: str | None) -> int:
        if text is None:
            return -1
        name = text.strip()
        if numeric and name not in labels.index and as_number(name) is not None:
            name = plain_number(name)
        return labels.index.get(name, -1)

    return np.array([code(text) for text in distinct], dtype=np.int64)


def _holds_probabilities(column: Column, labels: Labels) -> bool:
    """A column of numbers, not all of them labels, on a task with two labels.

    Where labels are numbers themselves, whole numbers are labels, known ones or not.
    """
    if labels.n != 2 or not column.all_numbers:
        return False
    there = column.numbers[~np.isnan(column.numbers)]
    if labels.values is None:
        return bool(there.size)
    return not (np.isin(there, labels.values) | (there == np.floor(there))).all()


def _one_number(
    predictions: Predictions, raw: RawClassifier, labels: Labels, positive: int
) -> Settled:
    assert raw.whole is not None
    chance, answered = _numbers(predictions, raw.whole)
    probabilities = np.empty((len(chance), 2))
    probabilities[:, positive] = chance
    probabilities[:, 1 - positive] = 1 - chance
    note = (
        f"{raw.name} is one number an item, taken as the probability of "
        f"{labels.names[positive]!r} (choose with positive=)."
    )
    unknown = np.zeros(len(chance), dtype=bool)
    return Settled(raw.name, answered, unknown, probabilities=probabilities, notes=(note,))


def _by_label(predictions: Predictions, raw: RawClassifier, labels: Labels) -> Settled:
    columns = {_match(label, labels): column for label, column in raw.by_label}
    strangers = [label for label, _ in raw.by_label if _match(label, labels) is None]
    if strangers:
        raise InputError(
            f"{predictions.name}: {raw.name!r} gives a probability for {strangers[0]!r}, which no "
            f"rater used (labels: {labels.listing()}): correct the column name or give order=."
        )
    absent = [name for name in labels.names if name not in columns]
    if absent and not (labels.n == 2 and len(absent) == 1):
        raise InputError(
            f"{predictions.name}: {raw.name!r} has no column for {listing(absent)}: "
            f"add '{raw.name}:{absent[0]}', so that there is one a label."
        )
    numbers = {name: _numbers(predictions, column) for name, column in columns.items()}
    n = predictions.n_items
    probabilities = np.empty((n, labels.n))
    answered = np.logical_or.reduce([mask for _, mask in numbers.values()])
    for name, (values, mask) in numbers.items():
        if (mask != answered).any():
            row = int(np.argmax(mask != answered))
            raise InputError(
                f"{predictions.place(row)}: {raw.name!r} gives a probability for some labels and "
                "leaves others blank: fill in all or none."
            )
        assert name is not None
        probabilities[:, labels.index[name]] = values
    if absent:
        other = labels.index[absent[0]]
        probabilities[:, other] = 1 - probabilities[:, 1 - other]
    notes = _normalise(predictions, raw.name, probabilities, answered)
    return Settled(raw.name, answered, np.zeros(n, bool), probabilities=probabilities, notes=notes)


def _match(label: str, labels: Labels) -> str | None:
    code = int(_label_codes([label], labels)[0])
    return None if code < 0 else labels.names[code]


def _numbers(predictions: Predictions, column: str) -> tuple[Floats, Mask]:
    """A column of probabilities and where there is one; blank stays NaN and unanswered."""
    texts, values = predictions.columns[column].texts, predictions.columns[column].numbers
    missing = np.isnan(values)
    wrong = ~missing & ~((values >= 0) & (values <= 1))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"{predictions.place(row)}, column {column!r}: {texts[row].as_py()!r} is not a "
            "probability: it must be a number from 0 to 1."
        )
    return values, ~missing


def _normalise(
    predictions: Predictions, name: str, probabilities: Floats, answered: Mask
) -> tuple[str, ...]:
    """Scale rounded probabilities to sum to one, in place; stop at those far from it."""
    sums = probabilities.sum(axis=1)
    off = answered & (np.abs(sums - 1) > _SUM_SLACK)
    if off.any():
        row = int(np.argmax(off))
        raise InputError(
            f"{predictions.place(row)}: the probabilities of {name!r} sum to {sums[row]:.4g}, "
            f"not to one ({int(off.sum()):,} such rows): they must add up over the labels."
        )
    rounded = answered & (np.abs(sums - 1) > 1e-6)
    probabilities[answered] /= sums[answered, None]
    if not rounded.any():
        return ()
    return (
        f"The probabilities of {name!r} miss one by rounding in "
        f"{count(int(rounded.sum()), 'row', 'rows')} "
        f"(by {np.abs(sums[rounded] - 1).max():.2g} at most) and were scaled to sum to one.",
    )
