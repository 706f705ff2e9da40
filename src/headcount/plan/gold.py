"""How many items need a true answer to know an accuracy well enough?"""

from collections.abc import Iterable
from typing import ClassVar

from headcount.options.plans import GoldPlanOptions
from headcount.results import Record, Result, Table, record

# Numbers of gold items that are always told of.
NUMBERS = (25, 50, 100, 200, 400, 800, 1600)

# Items to draw from where nobody says how many: so many that gold of none is saved.
_ENDLESS = 10**9


@record
class GoldPoint(Record):
    """So many gold items, drawn at random, would narrow the accuracy to ± `half_width`."""

    items: int
    half_width: float


@record
class GoldPlan(Result):
    """How many gold items narrow an accuracy to the width wished.

    Attributes
    ----------
    accuracy : float
        How often the classifier is right, as guessed.
    half_width, confidence : float
        Half the width of the interval wished, and its confidence.
    ratio : float
        The variance left once ratings sharpen the estimate, over that of gold alone.
    all_items : int or None
        How many items there are to draw from; None: without end.
    items : int
        The gold items needed.
    points : tuple of GoldPoint
        What other numbers would do: `items`, `half_width`.

    Examples
    --------
    >>> plan = plan_gold(accuracy=0.8, half_width=0.05)
    >>> plan.points[0].half_width > plan.points[-1].half_width
    True
    """

    accuracy: float
    half_width: float
    confidence: float
    ratio: float
    all_items: int | None
    items: int
    points: tuple[GoldPoint, ...]

    rows: ClassVar[str] = "points"

    def verdict(self) -> str:
        """One sentence that answers the question."""
        width = f"±{100 * self.half_width:g} points at {100 * self.confidence:g} % confidence"
        about = f"a classifier that is right in about {100 * self.accuracy:g} % of items"
        if self.all_items is not None and self.items > self.all_items:
            return (
                f"For {about}, even gold for all {self.all_items:,} items does not give {width}: "
                f"{self.items:,} would be needed."
            )
        return f"For {about}, {self.items:,} gold items, drawn at random, give {width}."

    def tables(self) -> tuple[Table, ...]:
        """What other numbers of gold items would do."""
        rows = tuple((each.items, f"±{100 * each.half_width:.1f}") for each in self.points)
        return (Table("Gold items and what they give", ("items", "points"), rows, id="points"),)

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        return (
            "Gold items are drawn at random from the items in question, and gold is right.",
            "Gold alone is counted."
            if self.ratio == 1
            else f"The ratings' guess leaves {100 * self.ratio:g} % of the variance of gold alone; "
            "an evaluation with some gold measures that.",
            "Widths are of Wilson's interval for the accuracy guessed; an accuracy nearer to one "
            "half needs more.",
        )


def plan_gold(
    *,
    accuracy: float = GoldPlanOptions.accuracy,
    half_width: float = GoldPlanOptions.half_width,
    confidence: float = GoldPlanOptions.confidence,
    ratio: float = GoldPlanOptions.ratio,
    items: int | None = GoldPlanOptions.items,
) -> GoldPlan:
    """How many items need a true answer so that an accuracy is known to ± `half_width`.

    Parameters
    ----------
    accuracy
        How often the classifier is right, as far as can be guessed; 0.5 is the safe guess.
    half_width, confidence
        Half the width of the interval, and its confidence.
    ratio
        The variance that is left once ratings of all items sharpen the estimate, over that of
        gold alone: 1 for no help. `system_accuracy` with gold measures it.
    items
        How many items there are to draw gold from; by default without end.

    Returns
    -------
    GoldPlan
        ``.items``, and ``.points`` for other numbers of gold items.

    Notes
    -----
    The smallest n for which Wilson's interval of a share `accuracy` of n/r items is at most
    2 · `half_width` wide, with r = `ratio`.

    Examples
    --------
    >>> plan_gold(accuracy=0.8, half_width=0.05).items
    245
    >>> plan_gold(accuracy=0.8, half_width=0.05, ratio=0.5).items
    123
    """
    options = GoldPlanOptions(
        accuracy=accuracy, half_width=half_width, confidence=confidence, ratio=ratio, items=items
    )
    # Plans from numbers load no resampling, but for this one.
    from headcount.sampling.shares import items_for

    needed = items_for(
        options.half_width,
        options.accuracy,
        options.ratio,
        confidence=options.confidence,
        all_items=options.items or _ENDLESS,
    )
    return GoldPlan(
        accuracy=options.accuracy,
        half_width=options.half_width,
        confidence=options.confidence,
        ratio=options.ratio,
        all_items=options.items,
        items=needed,
        points=gold_points(
            {*NUMBERS, needed}, options.accuracy, options.ratio, confidence=options.confidence
        ),
    )


def gold_points(
    numbers: Iterable[int], accuracy: float, ratio: float, *, confidence: float
) -> tuple[GoldPoint, ...]:
    """What numbers of gold items would give for a classifier of this accuracy."""
    from headcount.sampling.shares import half_width

    return tuple(
        GoldPoint(items, half_width(accuracy, items / ratio, confidence=confidence))
        for items in sorted(numbers)
    )
