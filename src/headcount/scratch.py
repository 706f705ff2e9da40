"""Directories for as long as they are needed; what a killed process left goes at the next start."""

import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_PREFIX = "headcount-"
_HELD = ".held"
"""A file that the process which made the directory holds a lock on: the system lets go of it
whenever the process ends, also by kill -9, and process numbers are used again."""


class Scratch:
    """A temporary directory that goes when its last holder goes, or at exit.

    A copy, here or in another process, names the same directory and removes nothing.
    """

    def __init__(self) -> None:
        _tidy(tempfile.gettempdir())
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        weakref.finalize(self, _remove, self.path, _locked(self.path / _HELD, os.O_CREAT))

    def __reduce__(self) -> tuple[Any, ...]:
        return object.__new__, (Scratch,), {"path": self.path}


def held(*scratches: Scratch | None) -> tuple[Scratch, ...]:
    """Those that there are, for whoever needs them to stay."""
    return tuple(each for each in scratches if each is not None)


def literal_path(file: Path, suffix: str) -> tuple[str, Scratch | None]:
    """A path the engine takes literally: one with glob signs in it is reached through a link."""
    location = str(file.resolve())
    if location.isprintable() and not any(sign in location for sign in "*?[]{}"):
        return location, None
    holder = Scratch()
    link = holder.path / f"table{suffix}"
    link.symlink_to(location)
    return str(link), holder


def _remove(path: Path, lock: int | None) -> None:
    shutil.rmtree(path, ignore_errors=True)
    if lock is not None:
        with suppress(OSError):  # who closes every file of a process closes this one too
            os.close(lock)


@cache  # once a process: what is left is left by others
def _tidy(folder: str) -> None:
    """Remove the directories of processes that were killed."""
    with suppress(OSError):
        for held in Path(folder).glob(f"{_PREFIX}*/{_HELD}"):
            lock = _locked(held)
            if lock is not None:
                _remove(held.parent, lock)


def _locked(path: Path, how: int = 0) -> int | None:
    """The file with a lock on it; None where another process has that, or locks are not known."""
    try:
        import fcntl
    except ImportError:  # not on this system: what a killed process leaves stays
        return None
    try:
        file = os.open(path, os.O_RDWR | how, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file
