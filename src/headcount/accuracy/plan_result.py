"""What the planner answers."""

from dataclasses import replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from headcount.results import Record, Result, Table, hidden, record


@record
class PlanPoint(Record):
    """Many simulated evaluations with this many items of a system of this accuracy.

    `within` is the share that fell within the half-width asked for, `half_width` the distance
    that the asked share stayed within (None where too many gave no estimate at all), `bias`
    the mean error; `distances` are those of all the runs.
    """

    items: int
    system_accuracy: float
    half_width: float | None
    within: float
    bias: float | None
    distances: NDArray[np.float64] = hidden()

    def at_confidence(self, confidence: float) -> Self:
        """The same runs with the distance that another share stays within."""
        return replace(self, half_width=reach(self.distances, confidence))


def reach(distances: NDArray[np.float64], confidence: float) -> float | None:
    """The distance that a share `confidence` of the runs stays within; None where it is endless."""
    found = float(np.quantile(distances, confidence, method="higher"))
    return found if np.isfinite(found) else None


@record
class AccuracyPlan(Result):
    """How many items are enough to estimate a system's accuracy from fallible raters.

    Attributes
    ----------
    raters, labels : int
        How many there are.
    kappa : float
        How much the raters agree beyond chance.
    rater_accuracy : float
        How often each is then right.
    half_width, confidence : float
        What is to be reached: the estimate within so much of the truth, so often.
    base_rates : tuple of float or None
        How common labels are; None where they were drawn at random.
    simulations, seed : int
        Simulated evaluations for each point, and their seed.
    points : tuple of PlanPoint
        Everything simulated, by items and system accuracy.

    Examples
    --------
    >>> import headcount as hc
    >>> plan = hc.plan_accuracy(kappa=0.55, simulations=50)
    >>> plan.points[0].items < plan.points[-1].items
    True
    """

    raters: int
    labels: int
    kappa: float
    rater_accuracy: float
    half_width: float
    confidence: float
    base_rates: tuple[float, ...] | None
    simulations: int
    seed: int
    points: tuple[PlanPoint, ...]

    also: ClassVar[tuple[str, ...]] = ("items",)
    rows: ClassVar[str] = "points"

    @property
    def items(self) -> int | None:
        """The fewest items simulated from which on all suffice, or None where none do."""
        enough: int | None = None
        for number in sorted({point.items for point in self.points}, reverse=True):
            if self._worst(number).within < self.confidence:
                break
            enough = number
        return enough

    def verdict(self) -> str:
        """One sentence that answers the question."""
        asked = (
            f"{self.raters} raters at kappa {self.kappa:.2f} (each right in "
            f"{100 * self.rater_accuracy:.0f} % of items) on {self.labels} labels with "
            f"{self._rates()}"
        )
        aim = f"±{self.half_width:g} in {100 * self.confidence:g} % of evaluations"
        if self.items is None:
            most = max(point.items for point in self.points)
            return f"With {asked}, even {most:,} items do not give {aim}."
        return f"With {asked}, rate {self.items:,} items for {aim}."

    def tables(self) -> tuple[Table, ...]:
        """How close the estimate comes, by number of items."""
        rows = []
        for number in sorted({point.items for point in self.points}):
            worst = self._worst(number)
            rows.append((number, worst.within, worst.half_width, worst.system_accuracy, worst.bias))
        systems = sorted({point.system_accuracy for point in self.points})
        return (
            Table(
                "How close the estimate comes",
                (
                    "items",
                    f"share within ±{self.half_width:g}",
                    f"± at {100 * self.confidence:g} %",
                    "hardest system accuracy",
                    "bias there",
                ),
                tuple(rows),
                caption=f"{self.simulations:,} simulated evaluations for each number of items and "
                f"system accuracy ({', '.join(f'{value:g}' for value in systems)}); "
                "the row shows the system accuracy that is hardest to estimate.",
                id="closeness",
            ),
        )

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        rates = (
            "drawn at random in each simulation (equal ones ask for more items: with three raters "
            'and five labels 618 instead of 203 at kappa .3, 94 instead of 80 at .55; base_rates="'
            'equal" plans for them)'
            if self.base_rates is None
            else self._rates().removesuffix(" base rates").removeprefix("base rates ")
        )
        return (
            "Raters are equally accurate, err evenly and independently, and all items are equally "
            "hard; where that fails the estimate is biased, and more items do not help.",
            f"Base rates are {rates}; every item has {self.raters} ratings.",
            "Distance is to the accuracy the system would have on endless items, not on those "
            "in the sample.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """How exact the simulation is."""
        error = (self.confidence * (1 - self.confidence) / self.simulations) ** 0.5
        return (
            f"Simulated with seed {self.seed}: a share near {self.confidence:g} has a standard "
            f"error of {error:.3f}, so the number of items is good to a few in a hundred.",
        )

    def _rates(self) -> str:
        """The base rates assumed, in words."""
        if self.base_rates is None:
            return "random base rates"
        if max(self.base_rates) - min(self.base_rates) < 1e-9:
            return "equal base rates"
        return "base rates " + ", ".join(f"{rate:g}" for rate in self.base_rates)

    def _worst(self, items: int) -> PlanPoint:
        """The point of that number of items with the smallest share within."""
        return min(
            (point for point in self.points if point.items == items), key=lambda each: each.within
        )
