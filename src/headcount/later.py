"""Libraries that are loaded when they are first asked for something: many runs never need them."""

from importlib import import_module
from typing import Any


class Later:
    """Stands for a library until it is asked for one of its names, and looks that up there.

    >>> later = Later("decimal")
    >>> later.Decimal("0.5") == 0.5
    True
    """

    def __init__(self, library: str) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._library), name)
