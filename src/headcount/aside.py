"""Work done aside: in a second process, while this one goes on.

Half of an evaluation needs nothing of the other half, and the files can be read while it is being
loaded. Threads hardly help, because loading and steps on small arrays wait for the interpreter and
not for the processor. A forked process has everything already and hands back what it found.
"""

import os
import pickle
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, Generic, NoReturn, TypeVar

T = TypeVar("T")
_IS_ASIDE = False


def can_work_aside() -> bool:
    """Whether this system can fork a process that goes on, and has a processor for it."""
    if not hasattr(os, "fork") or sys.platform == "darwin":  # Apple's libraries refuse to go on
        return False
    return len(os.sched_getaffinity(0)) > 1 if hasattr(os, "sched_getaffinity") else True


def processors() -> int:
    """How many processors this process has to itself: one where it shares two with another."""
    return 1 if _IS_ASIDE else os.cpu_count() or 1


@contextmanager
def aside(work: Callable[[], T], *, wanted: bool) -> Iterator[Callable[[], T | None]]:
    """Begin `work` in a second process; the function given waits for what it found.

    It gives None where the work is still to be done here: it was not wanted aside, could not be
    begun there, or did not come to its end (whatever was wrong is then told of here). Temporary
    files of the second process stay as long as the block; one that is left early takes the
    process along.

    >>> with aside(lambda: 6 * 7, wanted=False) as found:
    ...     found() is None
    True
    """
    if not wanted:
        yield lambda: None
        return
    # A nameless file: a pipe would hold back what was found until somebody reads it.
    with (
        tempfile.TemporaryDirectory(prefix="headcount-", ignore_cleanup_errors=True) as room,
        tempfile.TemporaryFile() as file,
    ):
        child: _Child[T] = _forked(work, file, room)
        try:
            yield child.found
        finally:
            child.end()


@dataclass
class _Child(Generic[T]):
    """A forked process, None where there was no room for one, and the file that it writes to."""

    pid: int | None
    file: BinaryIO
    told: T | None = None

    def found(self) -> T | None:
        """Wait for what was found; None where the process died before that."""
        if self.pid is not None:
            _, status = os.waitpid(self.pid, 0)
            self.pid = None
            if os.waitstatus_to_exitcode(status) == 0:
                self.file.seek(0)
                self.told = pickle.load(self.file)
        return self.told

    def end(self) -> None:
        """Leave nothing behind."""
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


def _forked(work: Callable[[], Any], file: BinaryIO, room: str) -> "_Child[Any]":
    try:
        with warnings.catch_warnings():
            # Python warns of other threads, whose locks the new process would wait for. Those
            # here are the progress bar's, which it never asks, and the database's, of which it
            # opens its own.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
    except OSError:
        return _Child(None, file)
    if pid == 0:
        _work_to_the_end(work, file, room)
    return _Child(pid, file)


def _work_to_the_end(work: Callable[[], Any], file: BinaryIO, room: str) -> NoReturn:
    """The whole life of the second process: it ends here, and tidies nothing of the first's.

    Nor anything of its own: its temporary files are all in `room`, of which the first takes care.
    """
    global _IS_ASIDE
    _IS_ASIDE, code = True, 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a word
        tempfile.tempdir = room
        pickle.dump(work(), file, protocol=pickle.HIGHEST_PROTOCOL)
        file.flush()
        code = 0
    finally:
        os._exit(code)
