"""Raw answers of classifiers as text: taken apart only as far as asked, and which say the same."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.arrays import Floats, Ints
from headcount.counting import cut_note, size, without_gaps
from headcount.data.labels import as_number
from headcount.door import floats, integers, optional_text_column
from headcount.door.text import is_missing
from headcount.frozen import frozen

if TYPE_CHECKING:
    from headcount.data.predictions import Predictions


@frozen
class RawColumn:
    """A classifier's answers as text, None where a cell is blank."""

    texts: pa.Array

    @cached_property
    def distinct(self) -> list[str | None]:
        """The different texts there are, in the order of their first appearance."""
        found: list[str | None] = self._encoded.dictionary.to_pylist()
        return found

    @cached_property
    def codes(self) -> Ints:
        """Each row's position among the distinct texts."""
        return integers(self._encoded.indices)

    @cached_property
    def numbers(self) -> Floats:
        """Each text as a number: NaN where it is missing, infinite where it is something else."""
        try:
            found = floats(self.texts.cast(pa.float64()))
        except pa.ArrowInvalid:  # a text, or a spelling that Arrow does not know
            found = None
        if found is not None and not np.isinf(found).any():
            return found
        return np.array([_number(text) for text in self.distinct])[self.codes]

    @cached_property
    def all_numbers(self) -> bool:
        """Whether every text that is not missing is a number."""
        if len(self.texts) and _number(self.texts[0].as_py()) == np.inf:
            return False  # a column of labels shows itself at once, however long it is
        return not np.isinf(self.numbers).any()

    def renamed(
        self, mapping: Mapping[str, str], missing: Callable[[str | None], bool]
    ) -> "RawColumn":
        """The same answers, some under other names and some declared to be none."""
        names = [
            None
            if missing(text)
            else mapping.get(text or "", mapping.get((text or "").strip(), text))
            for text in self.distinct
        ]
        return RawColumn(optional_text_column(names).take(pa.array(self.codes)))

    @cached_property
    def _encoded(self) -> pa.DictionaryArray:
        return self.texts.dictionary_encode(null_encoding="encode")


def _number(text: str | None) -> float:
    if text is None or is_missing(text):
        return np.nan
    number = as_number(text.strip())
    return np.inf if number is None else number


# Numbers of kinds up to which a table of all of them is made to close their gaps.
_NUMBERED = 1_000_000


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
    for digits in size.DIGITS:
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
    if n <= size.MOST_KINDS:
        return False
    texts = [column.texts for column in predictions.columns.values()]
    return any(_n_different(texts, rows) > size.MOST_KINDS for rows in (2 * size.MOST_KINDS, n))


def _n_different(columns: Sequence[pa.Array], rows: int) -> int:
    """How many different rows the first ones of some columns are; at least so many, past most."""
    codes = []
    for column in columns:
        encoded = column.slice(0, rows).dictionary_encode(null_encoding="encode")
        if len(encoded.dictionary) > size.MOST_KINDS:
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


def _is_share(column: RawColumn) -> bool:
    """Whether answers are probabilities, and not all of them 0 or 1: those may be labels."""
    known = column.numbers[~np.isnan(column.numbers)]
    within = bool(len(known)) and float(known.min()) >= 0 and float(known.max()) <= 1
    return within and bool((known != np.floor(known)).any())


def _cut(column: RawColumn, digits: int) -> pa.Array:
    """Probabilities to so many digits, as text."""
    known = ~np.isnan(column.numbers)
    steps = np.full(len(known), 10**digits + 1, dtype=np.int64)  # stands for none
    steps[known] = (column.numbers[known] * 10.0**digits + 0.5).astype(np.int64)
    names = [f"{step / 10**digits:.{digits}f}" for step in range(10**digits + 1)]
    return optional_text_column([*names, None]).cast(pa.large_string()).take(pa.array(steps))


def _hardly_ever_alike(column: RawColumn) -> bool:
    first = column.texts[: size.ROWS_SEEN]
    return len(column.texts) > size.ROWS_SEEN and len(pc.unique(first)) > size.ROWS_SEEN // 4


def _renumbered(kind: Ints) -> tuple[Ints, int]:
    """The same kinds numbered without gaps, and how many there are."""
    most = int(kind.max()) + 1
    if most > _NUMBERED:
        found, kind = np.unique(kind, return_inverse=True)
        return kind.ravel(), len(found)
    return without_gaps(kind, most)
