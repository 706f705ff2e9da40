"""A directory for as long as someone needs it."""

import shutil
import tempfile
import weakref
from pathlib import Path


class Scratch:
    """A temporary directory that goes when its last holder goes, or at exit."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="headcount-"))
        self._cleaner = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
