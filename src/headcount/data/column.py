"""A column of raw answers, taken apart only as far as somebody asks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.data.labels import as_number
from headcount.door import floats, integers
from headcount.door.missing import is_missing

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Column:
    """Answers as text, None where a cell is blank."""

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
            return floats(self.texts.cast(pa.float64()))
        except pa.ArrowInvalid:  # a text, or a spelling that Arrow does not know
            return np.array([_number(text) for text in self.distinct])[self.codes]

    @cached_property
    def all_numbers(self) -> bool:
        """Whether every text that is not missing is a number."""
        if len(self.texts) and _number(self.texts[0].as_py()) == np.inf:
            return False  # a column of labels shows itself at once, however long it is
        return not np.isinf(self.numbers).any()

    @cached_property
    def _encoded(self) -> pa.DictionaryArray:
        return self.texts.dictionary_encode(null_encoding="encode")


def _number(text: str | None) -> float:
    if text is None or is_missing(text):
        return np.nan
    number = as_number(text)
    return np.inf if number is None else number
