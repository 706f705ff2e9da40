"""The grid of a sweep: axes of exact decimal numbers, one flat numbering of all points."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, Literal

from headcount.errors import OptionError

Form = Literal["independent", "correlated"]
AXES: dict[Form, tuple[str, ...]] = {
    "independent": ("accuracy", "margin", "label_accuracy"),
    "correlated": (
        "worse_accuracy",
        "better_if_worse_wrong",
        "better_if_worse_right",
        "label_accuracy_if_better",
        "label_accuracy_if_worse",
    ),
}
LARGEST = 2**53
"""Points are numbered in double precision on every array module."""


@dataclass(frozen=True)
class SweepGrid:
    """All points of a sweep.

    `axes` holds each parameter's values as fractions, in the order of `AXES[form]`; `labels`
    the odd majorities that are compared with one label, `items` the numbers of items that get
    so many labels (a single-labelled rival has items × labels items). Points are numbered with
    `items` outermost, then `labels`, then the axes, the last one fastest.
    """

    form: Form
    axes: tuple[tuple[Fraction, ...], ...]
    labels: tuple[int, ...]
    items: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters' names."""
        return AXES[self.form]

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths: items, labels, then the axes."""
        return (len(self.items), len(self.labels), *(len(axis) for axis in self.axes))

    @property
    def size(self) -> int:
        """How many points there are, those outside the assumptions included."""
        return prod(self.shape)

    @property
    def fingerprint(self) -> str:
        """Tells one grid from another: a checkpoint belongs to one grid."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe and exact."""
        axes = {
            name: [str(value) for value in axis]
            for name, axis in zip(self.names, self.axes, strict=True)
        }
        return {
            "form": self.form,
            "axes": axes,
            "labels": list(self.labels),
            "items": list(self.items),
        }

    def point(self, index: int) -> "SweepPoint":
        """The point of a number."""
        places = []
        for length in reversed(self.shape):
            index, place = divmod(index, length)
            places.append(place)
        items, labels, *rest = reversed(places)
        values = tuple(axis[place] for axis, place in zip(self.axes, rest, strict=True))
        return SweepPoint(self.form, values, self.labels[labels], self.items[items])


@dataclass(frozen=True)
class SweepPoint:
    """One point: parameter `values` in the order of `AXES[form]`, `labels` and `items`."""

    form: Form
    values: tuple[Fraction, ...]
    labels: int
    items: int

    def only_right(self) -> tuple[Fraction, Fraction]:
        """The shares of items that only the better, and only the worse, classifier gets right."""
        if self.form == "independent":
            accuracy, margin, _ = self.values
            worse = accuracy - margin
            return accuracy * (1 - worse), (1 - accuracy) * worse
        worse, if_wrong, if_right, _, _ = self.values
        return (1 - worse) * if_wrong, worse * (1 - if_right)

    def label_accuracies(self) -> tuple[Fraction, Fraction]:
        """Where only the better, and where only the worse, classifier is right."""
        return self.values[-1 if self.form == "independent" else -2], self.values[-1]

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe."""
        named = zip(AXES[self.form], self.values, strict=True)
        return {
            **{name: float(value) for name, value in named},
            "labels_per_item": self.labels,
            "items": self.items,
        }


def make_grid(
    form: str, axes: dict[str, Any], labels: int | str | Sequence[int], items: Any
) -> SweepGrid:
    """Check what was asked for and number its points."""
    if form not in AXES:
        raise OptionError(f'form is "independent" or "correlated"; it was {form!r}.')
    kind: Form = "independent" if form == "independent" else "correlated"
    needed = AXES[kind]
    missing = [name for name in needed if axes.get(name) is None]
    if missing:
        raise OptionError(f"a sweep of the {form} form needs values for {', '.join(missing)}.")
    stray = [name for name, values in axes.items() if values is not None and name not in needed]
    if stray:
        raise OptionError(
            f"a sweep of the {form} form has no {', '.join(stray)}: its parameters are "
            f"{', '.join(needed)}."
        )
    grid = SweepGrid(
        kind,
        tuple(axis_values(name, axes[name]) for name in needed),
        tuple(_whole("labels", value) for value in axis_values("labels", labels, largest=None)),
        tuple(_whole("items", value) for value in axis_values("items", items, largest=None)),
    )
    for value in grid.labels:
        if value % 2 == 0 or not 3 <= value <= 501:
            raise OptionError(
                f"labels are odd numbers from 3 to 501, to compare with one label; one was {value}."
            )
    if grid.size > LARGEST:
        raise OptionError(f"the grid has {grid.size:.3g} points: a sweep holds at most 2**53.")
    return grid


def axis_values(name: str, values: Any, largest: int | None = 1) -> tuple[Fraction, ...]:
    """Values of one axis: numbers, or text like "0.55:0.95:0.05" (ends included) or "3,5,7".

    Numbers are read as the decimals they print as, so that 0.1 is a tenth.

    >>> [float(value) for value in axis_values("q", "0.6:0.8:0.1")]
    [0.6, 0.7, 0.8]
    """
    if isinstance(values, str):
        parts = [part for text in values.split(",") for part in _range(name, text.strip())]
    else:
        listed = values if isinstance(values, Sequence | range) else _listed(values)
        parts = [_decimal(name, value) for value in listed]
    found = tuple(sorted(set(parts)))
    if not found:
        raise OptionError(f"{name} has no values: give at least one.")
    low, high = found[0], found[-1]
    if low < 0 or (largest is not None and high > largest):
        raise OptionError(f"{name} lies from 0 to {largest or 'any number'}; a value was outside.")
    return found


def _range(name: str, text: str) -> list[Fraction]:
    pieces = [_decimal(name, piece) for piece in text.split(":")]
    if len(pieces) == 1:
        return pieces
    if len(pieces) == 2:
        pieces.append(Fraction(1))
    if len(pieces) != 3 or pieces[2] <= 0 or pieces[1] < pieces[0]:
        raise OptionError(f"{name} is first:last:step with a step above 0; it was {text!r}.")
    first, last, step = pieces
    count = int((last - first) / step)
    if count >= 10**6:
        raise OptionError(f"{name} would have {count + 1:,} values: take a larger step.")
    return [first + step * k for k in range(count + 1)]


def _decimal(name: str, value: Any) -> Fraction:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise OptionError(f"{name} holds numbers; one was {value!r}.") from None


def _whole(name: str, value: Fraction) -> int:
    if value.denominator != 1 or value < 1:
        raise OptionError(f"{name} are whole numbers of at least 1; one was {float(value):g}.")
    return int(value)


def _listed(values: Any) -> list[Any]:
    return list(values) if hasattr(values, "__iter__") else [values]
