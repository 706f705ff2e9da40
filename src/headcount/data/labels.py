"""The label set: names in order, and what the order means."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError

Scale = Literal["nominal", "ordinal", "numeric"]


@dataclass(frozen=True)
class Labels:
    """The labels in order.

    `scale` says what the order means: nothing ("nominal"), rank ("ordinal", because the
    user gave an order) or distance ("numeric", every label is a number; `values` holds them).
    Numeric labels are ranks too.
    """

    names: tuple[str, ...]
    scale: Scale = "nominal"

    @property
    def n(self) -> int:
        """How many labels there are."""
        return len(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def values(self) -> NDArray[np.float64] | None:
        """The labels as numbers, or None where they are not all numbers."""
        numbers = [as_number(name) for name in self.names]
        if any(number is None for number in numbers):
            return None
        return np.array(numbers, dtype=np.float64)

    @cached_property
    def index(self) -> dict[str, int]:
        """Each label's position."""
        return {name: position for position, name in enumerate(self.names)}

    def positive(self, name: str | None = None) -> int:
        """The position of the positive label: the one named, by default the last."""
        if name is None:
            return len(self.names) - 1
        if name not in self.index:
            raise OptionError(
                f"positive={name!r} is not one of the labels ({self.listing()}): name one of them."
            )
        return self.index[name]

    def listing(self, most: int = 12) -> str:
        """The names for a sentence, cut short when there are many."""
        shown = ", ".join(repr(name) for name in self.names[:most])
        more = len(self.names) - most
        return shown if more <= 0 else f"{shown} and {more} more"

    @classmethod
    def found(cls, seen: Sequence[str]) -> "Labels":
        """Labels seen in data: numbers in numeric order, anything else alphabetically."""
        names = sorted(set(seen))
        numbers = [as_number(name) for name in names]
        if names and all(number is not None for number in numbers):
            ranked = sorted(names, key=lambda name: (as_number(name) or 0.0, name))
            return cls(tuple(ranked), "numeric")
        return cls(tuple(names))


def as_number(text: str) -> float | None:
    """A label as a finite number, or None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None
