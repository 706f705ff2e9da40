"""Two judges on the same items: whose numbers are nearer to the true scores, and by how much.

What people differ by is the same for both, so the difference of their errors is a mean over items
with its own standard error, much smaller than either error's.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import special

from headcount.results import Estimate, Record, record
from headcount.scores.components import components, true_error
from headcount.scores.people import People, Said
from headcount.scores.sample import Measure, Measured, Sample

Floats = NDArray[np.float64]

_CENSORED = "the worth of one of the two has an open end"


@record
class ScoreComparison(Record):
    """Two judges, first less second, in the reading that worths are reported in.

    `error` is the difference of their mean squared errors against the true score (negative where
    the first is nearer), `worth` that of their worths in raters, undefined where one of them is
    censored; `p_value` is of the errors being the same.
    """

    first: str
    second: str
    error: Estimate
    worth: Estimate
    p_value: float | None


def compared(
    names: tuple[str, str],
    sample: Sample,
    numbers: tuple[Floats, Floats],
    worths: tuple[Estimate, Estimate],
) -> ScoreComparison:
    """The comparison of two judges' numbers (I,) on one sample."""
    found = sample.measured({"both": _both(*numbers)})["both"]
    apart = found.estimate(lambda first, second, **_: first - second)
    spread = found.error(lambda first, second, **_: first - second)
    p_value = None
    if apart.value is not None and spread > 0:
        p_value = float(2 * special.stdtr(found.plan.freedom(), -abs(apart.value) / spread))
    ends = [each for worth in worths for each in (worth.value, worth.low, worth.high)]
    if any(end is None for end in ends):
        worth = Estimate.undefined(_CENSORED)
    else:
        worth = found.estimate(lambda within, first, second: within * (1 / first - 1 / second))
    return ScoreComparison(*names, apart, worth, p_value)


def _both(first: Floats, second: Floats) -> Measure:
    """`within` and the errors of both; what raters share is the same for both and cancels."""

    def measure(people: People, said: Said | None, added: bool) -> Measured:
        del said
        found = components(people, added)
        errors = {
            name: true_error(people, numbers, added)
            for name, numbers in (("first", first), ("second", second))
        }
        return Measured.of({"within": (found.within, found.within_influence), **errors})

    return measure
