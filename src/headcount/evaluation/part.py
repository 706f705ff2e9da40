"""A part of an evaluation: its result, or the reason why these data cannot give it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from headcount.errors import MissingExtraError, UnanswerableError

T = TypeVar("T")


@dataclass(frozen=True)
class Unavailable:
    """A part that these data cannot give, and why; false where a result is true.

    >>> part = Unavailable("There is one classifier only.")
    >>> bool(part), part.to_dict()
    (False, {'unavailable': 'There is one classifier only.'})
    """

    reason: str

    def __bool__(self) -> Literal[False]:
        return False

    def to_dict(self) -> dict[str, str]:
        """The reason, where a result would have its numbers."""
        return {"unavailable": self.reason}


def attempt(work: Callable[[], T]) -> T | Unavailable:
    """What `work` gives, or why these data cannot give it, in the words of the error it raised.

    Only "cannot be answered" and "an optional package is missing" are reasons; a wrong option
    or a fault of ours is raised as ever.
    """
    try:
        return work()
    except (UnanswerableError, MissingExtraError) as error:
        return Unavailable(str(error))
