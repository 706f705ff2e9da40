"""Predictions that say the same, by number: what is grouped need not be joined item by item."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.data.afar import DIGITS, MOST_KINDS, cut_note
from headcount.data.column import Column
from headcount.data.groups import without_gaps
from headcount.data.predictions import Predictions
from headcount.door import optional_text_column

Ints = NDArray[np.int64]

_MANY = 1_000_000
_GLANCE = 20_000


def kinds(predictions: Predictions) -> tuple[Ints, Ints]:
    """The kind of each row of the predictions (n,), and a row of each kind.

    Rows of one kind hold the same text for every classifier. Where texts are hardly ever the
    same twice, as exact probabilities are not, each row is a kind of its own.
    """
    n = predictions.n_items
    if any(_hardly_ever_alike(column) for column in predictions.columns.values()):
        return np.arange(n), np.arange(n)
    kind, n_kinds = np.zeros(n, dtype=np.int64), 1
    for column in predictions.columns.values():
        kind, n_kinds = _renumbered(kind * len(column.distinct) + column.codes)
    example = np.empty(n_kinds, dtype=np.int64)
    example[kind] = np.arange(n)
    return kind, example


def to_few_digits(predictions: Predictions) -> Predictions:
    """The same predictions, probabilities cut to a few digits where hardly two are ever alike.

    What is alike is one group, and groups are what costs. A note says how far a probability may
    have moved; what is no probability goes as it is.
    """
    if predictions.n_items <= MOST_KINDS:
        return predictions
    columns = predictions.columns
    if not any(_hardly_ever_alike(each) for each in columns.values()):
        return predictions
    exact = [name for name, column in columns.items() if _is_share(column)]
    for digits in DIGITS:
        cut = {name: _cut(predictions.columns[name], digits) for name in exact}
        table = predictions.table
        for name, texts in cut.items():
            table = table.set_column(table.column_names.index(name), name, texts)
        fewer = replace(predictions, table=table, notes=(*predictions.notes, cut_note(digits)))
        if len(kinds(fewer)[1]) <= MOST_KINDS:
            break
    return fewer


def _is_share(column: Column) -> bool:
    """Whether answers are probabilities, and not all of them 0 or 1: those may be labels."""
    known = column.numbers[~np.isnan(column.numbers)]
    within = bool(len(known)) and float(known.min()) >= 0 and float(known.max()) <= 1
    return within and bool((known != np.floor(known)).any())


def _cut(column: Column, digits: int) -> pa.Array:
    """Probabilities to so many digits, as text."""
    known = ~np.isnan(column.numbers)
    steps = np.full(len(known), 10**digits + 1, dtype=np.int64)  # stands for none
    steps[known] = (column.numbers[known] * 10.0**digits + 0.5).astype(np.int64)
    names = [f"{step / 10**digits:.{digits}f}" for step in range(10**digits + 1)]
    return optional_text_column([*names, None]).cast(pa.large_string()).take(pa.array(steps))


def _hardly_ever_alike(column: Column) -> bool:
    first = column.texts[:_GLANCE]
    return len(column.texts) > _GLANCE and len(pc.unique(first)) > _GLANCE // 4


def _renumbered(kind: Ints) -> tuple[Ints, int]:
    """The same kinds numbered without gaps, and how many there are."""
    most = int(kind.max()) + 1
    if most > _MANY:
        found, kind = np.unique(kind, return_inverse=True)
        return kind.ravel(), len(found)
    return without_gaps(kind, most)
