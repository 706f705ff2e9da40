"""Predictions that say the same, by number: what is grouped need not be joined item by item."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.data.afar import DIGITS, MOST_KINDS, cut_note
from headcount.data.column import Column
from headcount.data.groups import without_gaps
from headcount.door import integers, optional_text_column

if TYPE_CHECKING:
    from headcount.data.predictions import Predictions

Ints = NDArray[np.int64]

_MANY = 1_000_000
_GLANCE = 20_000


def kinds(predictions: "Predictions") -> tuple[Ints, Ints]:
    """The kind of each row of the predictions (n,), and a row of each kind.

    Rows of one kind hold the same text for every classifier. Where texts are hardly ever the
    same twice, as exact probabilities are not, each row is a kind of its own.
    """
    n = predictions.n_items
    columns = predictions.columns.values()
    if any(_hardly_ever_alike(column) for column in columns):
        return np.arange(n), np.arange(n)
    kind, n_kinds = _combined((column.codes, len(column.distinct)) for column in columns)
    example = np.empty(n_kinds, dtype=np.int64)
    example[kind] = np.arange(n)
    return kind, example


def to_few_digits(predictions: "Predictions") -> "Predictions":
    """The same predictions, probabilities cut to a few digits where different answers are many.

    What is alike is one group, and groups are what costs. A note says how far a probability may
    have moved; what is no probability goes as it is.
    """
    if predictions.afar is not None or not _are_many(predictions):
        return predictions
    exact = [name for name, column in predictions.columns.items() if _is_share(column)]
    if not exact:
        return predictions
    for digits in DIGITS:
        table = predictions.table
        for name in exact:
            texts = _cut(predictions.columns[name], digits)
            table = table.set_column(table.column_names.index(name), name, texts)
        fewer = replace(predictions, table=table, notes=(*predictions.notes, cut_note(digits)))
        if not _are_many(fewer):
            break
    return fewer


def _are_many(predictions: "Predictions") -> bool:
    """Whether there are more than `MOST_KINDS` different rows of answers.

    The first rows nearly always tell, where there are.
    """
    n = predictions.n_items
    if n <= MOST_KINDS:
        return False
    texts = [column.texts for column in predictions.columns.values()]
    return any(_n_different(texts, rows) > MOST_KINDS for rows in (2 * MOST_KINDS, n))


def _n_different(columns: Sequence[pa.Array], rows: int) -> int:
    """How many different rows the first ones of some columns are; at least so many, past most."""
    codes = []
    for column in columns:
        encoded = column.slice(0, rows).dictionary_encode(null_encoding="encode")
        if len(encoded.dictionary) > MOST_KINDS:
            return len(encoded.dictionary)
        codes.append((integers(encoded.indices), len(encoded.dictionary)))
    return _combined(codes)[1]


def _combined(columns: Iterable[tuple[Ints, int]]) -> tuple[Ints, int]:
    """Rows of codes numbered without gaps, equal ones alike, and how many different ones."""
    kind: Ints = np.zeros(1, dtype=np.int64)
    n_kinds = 1
    for codes, n_codes in columns:
        kind, n_kinds = _renumbered(kind * n_codes + codes)
    return kind, n_kinds


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
