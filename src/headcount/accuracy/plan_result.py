"""What the planner answers."""

from dataclasses import dataclass
from typing import Any

from headcount.results import Result, Table


@dataclass(frozen=True)
class PlanPoint:
    """Many simulated evaluations with this many cases of a system of this accuracy.

    `within` is the share that fell within the half-width asked for, `half_width` the distance
    that the asked share stayed within (None where too many gave no estimate at all), `bias`
    the mean error.
    """

    cases: int
    system_accuracy: float
    half_width: float | None
    within: float
    bias: float | None


@dataclass(frozen=True)
class AccuracyPlan(Result):
    """How many cases are enough to estimate a system's accuracy from fallible raters.

    `points` is the table of everything simulated, by cases and system accuracy.
    """

    raters: int
    categories: int
    kappa: float
    rater_accuracy: float
    half_width: float
    confidence: float
    base_rates: tuple[float, ...] | None
    simulations: int
    seed: int
    points: tuple[PlanPoint, ...]

    @property
    def cases(self) -> int | None:
        """The fewest cases simulated from which on all suffice, or None where none do."""
        enough: int | None = None
        for number in sorted({point.cases for point in self.points}, reverse=True):
            if self._worst(number).within < self.confidence:
                break
            enough = number
        return enough

    def verdict(self) -> str:
        """One sentence that answers the question."""
        asked = (
            f"{self.raters} raters at kappa {self.kappa:.2f} (each right in "
            f"{100 * self.rater_accuracy:.0f} % of cases) on {self.categories} categories"
        )
        aim = f"±{self.half_width:g} in {100 * self.confidence:g} % of evaluations"
        if self.cases is None:
            most = max(point.cases for point in self.points)
            return f"With {asked}, even {most:,} cases do not give {aim}."
        return f"With {asked}, rate {self.cases:,} cases for {aim}."

    def tables(self) -> tuple[Table, ...]:
        """How close the estimate comes, by number of cases."""
        rows = []
        for number in sorted({point.cases for point in self.points}):
            worst = self._worst(number)
            rows.append((number, worst.within, worst.half_width, worst.system_accuracy, worst.bias))
        return (
            Table(
                "How close the estimate comes",
                (
                    "cases",
                    f"share within ±{self.half_width:g}",
                    f"± at {100 * self.confidence:g} %",
                    "hardest system accuracy",
                    "bias there",
                ),
                tuple(rows),
                caption=f"{self.simulations:,} simulated evaluations for each number of cases and "
                f"system accuracy ({', '.join(f'{value:g}' for value in self._systems())}); "
                "the row shows the system accuracy that is hardest to estimate.",
            ),
        )

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        rates = "drawn at random in each simulation" if self.base_rates is None else "as given"
        return (
            "Raters are equally accurate, err evenly and independently, and all cases are equally "
            "hard; where that fails the estimate is biased, and more cases do not help.",
            f"Base rates are {rates}; every case has {self.raters} ratings.",
            "Distance is to the accuracy the system would have on endless cases, not on those "
            "in the sample.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """How exact the simulation is."""
        error = (self.confidence * (1 - self.confidence) / self.simulations) ** 0.5
        return (
            f"Simulated with seed {self.seed}: a share near {self.confidence:g} has a standard "
            f"error of {error:.3f}, so the number of cases is good to a few in a hundred.",
        )

    def columns(self) -> dict[str, list[Any]]:
        """The points as columns."""
        names = ("cases", "system_accuracy", "half_width", "within", "bias")
        return {name: [getattr(point, name) for point in self.points] for name in names}

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON-safe values; `table` holds every point simulated."""
        names = ("raters", "categories", "kappa", "rater_accuracy", "half_width", "confidence")
        columns = self.columns()
        return {
            **{name: getattr(self, name) for name in names},
            "base_rates": None if self.base_rates is None else list(self.base_rates),
            "cases": self.cases,
            "simulations": self.simulations,
            "seed": self.seed,
            "table": [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ],
        }

    def _systems(self) -> list[float]:
        return sorted({point.system_accuracy for point in self.points})

    def _worst(self, cases: int) -> PlanPoint:
        """The point of that number of cases with the smallest share within."""
        return min(
            (point for point in self.points if point.cases == cases), key=lambda each: each.within
        )
