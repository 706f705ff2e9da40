"""The label set: names in order. What the order means is the scale's to say."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.door.text import exact_number, plain_number
from headcount.errors import OptionError
from headcount.frozen import frozen


@frozen
class Labels:
    """The labels in order; `folded` says that upper and lower case are the same.

    Labels that are all numbers have `numbers`, whatever these mean. `ranked` names were
    declared to lie from low to high: their places are their `values`.
    """

    names: tuple[str, ...]
    folded: bool = False
    ranked: bool = False

    @property
    def n(self) -> int:
        """How many labels there are."""
        return len(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def values(self) -> NDArray[np.float64] | None:
        """Where each label lies: its number, or its place from 1 where names are ranked."""
        if self.numbers is None and self.ranked:
            return np.arange(1.0, self.n + 1)
        return self.numbers

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """The labels as numbers, or None where they are not all numbers."""
        numbers = [as_number(name) for name in self.names]
        if any(number is None for number in numbers):
            return None
        return np.array(numbers, dtype=np.float64)

    @cached_property
    def index(self) -> dict[str, int]:
        """Each label's position."""
        return {name: position for position, name in enumerate(self.names)}

    def code(self, text: str | None) -> int:
        """The position of the label that a text means, −1 where it means none."""
        if text is None:
            return -1
        name = text.strip()
        if name in self.index:
            return self.index[name]
        if self.numbers is not None and exact_number(name) is not None:
            return self.index.get(plain_number(name), -1)
        return self._folds.get(name.casefold(), -1) if self.folded else -1

    @cached_property
    def _folds(self) -> dict[str, int]:
        return {name.casefold(): position for name, position in self.index.items()}

    def positive(self, name: str | None = None) -> int:
        """The position of the positive label: the one named, by default the last."""
        if name is None:
            return len(self.names) - 1
        if self.code(name) < 0:
            raise OptionError(
                f"positive={name!r} is not one of the labels ({self.listing()}): name one of them."
            )
        return self.code(name)

    def listing(self, most: int = 12) -> str:
        """The names for a sentence, cut short when there are many."""
        shown = ", ".join(repr(name) for name in self.names[:most])
        more = len(self.names) - most
        return shown if more <= 0 else f"{shown} and {more} more"

    @classmethod
    def found(cls, seen: Sequence[str]) -> "Labels":
        """Labels seen in data: numbers in numeric order, anything else alphabetically."""
        names = sorted(set(seen))
        numbers = {name: exact_number(name) for name in names}
        if names and all(number is not None for number in numbers.values()):
            return cls(tuple(sorted(names, key=lambda name: (numbers[name], name))))
        return cls(tuple(names))


def as_number(text: str) -> float | None:
    """A label as a finite number, or None."""
    number = exact_number(text)
    return None if number is None else float(number)
