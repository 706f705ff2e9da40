"""Numbers as somebody gives them, checked."""

import math
from typing import Any

from headcount.errors import OptionError


def number(name: str, value: Any) -> float:
    """A finite number."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise OptionError(f"{name} is a number; it was {value!r}.") from None
    if isinstance(value, bool) or not math.isfinite(found):
        raise OptionError(f"{name} is a finite number; it was {value!r}.")
    return found


def share(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    found = number(name, value)
    if not 0 <= found <= 1:
        raise OptionError(f"{name} is a share from 0 to 1; it was {found:g}.")
    return found
