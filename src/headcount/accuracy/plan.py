"""How many cases are enough: the planner."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from headcount.accuracy import algebra
from headcount.accuracy.expected import Floats
from headcount.accuracy.plan_result import AccuracyPlan, PlanPoint
from headcount.accuracy.simulation import Setting, errors
from headcount.errors import OptionError
from headcount.results import Progress, no_progress

SYSTEMS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""The system accuracies planned for unless one is expected: those of the paper."""

MOST_CASES = 1_000_000


def plan_accuracy(
    *,
    raters: int = 3,
    categories: int = 5,
    kappa: float | None = None,
    rater_accuracy: float | None = None,
    half_width: float = 0.1,
    confidence: float = 0.9,
    system_accuracy: float | Sequence[float] = SYSTEMS,
    base_rates: Sequence[float] | None = None,
    cases: Sequence[int] | None = None,
    simulations: int = 1000,
    seed: int = 0,
    progress: Progress = no_progress,
) -> AccuracyPlan:
    """How many cases to rate so that `system_accuracy` is estimated to ± `half_width`.

    Say how good the raters are by `kappa` (agreement beyond chance 1/N) or by
    `rater_accuracy`. The estimate must fall within `half_width` of the truth in a share
    `confidence` of simulated evaluations, for each of the system accuracies given. Base rates
    are drawn anew in each simulation unless given. `cases` asks about these numbers of cases
    only; otherwise the smallest sufficient number is searched for.

    >>> plan = plan_accuracy(kappa=0.55, simulations=400)
    >>> 60 <= plan.cases <= 110
    True
    """
    quality = _rater_accuracy(categories, kappa, rater_accuracy)
    setting = Setting(
        _whole("raters", raters, 2), categories, quality, _base_rates(base_rates, categories)
    )
    _within_unit("half_width", half_width)
    _within_unit("confidence", confidence)
    systems = _systems(system_accuracy)
    runs = _whole("simulations", simulations, 10)
    seed = _whole("seed", seed, 0)

    def look(at: int) -> tuple[PlanPoint, ...]:
        steps = progress(systems, total=len(systems), description=f"Simulating {at:,} cases")
        return tuple(
            _point(
                at,
                system,
                errors(setting, system, at, runs=runs, seed=seed),
                half_width,
                confidence,
            )
            for system in steps
        )

    points = (
        search(look, confidence)
        if cases is None
        else [look(_whole("cases", number, 1)) for number in sorted(set(cases))]
    )
    return AccuracyPlan(
        raters=raters,
        categories=categories,
        kappa=_kappa(quality, categories),
        rater_accuracy=quality,
        half_width=half_width,
        confidence=confidence,
        base_rates=None if base_rates is None else tuple(float(rate) for rate in base_rates),
        simulations=runs,
        seed=seed,
        points=tuple(point for tested in points for point in tested),
    )


def search(
    look: Callable[[int], tuple[PlanPoint, ...]],
    confidence: float,
    *,
    start: int = 25,
    within: int = 50,
) -> list[tuple[PlanPoint, ...]]:
    """Double the cases until they suffice, then close in to one part in `within`.

    All points looked at, in the order of their cases.
    """

    def enough(points: tuple[PlanPoint, ...]) -> bool:
        return min(point.within for point in points) >= confidence

    seen = {start: look(start)}
    high = start
    while not enough(seen[high]) and high < MOST_CASES:
        high = min(2 * high, MOST_CASES)
        seen[high] = look(high)
    low = high // 2 if high > start else high
    while enough(seen[high]) and high - low > max(1, high // within):
        middle = (low + high) // 2
        seen[middle] = look(middle)
        low, high = (low, middle) if enough(seen[middle]) else (middle, high)
    return [seen[number] for number in sorted(seen)]


def _point(
    cases: int, system: float, off: Floats, half_width: float, confidence: float
) -> PlanPoint:
    """What the errors of many runs say; a run without an estimate is never within."""
    known = off[~np.isnan(off)]
    distance = np.where(np.isnan(off), np.inf, np.abs(off))
    reach = float(np.quantile(distance, confidence, method="higher"))
    return PlanPoint(
        cases=cases,
        system_accuracy=system,
        half_width=reach if math.isfinite(reach) else None,
        within=float((distance <= half_width).mean()),
        bias=float(known.mean()) if len(known) else None,
    )


def _rater_accuracy(categories: int, kappa: float | None, accuracy: float | None) -> float:
    n = _whole("categories", categories, 2)
    if (kappa is None) == (accuracy is None):
        raise OptionError(
            "Say how good the raters are by kappa= or by rater_accuracy=, one of the two "
            "(--kappa, --rater-accuracy)."
        )
    if kappa is not None:
        if not 0 < kappa <= 1:
            raise OptionError(
                f"kappa lies above 0 (raters better than chance) and up to 1; it was {kappa!r}."
            )
        agreement = np.array([1 / n + kappa * (1 - 1 / n)])
        return min(float(algebra.accuracy_from_agreement(agreement, n)[0]), 1.0)
    assert accuracy is not None
    if not 1 / n < accuracy <= 1:
        raise OptionError(
            f"rater_accuracy lies above chance (1/{n} with {n} categories) and up to 1; "
            f"it was {accuracy!r}."
        )
    return float(accuracy)


def _kappa(accuracy: float, categories: int) -> float:
    agreement = algebra.agreement_from_accuracy(np.array([accuracy]), categories)
    return float(algebra.kappa_from_agreement(agreement, categories)[0])


def _base_rates(rates: Sequence[float] | None, categories: int) -> Floats | None:
    if rates is None:
        return None
    numbers = np.asarray(rates, dtype=float)
    if numbers.shape != (categories,) or not (numbers >= 0).all() or abs(numbers.sum() - 1) > 1e-6:
        raise OptionError(
            f"base_rates holds {categories} shares that sum to 1, one a category; it was {rates!r}."
        )
    normalised: Floats = numbers / numbers.sum()
    return normalised


def _systems(accuracy: float | Sequence[float]) -> tuple[float, ...]:
    given = (accuracy,) if isinstance(accuracy, int | float) else tuple(accuracy)
    if not given or not all(0 <= value <= 1 for value in given):
        raise OptionError(f"system_accuracy lies between 0 and 1; it was {accuracy!r}.")
    return tuple(float(value) for value in given)


def _within_unit(name: str, value: float) -> None:
    if not 0 < value < 1:
        raise OptionError(f"{name} lies between 0 and 1, such as 0.1; it was {value!r}.")


def _whole(name: str, value: int, least: int) -> int:
    if isinstance(value, bool) or value != int(value) or value < least:
        raise OptionError(f"{name} is a whole number of at least {least}; it was {value!r}.")
    return int(value)
