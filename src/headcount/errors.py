"""What can go wrong, one sentence each: what is wrong, where, and what to do about it."""

from collections.abc import Sequence


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


class UnsureError(InputError):
    """A table may be read in several ways; `remedy` are the options that would most likely do.

    Names of columns, or lists of names and patterns, by the name of the option.
    """

    def __init__(self, sentence: str, **remedy: str | Sequence[str] | None) -> None:
        super().__init__(sentence)
        self.remedy = {option: value for option, value in remedy.items() if value}


class OptionError(HeadcountError, ValueError):
    """An argument has a value it cannot have, or two arguments do not go together."""


class UnanswerableError(HeadcountError):
    """The data are fine but cannot answer this question; the text says what is missing."""


class MissingExtraError(HeadcountError, ImportError):
    """An optional package is needed and not installed; the text names the extra to install."""
