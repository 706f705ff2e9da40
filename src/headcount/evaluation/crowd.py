"""What people say of classifiers: in the data, in samples of items, and without each rater.

Every number here is a function of sums over items, so samples cost a product with the groups of
items that are alike, and leaving a rater out costs one more table of counts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.weighted import pair_credit
from headcount.data import Judged, Study, group_rows
from headcount.results import Estimate
from headcount.stats import Bootstrap, Plan, Samples, estimate_from_draws, resample
from headcount.stats.people import interval
from headcount.stats.scales import ScaleName

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Statistic = Callable[[Ints, Ints, NDArray[np.integer]], Mapping[str, Floats]]
"""Of label counts (G, L) of the items in `rows` (G,), drawn `times` (b, G): arrays (b, …)."""


@dataclass(frozen=True, eq=False)
class Measured:
    """A statistic of the data (…), in samples of items (B, …), and without each rater (J, …)."""

    value: Floats
    draws: Floats
    without: Floats | None

    def at(self, *place: Any) -> "Measured":
        """One entry of it."""
        rows = (slice(None), *place)
        left = None if self.without is None else self.without[rows]
        return Measured(np.asarray(self.value[place]), self.draws[rows], left)

    def less(self, other: "Measured") -> "Measured":
        """The difference, paired: same items, same raters."""
        left = None
        if self.without is not None and other.without is not None:
            left = self.without - other.without
        return Measured(self.value - other.value, self.draws - other.draws, left)

    def estimate(
        self,
        samples: Plan,
        confidence: float,
        *,
        scale: ScaleName = "share",
        undefined: str = "there is no item to count",
    ) -> Estimate:
        """A single number with its interval."""
        value = float(self.value)
        if samples.counts_raters and len(self.draws):
            return interval(
                value,
                self.draws,
                self.without,
                plan=samples,
                confidence=confidence,
                scale=scale,
                undefined=undefined,
            )
        tail = Bootstrap(confidence=confidence).tail(samples.units)
        found = estimate_from_draws(value, self.draws, tail, undefined=undefined)
        if found.value is None or found.low is None or found.high is None:
            return found
        low, high = min(found.low, found.value), max(found.high, found.value)
        return replace(found, low=low, high=high)


@dataclass(frozen=True, eq=False)
class Crowd:
    """The judged items, a row each, who rated them, and how samples of them are drawn."""

    study: Study
    samples: Samples
    plan: Bootstrap

    @classmethod
    def of(cls, study: Study, plan: Bootstrap, *, two_way: bool | None = None) -> "Crowd":
        """The crowd of a study."""
        return cls(study, study.sampled(two_way=two_way), plan)

    @property
    def judged(self) -> Judged:
        """The items, a row each."""
        return self.study.judged

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return tuple(each.name for each in self.judged.classifiers)

    @cached_property
    def answers(self) -> Ints:
        """The label that each classifier decides for, (n, C); −1 is none of the labels."""
        return np.column_stack([each.top() for each in self.judged.classifiers])

    @cached_property
    def plan_of_samples(self) -> Plan:
        """What is counted as a sample, with the number of judged items."""
        return replace(self.samples.plan, items=max(self.judged.n_items, 1))

    def measure(self, statistic: Statistic, *keys: Ints) -> dict[str, Measured]:
        """A statistic of the data, of samples and without each rater.

        `keys` (n,) or (n, d) are what it reads of items beside counts and answers: items alike
        in everything are one group.
        """
        counts = self.judged.counts
        groups = group_rows(counts, self.answers, *keys)
        once = statistic(counts[groups.first], groups.first, groups.size[None, :])
        drawn = resample(
            self.plan,
            groups.size,
            lambda times: statistic(counts[groups.first], groups.first, times),
            clusters=self.samples.clusters_of(groups.of_row),
        )
        rows, ones = np.arange(len(counts)), np.ones((1, len(counts)), dtype=np.int64)
        left = [statistic(each, rows, ones) for each in self.samples.without(counts)]
        return {
            name: Measured(
                np.asarray(once[name][0], dtype=np.float64),
                np.asarray(drawn[name], dtype=np.float64),
                np.stack([each[name][0] for each in left]) if left else None,
            )
            for name in once
        }

    @cached_property
    def agreeing(self) -> dict[str, Measured]:
        """Shares of people: "agree" with each classifier (C,); on items that two people rated,
        "judge" the same (C,) and "people" how often two of them agree.
        """
        answers, same = self.answers, np.eye(len(self.judged.labels.names))

        def statistic(counts: Ints, rows: Ints, times: NDArray[np.integer]) -> Mapping[str, Floats]:
            share, size = agreeing_shares(counts, answers[rows])
            paired = size > 1
            pairs = np.where(paired, np.nan_to_num(pair_credit(counts, same)), 0.0)
            drawn = times.astype(np.float64)
            rated, both = drawn @ (size > 0), drawn @ paired
            return {
                "agree": ratio(drawn @ share, rated[:, None]),
                "judge": ratio(drawn @ (share * paired[:, None]), both[:, None]),
                "people": ratio(drawn @ pairs, both),
            }

        return self.measure(statistic)


def agreeing_shares(counts: Ints, answers: Ints) -> tuple[Floats, Ints]:
    """The share of each item's ratings (G, L) that equal each answer (G, C), and their number."""
    size = counts.sum(axis=1)
    said = np.take_along_axis(counts, np.maximum(answers, 0), axis=1)
    share = np.where(answers >= 0, said, 0) / np.maximum(size, 1)[:, None]
    return share, size


def ratio(above: Floats, below: Floats) -> Floats:
    """Above over below, NaN where there is nothing below."""
    above, below = np.broadcast_arrays(above, below)
    out = np.full(above.shape, np.nan)
    return np.asarray(np.divide(above, below, out=out, where=below > 0))
