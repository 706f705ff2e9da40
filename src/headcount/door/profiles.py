"""What a column holds, from its first rows: how many values, how often each, and of what kind."""

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.door.arrays import integers, whole
from headcount.door.source import Source
from headcount.door.text import SPACES, exact_number, is_missing, without_zero
from headcount.frozen import frozen

Codes = NDArray[np.int64]

_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}([T ].*)?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}( .*)?|"
    r"[A-Z][a-z]{2} [A-Z][a-z]{2} \d{1,2} .*\d{4}"
)
_NESTED = re.compile(r"\s*[\[{].*[\]}]\s*", re.DOTALL)
TRUTHS = dict.fromkeys(("true", "yes", "1", "y", "t", "1.0"), "true") | dict.fromkeys(
    ("false", "no", "0", "n", "f", "0.0"), "false"
)
"""Words for yes and for no."""
_LONGEST_LABEL = 60
"""A value longer than this, or of more than five words, is a text to read and not an answer."""


@frozen(eq=False)
class Profile:
    """The values of a column that are not missing, in the first rows of a table.

    `codes` (rows,) say which of the different values, `vocabulary`, stands in each row, −1 for
    none.
    """

    name: str
    vocabulary: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, source: Source, name: str) -> "Profile":
        """What a column of a table holds; looked at once a table."""
        known: dict[str, Profile] = source.__dict__.setdefault("_profiles", {})
        if name not in known:
            position = source.position(name)
            coded = whole(source.glance.column(position)).dictionary_encode()
            texts = coded.dictionary.to_pylist()
            if source.holds_floats(position):
                texts = [without_zero(text) for text in texts]
            rows = integers(coded.indices, missing=len(texts))
            known[name] = cls._coded(name, [*texts, None], rows)
        return known[name]

    @classmethod
    def of_values(cls, name: str, values: Sequence[str | None]) -> "Profile":
        """The same of values in a list."""
        return cls._coded(name, values, np.arange(len(values)))

    @classmethod
    def _coded(cls, name: str, texts: Sequence[str | None], rows: Codes) -> "Profile":
        known: dict[str, int] = {}
        places = np.array(
            [
                -1
                if text is None or is_missing(text)
                else known.setdefault(_bare(text), len(known))
                for text in texts
            ],
            dtype=np.int64,
        )
        return cls(name, tuple(known), places[rows] if len(places) else np.array([], np.int64))

    @cached_property
    def times(self) -> Codes:
        """How often each of the different values comes."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.vocabulary))

    @property
    def filled(self) -> int:
        """In how many rows there is a value."""
        return int(self.times.sum())

    @property
    def blanks(self) -> int:
        """In how many rows there is none."""
        return len(self.codes) - self.filled

    @cached_property
    def numbers(self) -> bool:
        """Whether every value is a number."""
        return bool(self.vocabulary) and all(exact_number(v) is not None for v in self.vocabulary)

    @cached_property
    def decimals(self) -> bool:
        """Whether every value is a number, and some lie between whole ones."""
        return self.numbers and any(float(v) % 1 for v in self.vocabulary)

    @property
    def values(self) -> NDArray[np.float64]:
        """The number in each row (rows,), NaN where there is none; of a column of numbers."""
        return np.array([*map(float, self.vocabulary), np.nan])[self.codes]

    @property
    def counts(self) -> bool:
        """Whether every cell is a whole number of at least nought."""
        return (
            bool(self.vocabulary)
            and not self.blanks
            and all(v.isascii() and v.isdigit() for v in self.vocabulary)
        )

    @property
    def repeats(self) -> bool:
        """Whether some value comes twice."""
        return len(self.vocabulary) < self.filled

    @property
    def names_rows(self) -> bool:
        """Whether every row has a value of its own."""
        return bool(self.vocabulary) and not self.blanks and not self.repeats

    @property
    def mostly_unique(self) -> bool:
        """Whether values hardly ever come twice: ids, measurements, texts."""
        return len(self.vocabulary) > max(10, self.filled / 2)

    @cached_property
    def dates(self) -> bool:
        """Whether every value is a date."""
        return bool(self.vocabulary) and all(_DATE.fullmatch(v) for v in self.vocabulary)

    @cached_property
    def nested(self) -> bool:
        """Whether values are lists or objects written out."""
        return bool(self.vocabulary) and all(_NESTED.fullmatch(v) for v in self.vocabulary)

    @cached_property
    def prose(self) -> bool:
        """Whether values are texts to read."""
        long = sum(len(v.split()) > 5 or len(v) > _LONGEST_LABEL for v in self.vocabulary)
        return long > len(self.vocabulary) / 2

    @property
    def why_no_labels(self) -> str | None:
        """Why these are hardly labels, or None where they may be."""
        if self.nested:
            return "holds lists or objects"
        if self.dates:
            return "holds dates"
        if self.prose:
            return "holds texts"
        return "is different in almost every row" if self.mostly_unique else None

    @property
    def constant(self) -> bool:
        """Whether every row that has a value has the same short one."""
        return len(self.vocabulary) == 1 and self.why_no_labels is None

    @property
    def may_be_labels(self) -> bool:
        """Whether these may be answers: a small vocabulary, or numbers."""
        return len(self.vocabulary) > 1 and (
            self.why_no_labels is None or (self.numbers and not self.names_rows)
        )


def _bare(text: str) -> str:
    return text.strip(SPACES).strip()


def share_vocabulary(columns: Sequence[Profile]) -> list[Profile]:
    """Those of the columns that use the same values as the others do."""
    kept = [column for column in columns if column.why_no_labels is None or column.numbers]
    while True:
        fitting = [column for column in kept if _fits(column, kept)]
        if len(fitting) == len(kept):
            return kept
        kept = fitting


def meant(columns: Sequence[Profile]) -> list[tuple[str, ...]]:
    """The values of each column as they compare with the others': Yes and YES are one."""
    folded = [tuple(value.casefold() for value in column.vocabulary) for column in columns]
    if all(value in TRUTHS for values in folded for value in values):
        return [tuple(TRUTHS[value] for value in values) for values in folded]
    return folded


def _fits(column: Profile, among: Sequence[Profile]) -> bool:
    if not column.vocabulary:
        return True
    rest = [other for other in among if other is not column]
    own, *theirs = meant([column, *rest])
    if sum(value in frozenset().union(*theirs) for value in own) * 2 >= len(own):
        return True
    if not column.numbers:
        return False
    others = frozenset().union(*(other.vocabulary for other in rest))
    known = [float(v) for v in others if exact_number(v) is not None]
    return bool(known) and all(min(known) <= float(v) <= max(known) for v in column.vocabulary)
