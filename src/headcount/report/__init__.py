"""An evaluation as one self-contained page that people can read and share.

Loaded on first use: whoever wants the page's look alone does not load the methods.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headcount.report.writing import page_of, render, write

__all__ = ["page_of", "render", "write"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("headcount.report.writing"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
