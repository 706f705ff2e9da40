"""How much one server takes on (sizes, numbers, memory, time), and how it says no to the rest."""

import os

from headcount.errors import HeadcountError
from headcount.frozen import frozen

GIB = 1 << 30
MIB = 1 << 20
_FORM = MIB


def _half_the_cores() -> int:
    return max(1, (os.cpu_count() or 2) // 2)


def three_quarters_of_memory() -> int:
    """Bytes of memory that an evaluation may take where nothing else is said."""
    try:
        have = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on this system
        return 8 * GIB
    return max(GIB, 3 * have // 4)


@frozen
class Limits:
    """What is refused beyond these, each in a sentence.

    `upload` are the bytes of one file, three times as many those of all files of a study,
    `unpacked` those that a packed one may become,
    `uploads_at_once` how many requests may send files at the same time. `memory` in bytes and
    `seconds` bound one evaluation; `jobs` run at once, `waiting` more are kept in a queue.
    `studies` is how many a folder may hold.
    """

    upload: int = GIB
    unpacked: int = 4 * GIB
    uploads_at_once: int = 8
    memory: int = 0
    seconds: float = 3600.0
    jobs: int = 0
    waiting: int = 20
    studies: int = 10_000
    form: int = _FORM

    @property
    def memory_in_use(self) -> int:
        """Bytes of memory for one evaluation."""
        return self.memory or three_quarters_of_memory()

    @property
    def jobs_at_once(self) -> int:
        """Evaluations that run at the same time."""
        return self.jobs or _half_the_cores()

    @property
    def body(self) -> int:
        """The most bytes that a request with files may have: three large ones and the form."""
        return 3 * self.upload + self.form


def size_text(size: float) -> str:
    """A number of bytes for people.

    >>> size_text(1 << 30), size_text(2_500_000), size_text(900)
    ('1 GB', '2.4 MB', '900 bytes')
    """
    for unit, name in ((GIB, "GB"), (MIB, "MB"), (1 << 10, "kB")):
        if size >= unit:
            return f"{size / unit:.1f}".removesuffix(".0") + f" {name}"
    return f"{size:.0f} bytes"


class RefusedError(HeadcountError):
    """A request that is not answered, with the status and the sentence that say so."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def not_there(what: str) -> RefusedError:
    """Nothing of this name is here."""
    return RefusedError(404, f"There is no such {what} here: it may have been deleted.")
