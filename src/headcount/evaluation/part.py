"""A part of an evaluation: its result, or the reason why there is none."""

from collections.abc import Callable, Mapping
from typing import ClassVar, Literal, TypeVar

from headcount.errors import HeadcountError, MissingExtraError, UnanswerableError
from headcount.results import Record, hidden, record

T = TypeVar("T")


@record
class Unavailable(Record):
    """A part that these data cannot give, and why; false where a result is true.

    `failed` tells that not the data are to blame but headcount: the part broke down, the
    reason says how, and the other parts stand. `moot` tells that another part answers the
    question for data such as these, so that nobody misses this one.

    >>> part = Unavailable("There is one classifier only.")
    >>> bool(part), part.to_dict()
    (False, {'unavailable': 'There is one classifier only.'})
    """

    reason: str
    failed: bool = hidden(default=False)
    moot: bool = hidden(default=False)

    named: ClassVar[Mapping[str, str]] = {"reason": "unavailable"}

    def __bool__(self) -> Literal[False]:
        return False


def attempt(work: Callable[[], T]) -> T | Unavailable:
    """What `work` gives, or why there is nothing, in the words of the error it raised.

    A wrong option or unreadable input is raised as ever. Anything that is not an error of
    ours on purpose is a fault in one part, and costs that part alone.
    """
    try:
        return work()
    except (UnanswerableError, MissingExtraError) as error:
        return Unavailable(str(error))
    except (HeadcountError, MemoryError):  # no part is at fault for want of memory
        raise
    except Exception as error:
        said = str(error).strip().splitlines()
        what = f"{type(error).__name__}: {said[0]}" if said else type(error).__name__
        return Unavailable(
            f"This part failed ({what}). That is a fault of headcount and not of your data: the "
            "other parts stand. Please report it with the command that you ran.",
            failed=True,
        )
