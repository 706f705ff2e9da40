"""How plans say chances and differences, and what they are asked about further labels."""

from headcount.errors import OptionError
from headcount.options.declared import finite_number


def points(share: float) -> str:
    """A share as points: "1 point", "0.35 points", "less than 0.01 points"."""
    number = short(100 * share)
    return f"{number} point" if number == "1" else f"{number} points"


def chance(probability: float) -> str:
    """A probability in per cent; never rounded to certainty or to impossibility."""
    per_cent = 100 * probability
    if per_cent > 99.9:
        return "more than 99.9 %"
    if 0 < per_cent < 0.1:
        return "less than 0.1 %"
    return f"{per_cent:.1f}".rstrip("0").rstrip(".") + " %"


def belief(probability: float) -> str:
    """A probability that is believed: two digits, more than can be kept would be boast.

    >>> belief(0.8666), belief(0.9968), belief(0.004)
    ('87 %', 'more than 99 %', 'less than 1 %')
    """
    if probability > 0.99:
        return "more than 99 %"
    if 0 < probability < 0.01:
        return "less than 1 %"
    return f"{100 * probability:.0f} %"


def short(value: float) -> str:
    """A number with two digits, or a single one after the point past ten."""
    if abs(value) < 0.005:
        return "less than 0.01"
    return (f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}").rstrip("0").rstrip(".")


def more_labels(of: str, more: float) -> float:
    """How many more of `of` (items, ratings) somebody asks about, checked."""
    found = finite_number("more", more)
    if found < 0:
        raise OptionError(f"more is a number of {of} of at least 0; it was {more!r}.")
    return found
