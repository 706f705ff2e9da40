"""A directory for as long as someone needs it."""

import shutil
import tempfile
import weakref
from pathlib import Path


class Scratch:
    """A temporary directory that goes when its last holder goes, or at exit.

    Handed to another process, it goes with its holder there.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or Path(tempfile.mkdtemp(prefix="headcount-"))
        self._cleaner = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def __reduce__(self) -> tuple[type["Scratch"], tuple[Path]]:
        self._cleaner.detach()
        return Scratch, (self.path,)


def literal_path(file: Path, suffix: str) -> tuple[str, Scratch | None]:
    """A path the engine takes literally: one with glob signs in it is reached through a link."""
    location = str(file.resolve())
    if location.isprintable() and not any(sign in location for sign in "*?[]{}"):
        return location, None
    holder = Scratch()
    link = holder.path / f"table{suffix}"
    link.symlink_to(location)
    return str(link), holder
