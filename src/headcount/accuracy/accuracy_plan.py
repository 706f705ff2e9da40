"""How many items are enough to know an accuracy without gold, and whether those at hand are.

The answer is a simulation of the algebra, so it stands with the algebra and not with the plans
that need nothing but numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy import algebra
from headcount.accuracy.checks import Check, State
from headcount.accuracy.simulation import Setting, errors, most_items
from headcount.arrays import Floats
from headcount.options import AccuracyPlanOptions
from headcount.results import Estimate, Progress, Record, Result, Table, hidden, no_progress, record


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


# Items past which nobody searches on: raters this poor give no estimate at any number.
MOST_ITEMS = 1_000_000

# Simulated evaluations by which the precision of given data is judged.
RUNS = 300

# Numbers that one look at a number of items may draw, some seconds' worth: with hundreds of labels
# a search up to a million items would not end.
_MOST_NUMBERS = 300_000_000


def plan_accuracy(
    *,
    raters: int = AccuracyPlanOptions.raters,
    labels: int = AccuracyPlanOptions.labels,
    kappa: float | None = AccuracyPlanOptions.kappa,
    rater_accuracy: float | None = AccuracyPlanOptions.rater_accuracy,
    half_width: float = AccuracyPlanOptions.half_width,
    confidence: float = AccuracyPlanOptions.confidence,
    system_accuracy: float | Sequence[float] | None = None,
    base_rates: Sequence[float] | str | None = None,
    items: Sequence[int] | None = None,
    simulations: int = AccuracyPlanOptions.simulations,
    seed: int = AccuracyPlanOptions.seed,
    progress: Progress = no_progress,
) -> AccuracyPlan:
    """How many items to rate so that `system_accuracy` is estimated to ± `half_width`.

    Parameters
    ----------
    raters, labels
        Ratings each item gets, and how many labels there are.
    kappa, rater_accuracy
        How good the raters are: their agreement beyond chance 1/N, or how often one is right.
        One of the two.
    half_width, confidence
        The estimate must fall within `half_width` of the truth in a share `confidence` of
        simulated evaluations, for each of the system accuracies.
    system_accuracy
        The accuracies the system may have; by default .1, .3, .5, .7 and .9, as in the paper.
    base_rates
        The share of each label, or "equal"; by default drawn anew in each simulation. Equal ones
        ask for more items than random ones, and the result says which were assumed.
    items
        Ask about these numbers of items only; by default the smallest sufficient number is
        searched for.
    simulations, seed
        Simulated evaluations for each point, and the seed.
    progress
        Wraps the loop over system accuracies, such as a progress bar.

    Returns
    -------
    AccuracyPlan
        ``.items``, the number of items to rate, and ``.points``, everything simulated.

    Notes
    -----
    Each simulation draws base rates, items, ratings of raters who err evenly, and the system's
    answers, and runs the algebraic estimate of `system_accuracy` on them.

    Examples
    --------
    >>> import headcount as hc
    >>> plan = hc.plan_accuracy(kappa=0.55, simulations=400)
    >>> 60 <= plan.items <= 110
    True
    """
    options = AccuracyPlanOptions(
        raters=raters,
        labels=labels,
        kappa=kappa,
        rater_accuracy=rater_accuracy,
        half_width=half_width,
        confidence=confidence,
        system_accuracy=system_accuracy,
        base_rates=base_rates,
        items=items,
        simulations=simulations,
        seed=seed,
    )
    return _planned(options, progress)


def _planned(options: AccuracyPlanOptions, progress: Progress) -> AccuracyPlan:
    quality, n = _rater_accuracy(options), options.labels
    shares = options.shares()
    rates = None if shares is None else np.asarray(shares, dtype=float)
    setting = Setting(
        int(options.raters), n, quality, None if rates is None else rates / rates.sum()
    )
    systems = options.system_accuracies()

    def look(at: int) -> tuple[PlanPoint, ...]:
        steps = progress(systems, total=len(systems), description=f"Simulating {at:,} items")
        return tuple(_point(setting, system, at, options) for system in steps)

    looked = (
        search(look, options.confidence)
        if options.items is None
        else [look(int(number)) for number in sorted(set(options.items))]
    )
    agreement = algebra.agreement_from_accuracy(np.array([quality]), n)
    return AccuracyPlan(
        raters=options.raters,
        labels=n,
        kappa=float(algebra.kappa_from_agreement(agreement, n)[0]),
        rater_accuracy=quality,
        half_width=options.half_width,
        confidence=options.confidence,
        base_rates=None if rates is None else tuple(rates.tolist()),
        simulations=options.simulations,
        seed=options.seed,
        points=tuple(point for tested in looked for point in tested),
    )


def search(
    look: Callable[[int], tuple[PlanPoint, ...]],
    confidence: float,
    *,
    start: int = 25,
    within: int = 50,
    most: int = MOST_ITEMS,
) -> list[tuple[PlanPoint, ...]]:
    """Double the items until they suffice, or are `most`; then close in to one part in `within`.

    All points looked at, in the order of their items.
    """

    def enough(points: tuple[PlanPoint, ...]) -> bool:
        return min(point.within for point in points) >= confidence

    seen = {start: look(start)}
    high = start
    while not enough(seen[high]) and high < most:
        high = min(2 * high, most)
        seen[high] = look(high)
    # Half as many did not suffice, or the search would have stopped there.
    low = high // 2 if high > start else high
    while enough(seen[high]) and high - low > max(1, high // within):
        middle = (low + high) // 2
        seen[middle] = look(middle)
        low, high = (low, middle) if enough(seen[middle]) else (middle, high)
    return [seen[number] for number in sorted(seen)]


def judge_precision(
    accuracy: Estimate,
    *,
    classifier: str,
    setting: Setting,
    items: int,
    half_width: float,
    confidence: float,
    seed: int,
) -> Check:
    """Whether `items` give ± `half_width` for a system like this one.

    Where the bootstrap interval is less than half as wide as asked there is nothing to
    simulate; otherwise the planner says what share of such evaluations come close enough.
    """
    reach = _half(accuracy)
    aim = f"±{half_width:g} at {100 * confidence:g} %"
    if reach is not None and reach < half_width / 2:
        return _enough(
            "holds",
            f"{items:,} items are enough for {aim}: the widest interval reaches ±{reach:.3f}.",
        )
    most = int(min(MOST_ITEMS, most_items(setting, RUNS, _MOST_NUMBERS)))
    if items > most:
        return _enough(
            "unchecked",
            f"With {setting.n_labels:,} labels it takes too long to simulate how near evaluations "
            f"of {items:,} items come to the truth, so whether {aim} is reached was not tried.",
        )
    system = float(accuracy)

    def look(at: int) -> tuple[PlanPoint, ...]:
        off = errors(setting, system, at, runs=RUNS, seed=seed)
        return (point_from_errors(at, system, off, half_width, confidence),)

    share = look(items)[0].within
    said = (
        f"of evaluations like this ({items:,} items, {setting.raters} ratings each, raters right "
        f"in {100 * setting.rater_accuracy:.0f} %, a system as good as {classifier}) come within "
        f"±{half_width:g} of the truth"
    )
    if share >= confidence:
        return _enough("holds", f"{100 * share:.0f} % {said}.")
    tested = search(look, confidence, start=max(2, items), within=8, most=most)
    enough = [points[0].items for points in tested if points[0].within >= confidence]
    advice = (
        f"about {_rounded(min(enough)):,} items would be needed for {aim}"
        if tested[-1][0].within >= confidence
        else f"no number of items up to {tested[-1][0].items:,} gives {aim}"
    )
    return _enough("violated", f"Only {100 * share:.0f} % {said}: {advice}.")


def _point(setting: Setting, system: float, at: int, options: AccuracyPlanOptions) -> PlanPoint:
    off = errors(setting, system, at, runs=int(options.simulations), seed=options.seed)
    return point_from_errors(at, system, off, options.half_width, options.confidence)


def point_from_errors(
    items: int, system: float, off: Floats, half_width: float, confidence: float
) -> PlanPoint:
    """What the errors of many runs say; a run without an estimate is never within."""
    known = off[~np.isnan(off)]
    distances = np.where(np.isnan(off), np.inf, np.abs(off))
    return PlanPoint(
        items=items,
        system_accuracy=system,
        half_width=reach(distances, confidence),
        within=float((distances <= half_width).mean()),
        bias=float(known.mean()) if len(known) else None,
        distances=distances,
    )


def _rater_accuracy(options: AccuracyPlanOptions) -> float:
    if options.rater_accuracy is not None:
        return float(options.rater_accuracy)
    assert options.kappa is not None
    n = options.labels
    agreement = np.array([1 / n + options.kappa * (1 - 1 / n)])
    return min(float(algebra.accuracy_from_agreement(agreement, n)[0]), 1.0)


def _enough(state: State, text: str) -> Check:
    return Check("enough_items", "enough items", "data", state, text)


def _half(accuracy: Estimate) -> float | None:
    if accuracy.low is None or accuracy.high is None:
        return None
    return (accuracy.high - accuracy.low) / 2


def _rounded(items: int) -> int:
    """Up to two digits: the simulation is not more exact than that."""
    unit = int(10 ** max(0, len(str(items)) - 2))
    return -(-items // unit) * unit
