"""What kind of labels these are (names, levels, numbers), how that was told, and what is near."""

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from headcount.arrays import Floats
from headcount.counting import Patterns
from headcount.data.labels import Labels
from headcount.data.order_evidence import Evidence, evidence_of, stays_in_order
from headcount.errors import OptionError
from headcount.frozen import frozen

Kind = Literal["nominal", "ordered", "numeric"]
"""Names of things; a few levels from low to high; numbers."""

# Whole numbers of more levels than this, such as 0 to 100, are numbers rather than levels.
MOST_LEVELS = 11

# With three levels one order in three fits by chance: these need evidence or a declaration.
_FEWEST_LEVELS = 4


@frozen
class Scale:
    """What the labels are.

    Parameters
    ----------
    kind : {"nominal", "ordered", "numeric"}
        Names; levels from low to high; numbers.
    levels : tuple of str
        The labels' names in order. Empty where numbers are too many to be listed.
    values : tuple of float
        Where each level lies: the number that it is, or its place from 1 where the names are
        no numbers in their order. Always ascending.
    reason : str
        How this was decided, for a sentence: "the labels are …, so …".
    """

    kind: Kind
    levels: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    reason: str = ""

    @property
    def has_order(self) -> bool:
        """Whether a label can lie above another."""
        return self.kind != "nominal"

    @cached_property
    def places(self) -> Floats:
        """The values as an array (L,)."""
        return np.array(self.values, dtype=np.float64)

    def sentence(self) -> str:
        """What the labels were taken for, and the option that changes it."""
        others = " or ".join(f"--scale {kind}" for kind in get_args(Kind) if kind != self.kind)
        return f"The labels are taken as {self.kind}: {self.reason} ({others} to change it)."


_LISTED = 4
"""Labels that a sentence lists; of more it says how many there are."""


def labels_in_words(names: Sequence[str], *, in_order: bool) -> str:
    """Labels for a sentence: "1 to 5", "fine, toxic", "12 different ones"."""
    if in_order and len(names) > 1:
        return f"{names[0]} to {names[-1]}"
    return ", ".join(names) if len(names) <= _LISTED else f"{len(names)} different ones"


def checked_kind(scale: str) -> Kind:
    """A kind of labels as the user names it."""
    for kind in get_args(Kind):
        if scale == kind:
            found: Kind = kind
            return found
    raise OptionError(f'scale is "nominal", "ordered" or "numeric", not {scale!r}.')


def declared_scale(labels: Labels, scale: str | None, *, ordered: bool) -> Scale | None:
    """The scale that the user declares by `scale=` or, `ordered`, by `order=`; None if neither."""
    values = _places(labels)
    if scale is not None:
        kind = checked_kind(scale)
        if kind == "numeric" and labels.numbers is None:
            raise OptionError(
                f'scale="numeric" needs labels that are numbers, not {labels.listing()}.'
            )
        if kind == "ordered" and labels.numbers is None and not ordered:
            raise OptionError(
                f'scale="ordered" needs the order of the labels ({labels.listing()}): give it with '
                "order= (--order), from lowest to highest."
            )
        return Scale(kind, labels.names, values, "as scale= says")
    if ordered and labels.n > 2:
        return Scale("ordered", labels.names, values, "their order was given")
    return None


def detected_scale(labels: Labels, patterns: Patterns) -> Scale:
    """The scale that the labels and the disagreements about items speak for.

    Two labels are names, and so are labels that are no numbers. Numbers with decimals, or of
    more than `MOST_LEVELS` levels, are numbers; a few whole ones are levels. Either may be codes
    of names (class 3 of 10), and two things tell: codes begin at 0, and people who take one thing
    for another do not care whether its code is near. So numbers that begin at 1, or lie evenly
    about 0, have an order unless the disagreements contradict it; others only where they speak
    for it.
    """
    values = labels.numbers
    if labels.n < 3 or values is None:
        what = "names" if values is None else "two numbers"
        return Scale("nominal", labels.names, _places(labels), f"they are {what}")
    whole = bool((values == np.floor(values)).all())
    if not whole:
        return Scale("numeric", labels.names, _places(labels), "they are numbers with decimals")
    evidence = evidence_of(patterns, values)
    if labels.n > MOST_LEVELS:
        return _many(labels, evidence)
    return _few(labels, values, evidence, patterns)


def _many(labels: Labels, evidence: Evidence) -> Scale:
    what = f"they are {labels.n} whole numbers"
    if evidence.enough and not evidence.nearer_than_by_chance:
        said = f"{what}, but people who differ are no nearer in them than by chance"
        return Scale("nominal", labels.names, _places(labels), said)
    return Scale("numeric", labels.names, _places(labels), what)


def _few(labels: Labels, values: Floats, evidence: Evidence, patterns: Patterns) -> Scale:
    what = f"they are the whole numbers {labels.names[0]} to {labels.names[-1]}"
    # Codes are counted one by one: 0, 10, 20 are marks, and so are 0, 25, 50.
    in_tens = values[0] == 0 and bool((np.diff(values) % values[1] == 0).all()) and values[1] > 1
    like_marks = values[0] == 1 or values[0] == -values[-1] or in_tens
    if evidence.enough:
        likely = like_marks and labels.n >= _FEWEST_LEVELS
        speaks = evidence.speaks_for_order(clearly=not likely)
        if speaks and not likely:
            speaks = stays_in_order(patterns, values)
        if speaks and (like_marks or labels.n >= _FEWEST_LEVELS):
            said = f"{what}, and people who differ mostly choose neighbouring ones"
            return Scale("ordered", labels.names, _places(labels), said)
        if speaks:
            said = f"{what}, as codes of names are"
        else:
            said = f"{what}, but people who differ do not choose neighbouring ones"
        return Scale("nominal", labels.names, _places(labels), said)
    doubt = "too few items are disagreed on to tell more"
    if like_marks and labels.n >= _FEWEST_LEVELS:
        return Scale("ordered", labels.names, _places(labels), f"{what}, as marks are; {doubt}")
    return Scale("nominal", labels.names, _places(labels), f"{what}, as codes are; {doubt}")


def _places(labels: Labels) -> tuple[float, ...]:
    values = labels.numbers
    if values is not None and (np.diff(values) > 0).all():
        return tuple(values.tolist())
    return tuple(float(place) for place in range(1, labels.n + 1))


def scale_of_numbers(distinct: int) -> Scale:
    """The scale of numbers that are too many to be listed as labels."""
    return Scale("numeric", reason=f"they are {distinct:,} different numbers")


# 0.3 − 0.2 is within 0.1, whatever its last binary digit.
_SLACK = 1e-9


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
