"""One table of numbers as a sample: of items, or their clusters, and of raters where they count."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.sampling.delta import Smooth
from headcount.sampling.samples import Plan
from headcount.scores.components import NOTHING
from headcount.scores.people import People, Said

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen(eq=False)
class Measured:
    """Named numbers `value` (p,) of a table, and what each of its I items adds to them (I, p).

    What items add averages to nought; a number that the table does not tell is NaN.
    """

    names: tuple[str, ...]
    value: Floats
    influence: Floats

    @classmethod
    def of(cls, numbers: Mapping[str, tuple[float, Floats]]) -> "Measured":
        """From numbers by name, each with what the items add to it."""
        return cls(
            tuple(numbers),
            np.array([value for value, _ in numbers.values()]),
            np.column_stack([added for _, added in numbers.values()]),
        )


Measure = Callable[[People, Said | None, bool], Measured]
"""Numbers of a table; the last argument says whether what items add is wanted too."""


@frozen(eq=False)
class Sample:
    """People's numbers, and what is taken as a sample in them.

    `said` holds the ratings one by one, None where only sums are known; `cluster` (I,) is the
    cluster of each item; `groups` (m,) the group that each rater is left out with.
    """

    people: People
    said: Said | None
    plan: Plan
    cluster: Ints | None = None
    groups: Ints | None = None
    confidence: float = 0.95

    def measured(self, measures: Mapping[str, Measure]) -> dict[str, Smooth]:
        """Each measure of the table, with how its numbers vary over what is a sample.

        The tables without each rater are gone through once for all measures.
        """
        whole = {name: measure(self.people, self.said, True) for name, measure in measures.items()}
        without: dict[str, list[Floats]] = {name: [] for name in measures}
        if self.plan.counts_raters and self.said is not None and self.groups is not None:
            for left in self.said.without(self.groups):
                people = left.people()
                for name, measure in measures.items():
                    without[name].append(measure(people, left, False).value)
        return {
            name: Smooth.of(
                found.names,
                found.value,
                found.influence,
                plan=self.plan,
                cluster=self.cluster,
                without=np.array(without[name]) if without[name] else None,
                confidence=self.confidence,
            )
            for name, found in whole.items()
        }


def mean_over(values: Floats, weight: Floats, added: bool = True) -> tuple[float, Floats]:
    """A mean over items with weights (I,), and what each item adds to it (I,), centred.

    Items without weight add nothing; NaN where there is no weight at all. Without `added` only the
    mean is worked out.

    >>> mean_over(np.array([1.0, 3.0, 9.0]), np.array([1.0, 1.0, 0.0]))
    (2.0, array([-1.5,  1.5,  0. ]))
    """
    total = float(weight.sum())
    if total <= 0:
        return np.nan, np.zeros(len(values))
    held = np.where(weight > 0, values, 0.0)
    mean = float(weight @ held) / total
    if not added:
        return mean, NOTHING
    return mean, np.where(weight > 0, held - mean, 0.0) * weight * (len(values) / total)
