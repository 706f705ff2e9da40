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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, Generic, NoReturn, TypeVar

from headcount.scratch import Scratch

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
def aside(work: Callable[[], T], *, wanted: bool) -> "Iterator[Aside[T]]":
    """Begin `work` in a second process, where that is `wanted`.

    Temporary files of the second process stay as long as the block; one that is left early takes
    the process along.

    >>> with aside(lambda: 6 * 7, wanted=False) as begun:
    ...     begun.found() is None
    True
    """
    if not wanted:
        yield Aside(None, None)
        return
    # A nameless file: a pipe would hold back what was found until somebody reads it.
    scratch = Scratch()  # stays as long as this block, and goes with it
    with tempfile.TemporaryFile() as file:
        begun: Aside[T] = _forked(work, file, str(scratch.path))
        try:
            yield begun
        finally:
            begun.end()


@dataclass
class Aside(Generic[T]):
    """Work in a forked process, None where there is none, and the file that it writes to."""

    pid: int | None
    file: BinaryIO | None
    told: T | None = None

    def found(self) -> T | None:
        """Wait for what was found.

        None where the work is still to be done here: it was not wanted aside, could not be begun
        there, or did not come to its end (whatever was wrong is then told of here).
        """
        self._look(0)
        return self.told

    @property
    def busy(self) -> bool:
        """Whether the second process is still at work."""
        if self.pid is not None:  # and so on a system that forks, and can look without waiting
            self._look(os.WNOHANG)
        return self.pid is not None

    def end(self) -> None:
        """Leave nothing behind."""
        if self.pid is not None:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)

    def _look(self, how: int) -> None:
        if self.pid is None or self.file is None:
            return
        try:
            ended, status = os.waitpid(self.pid, how)
        except ChildProcessError:  # whoever began us has the system clear such processes away
            ended, status = self.pid, 1
        if ended:
            self.pid = None
            if status == 0:
                self.file.seek(0)
                self.told = pickle.load(self.file)


def _forked(work: Callable[[], Any], file: BinaryIO, room: str) -> "Aside[Any]":
    try:
        with warnings.catch_warnings():
            # Python warns of other threads, whose locks the new process would wait for. Those
            # here are the progress bar's, which it never asks, and the database's, of which it
            # opens its own.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
    except OSError:
        return Aside(None, file)
    if pid == 0:
        _work_to_the_end(work, file, room)
    return Aside(pid, file)


def _work_to_the_end(work: Callable[[], Any], file: BinaryIO, room: str) -> NoReturn:
    """The whole life of the second process: it ends here, and tidies nothing of the first's.

    Nor anything of its own: its temporary files are all in `room`, of which the first takes care.
    """
    global _IS_ASIDE
    _IS_ASIDE, code = True, 1
    try:
        for each in (signal.SIGINT, signal.SIGTERM):  # they end it without a word
            signal.signal(each, signal.SIG_DFL)
        tempfile.tempdir = room
        found = work()  # held to the end: its temporary files are still wanted
        pickle.dump(found, file, protocol=pickle.HIGHEST_PROTOCOL)
        file.flush()
        code = 0
    finally:
        os._exit(code)
