"""What can go wrong, one sentence each: what is wrong, where, and what to do about it."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias


class HeadcountError(Exception):
    """Base of every error that headcount raises on purpose; its text is one readable sentence.

    Examples
    --------
    >>> import headcount as hc
    >>> try:
    ...     hc.agreement("nowhere.csv")
    ... except hc.HeadcountError as error:
    ...     print(error)
    nowhere.csv ...
    """


class InputError(HeadcountError):
    """A file, a table or a value in it cannot be used as it is."""


Remedy: TypeAlias = Mapping[str, str | Sequence[str] | None]
"""Names of columns, or lists of names and patterns, by the name of the option."""


class UnsureError(InputError):
    """A table may be read in several ways; `readings` are those that were tried and passed.

    `remedy` is the likeliest of them, empty where there is none.
    """

    def __init__(self, sentence: str, *readings: Remedy) -> None:
        super().__init__(sentence)
        self.readings = [{name: value for name, value in r.items() if value} for r in readings]
        self.remedy = self.readings[0] if self.readings else {}


class OptionError(HeadcountError, ValueError):
    """An argument has a value it cannot have, or two arguments do not go together."""


class UnanswerableError(HeadcountError):
    """The data are fine but cannot answer this question; the text says what is missing."""


class MissingExtraError(HeadcountError, ImportError):
    """An optional package is needed and not installed; the text names the extra to install."""
