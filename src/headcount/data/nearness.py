"""When two answers count as agreeing: the same name, at most one step apart, or near in number."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.data.scale import Kind, Scale
from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SLACK = 1e-9
"""0.3 − 0.2 is within 0.1, whatever its last binary digit."""


@frozen
class Nearness:
    """What agreeing means on a scale, and how it is said.

    Labels lie at `places` (L,): levels one step apart, numbers where they are. Two answers are
    near if they are at most `tolerance` apart: not at all for names, one step for levels, about
    a tenth of their range for numbers. `values` (L,) are what distances are told in.
    """

    kind: Kind
    places: tuple[float, ...]
    values: tuple[float, ...]
    tolerance: float

    @classmethod
    def of(cls, scale: Scale) -> "Nearness":
        """Of labels on a scale."""
        steps = tuple(float(place) for place in range(len(scale.levels)))
        if scale.kind == "nominal":
            return cls("nominal", steps, steps, 0.0)
        if scale.kind == "ordered":
            return cls("ordered", steps, scale.values, 1.0)
        return cls("numeric", scale.values, scale.values, default_tolerance(scale.places))

    @property
    def has_order(self) -> bool:
        """Whether answers can be near without being the same."""
        return self.kind != "nominal"

    @cached_property
    def credit(self) -> Floats:
        """1 where two labels are near each other, (L, L)."""
        return self.of_places(np.array(self.places))

    @cached_property
    def distance(self) -> Floats:
        """How far apart two labels are, (L, L)."""
        at = np.array(self.values)
        apart: Floats = np.abs(at[:, None] - at[None, :])
        return apart

    def of_places(self, at: Floats) -> Floats:
        """1 for each label that is near answers at places (n,), (n, L); NaN is near none."""
        with np.errstate(invalid="ignore"):
            apart = np.abs(at[:, None] - np.array(self.places))
            near: Floats = (apart <= self.tolerance * (1 + _SLACK)).astype(np.float64)
        return near

    def place_of(self, numbers: Floats) -> Floats:
        """The places of numbers between the labels' values."""
        return np.interp(numbers, self.values, self.places)

    @property
    def within(self) -> str:
        """How near answers are that agree: "within one step"."""
        return "within one step" if self.kind == "ordered" else f"within {self.tolerance:g}"

    @property
    def people(self) -> str:
        """The people counted, as a heading."""
        return f"people {self.within}" if self.has_order else "people who agree"

    @property
    def share(self) -> str:
        """What is counted of them."""
        return f"share of {self.people}"

    @property
    def two_people(self) -> str:
        """The same of two people, as a heading."""
        return f"two people {self.within}" if self.has_order else "two people agree"

    @property
    def unit(self) -> str:
        """What distances are counted in: "steps", or "" where the numbers speak for themselves."""
        return " steps" if self._by_steps else ""

    @property
    def _by_steps(self) -> bool:
        if self.kind != "ordered":
            return False
        return bool((np.diff(self.values) == 1).all())


def default_tolerance(values: Floats) -> float:
    """One for a few whole numbers, else about a tenth of the range, as a round number.

    >>> default_tolerance(np.array([1.0, 5.0, 3.0])), default_tolerance(np.array([-100.0, 100.0]))
    (1.0, 20.0)
    """
    width = float(np.ptp(values)) if len(values) else 0.0
    if width <= 0 or (width <= 10 and bool((values == np.floor(values)).all())):
        return 1.0
    return float(f"{width / 10:.0e}")
