"""Are there enough cases for the precision wanted? Asked of the planner's simulation."""

import numpy as np

from headcount.accuracy.expected import Floats
from headcount.accuracy.parts import Check
from headcount.accuracy.plan import search
from headcount.accuracy.plan_result import PlanPoint
from headcount.accuracy.simulation import Setting, errors
from headcount.results import Estimate

RUNS = 300
NAME = "enough cases"


def judge_precision(
    accuracy: Estimate,
    *,
    classifier: str,
    setting: Setting,
    cases: int,
    half_width: float,
    confidence: float,
    seed: int,
) -> Check:
    """Whether `cases` give ± `half_width` for a system like this one.

    Where the bootstrap interval is less than half as wide as asked there is nothing to
    simulate; otherwise the planner says what share of such evaluations come close enough.
    """
    if accuracy.value is None:
        return Check(NAME, "data", "unchecked", "There is no estimate whose precision to judge.")
    reach = _half(accuracy)
    aim = f"±{half_width:g} at {100 * confidence:g} %"
    if reach is not None and reach < half_width / 2:
        return Check(
            NAME,
            "data",
            "holds",
            f"{cases:,} cases are enough for {aim}: the widest interval reaches ±{reach:.3f}.",
        )
    system = accuracy.value

    def look(at: int) -> tuple[PlanPoint, ...]:
        off = errors(setting, system, at, runs=RUNS, seed=seed)
        return (PlanPoint(at, system, None, _within(off, half_width), None),)

    share = look(cases)[0].within
    said = (
        f"of evaluations like this ({cases:,} cases, {setting.raters} ratings each, raters right "
        f"in {100 * setting.rater_accuracy:.0f} %, a system as good as {classifier}) come within "
        f"±{half_width:g} of the truth"
    )
    if share >= confidence:
        return Check(NAME, "data", "holds", f"{100 * share:.0f} % {said}.")
    tested = search(look, confidence, start=max(2, cases), within=8)
    needed = tested[-1][0].cases if tested[-1][0].within >= confidence else None
    enough = [points[0].cases for points in tested if points[0].within >= confidence]
    advice = (
        f"about {_rounded(min(enough)):,} cases would be needed for {aim}"
        if needed is not None
        else f"no number of cases up to {tested[-1][0].cases:,} gives {aim}"
    )
    return Check(NAME, "data", "violated", f"Only {100 * share:.0f} % {said}: {advice}.")


def _within(off: Floats, half_width: float) -> float:
    return float((np.abs(np.where(np.isnan(off), np.inf, off)) <= half_width).mean())


def _half(accuracy: Estimate) -> float | None:
    if accuracy.low is None or accuracy.high is None:
        return None
    return (accuracy.high - accuracy.low) / 2


def _rounded(cases: int) -> int:
    """Up to two digits: the simulation is not more exact than that."""
    unit = int(10 ** max(0, len(str(cases)) - 2))
    return -(-cases // unit) * unit
