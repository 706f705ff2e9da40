"""Work done aside: in a second process, while this one goes on.

Half of an evaluation needs nothing of the other half. Threads hardly help, because steps on small
arrays wait for the interpreter and not for the processor. A forked process has the data already
and hands back what it found.
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

from headcount.door.database import leave

T = TypeVar("T")


def can_work_aside() -> bool:
    """Whether this system can fork a process that goes on, and has a processor for it."""
    if not hasattr(os, "fork") or sys.platform == "darwin":  # Apple's libraries refuse to go on
        return False
    return len(os.sched_getaffinity(0)) > 1 if hasattr(os, "sched_getaffinity") else True


@contextmanager
def aside(work: Callable[[], T], *, wanted: bool) -> Iterator[Callable[[], T | None]]:
    """Begin `work` in a second process; the function given waits for what it found.

    It gives None where the work is still to be done here: it was not wanted aside, could not be
    begun there, or did not come to its end (whatever was wrong is then told of here). A block
    that is left early takes the second process along.

    >>> with aside(lambda: 6 * 7, wanted=False) as found:
    ...     found() is None
    True
    """
    if not wanted:
        yield lambda: None
        return
    # A nameless file: a pipe would hold back what was found until somebody reads it.
    with tempfile.TemporaryFile() as file:
        child: _Child[T] = _forked(work, file)
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


def _forked(work: Callable[[], Any], file: BinaryIO) -> "_Child[Any]":
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
        _work_to_the_end(work, file)
    return _Child(pid, file)


def _work_to_the_end(work: Callable[[], Any], file: BinaryIO) -> NoReturn:
    """The whole life of the second process: it ends here, and tidies nothing of the first's."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a word
        pickle.dump(work(), file, protocol=pickle.HIGHEST_PROTOCOL)
        file.flush()
        code = 0
    finally:
        try:
            leave()
        finally:
            os._exit(code)
