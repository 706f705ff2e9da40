"""What a column looks like, from its first rows: labels, names, dates, texts or numbers."""

import re
from collections.abc import Sequence
from functools import cached_property

from headcount.door.source import LOOK, Source
from headcount.door.text import exact_number, is_missing
from headcount.frozen import frozen

_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}([T ].*)?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}( .*)?|"
    r"[A-Z][a-z]{2} [A-Z][a-z]{2} \d{1,2} .*\d{4}"
)
_NESTED = re.compile(r"\s*[\[{].*[\]}]\s*", re.DOTALL)
_MACHINE = re.compile(
    r"(^|[^a-z])(model|gpt|llm|claude|llama|gemini|mistral|qwen|bert|classifier|predict(ed|ions?)?|"
    r"pred|ai|algorithm|machine|auto|automatic|prob|probability|confidence)([^a-z]|$)",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"(^|[^a-z])(majority|consensus|final|adjudicated|adjudication|aggregated?|mode|mean|median|"
    r"average|avg|agreed|resolved)([^a-z]|$)",
    re.IGNORECASE,
)
_RATER_WORDS = (
    *("rater", "worker", "annotator", "coder", "expert", "judge", "scorer", "user", "reader"),
    *("labeler", "labeller", "physician", "radiologist", "doctor", "reviewer", "human", "person"),
    *("r", "e", "a"),
)


@frozen
class Looks:
    """The values of a column that are not missing, in the first rows of a table."""

    name: str
    values: tuple[str, ...]
    blanks: int = 0

    @classmethod
    def of(cls, source: Source, name: str) -> "Looks":
        """How a column of a table looks."""
        seen = source.seen(name, LOOK)
        values = tuple(v.strip() for v in seen if v is not None and not is_missing(v))
        return cls(name, values, len(seen) - len(values))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The different values."""
        return frozenset(self.values)

    @property
    def numbers(self) -> bool:
        """Whether every value is a number."""
        return bool(self.vocabulary) and all(exact_number(v) is not None for v in self.vocabulary)

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
        return len(self.vocabulary) < len(self.values)

    @property
    def mostly_unique(self) -> bool:
        """Whether values hardly ever come twice: ids, measurements, texts."""
        return len(self.vocabulary) > max(10, len(self.values) / 2)

    @property
    def dates(self) -> bool:
        """Whether every value is a date."""
        return bool(self.vocabulary) and all(_DATE.fullmatch(v) for v in self.vocabulary)

    @property
    def nested(self) -> bool:
        """Whether values are lists or objects written out."""
        return bool(self.vocabulary) and all(_NESTED.fullmatch(v) for v in self.vocabulary)

    @property
    def prose(self) -> bool:
        """Whether values are texts to read."""
        if not self.values:
            return False
        return sum(len(v.split()) > 5 or len(v) > 60 for v in self.vocabulary) > (
            len(self.vocabulary) / 2
        )

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
    def of_machine(self) -> bool:
        """Whether the column's name speaks of a classifier."""
        return bool(_MACHINE.search(self.name))

    @property
    def made_of_others(self) -> bool:
        """Whether the column's name says that it was made of raters' answers."""
        return bool(_MADE.search(self.name))

    @property
    def stem(self) -> str:
        """The name without the number at its end."""
        return self.name.lower().rstrip("_- .0123456789")

    @property
    def of_rater(self) -> bool:
        """Whether the column's name is a word for a rater and a number."""
        return self.stem in _RATER_WORDS and not self.of_machine


def share_vocabulary(columns: Sequence[Looks]) -> list[Looks]:
    """Those of the columns that use the same values as the others do."""
    kept = [column for column in columns if column.why_no_labels is None or column.numbers]
    while True:
        fitting = [column for column in kept if _fits(column, kept)]
        if len(fitting) == len(kept):
            return kept
        kept = fitting


def _fits(column: Looks, among: Sequence[Looks]) -> bool:
    if not column.vocabulary:
        return True
    others = frozenset().union(*(other.vocabulary for other in among if other is not column))
    if len(column.vocabulary & others) * 2 >= len(column.vocabulary):
        return True
    if not column.numbers:
        return False
    known = [float(v) for v in others if exact_number(v) is not None]
    return bool(known) and all(min(known) <= float(v) <= max(known) for v in column.vocabulary)
