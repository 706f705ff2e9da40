"""How good is a classifier when the people it is judged by disagree?

The public names, loaded on first use so that importing headcount stays instant.
"""

import importlib
from typing import TYPE_CHECKING, Any

from headcount._version import __version__

if TYPE_CHECKING:
    from headcount.errors import HeadcountError as HeadcountError
    from headcount.predictions import Predictions as Predictions
    from headcount.ratings import Ratings as Ratings

_HOME = {
    "HeadcountError": "headcount.errors",
    "Predictions": "headcount.predictions",
    "Ratings": "headcount.ratings",
}
__all__ = ["HeadcountError", "Predictions", "Ratings", "__version__"]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'headcount' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
