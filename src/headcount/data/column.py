"""A column of raw answers, taken apart only as far as somebody asks."""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.data.labels import as_number
from headcount.door import floats, integers, optional_text_column
from headcount.door.text import is_missing
from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen
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
    ) -> "Column":
        """The same answers, some under other names and some declared to be none."""
        names = [
            None
            if missing(text)
            else mapping.get(text or "", mapping.get((text or "").strip(), text))
            for text in self.distinct
        ]
        return Column(optional_text_column(names).take(pa.array(self.codes)))

    @cached_property
    def _encoded(self) -> pa.DictionaryArray:
        return self.texts.dictionary_encode(null_encoding="encode")


def _number(text: str | None) -> float:
    if text is None or is_missing(text):
        return np.nan
    number = as_number(text.strip())
    return np.inf if number is None else number
