"""A directory for as long as someone needs it."""

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any


class Scratch:
    """A temporary directory that goes when its last holder goes, or at exit.

    A copy, here or in another process, names the same directory and removes nothing.
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="headcount-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

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
