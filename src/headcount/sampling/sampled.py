"""A number with all that is known of how it would vary, between a method and its interval.

A method works a statistic out of weighted groups of items. `sampled` hands it the data, bootstrap
samples of items (or whole clusters) and the tables without each rater, and what comes back is one
`Sampled`: from it follow the interval, at any confidence, paired differences and their p-values,
slices and the influence of single raters. There is no second road to an interval.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.arrays import Floats
from headcount.frozen import frozen
from headcount.results import Estimate, Progress, no_progress
from headcount.sampling.differences import Difference, differences, spread_of, tail_beyond
from headcount.sampling.intervals import Tail, estimate_from_draws
from headcount.sampling.people import interval
from headcount.sampling.recentred import recentred
from headcount.sampling.resampling import Bootstrap, Statistic, resample
from headcount.sampling.samples import Plan
from headcount.sampling.scales import ScaleName


@frozen(eq=False)
class Sampled:
    """A statistic of the data, `value` (…), and how it varies.

    `draws` (B, …) are its values in bootstrap samples of items, `without` (J, …) without each
    rater or group of raters (None where raters are not left out), `samples` says what is taken as
    a sample. NaN is undefined, ±∞ beyond every limit.

    >>> rng = np.random.default_rng(0)
    >>> share = Sampled(np.array(0.7), rng.normal(0.7, 0.01, 500), None, Plan(1000))
    >>> print(share.estimate(0.95))
    0.700 (0.680 to 0.720)
    """

    value: Floats
    draws: Floats
    without: Floats | None
    samples: Plan

    @classmethod
    def side_by_side(cls, each: Sequence["Sampled"]) -> "Sampled":
        """Several numbers (…) of the same samples as one, (…, C)."""
        left = [one.without for one in each if one.without is not None]
        return cls(
            np.stack([one.value for one in each], axis=-1),
            np.stack([one.draws for one in each], axis=-1),
            np.stack(left, axis=-1) if len(left) == len(each) else None,
            each[0].samples,
        )

    def at(self, *place: Any) -> "Sampled":
        """One entry of it, or some of them."""
        rows = (slice(None), *place)
        left = None if self.without is None else self.without[rows]
        return Sampled(np.asarray(self.value[place]), self.draws[rows], left, self.samples)

    def through(self, function: Callable[..., ArrayLike], *others: "Sampled") -> "Sampled":
        """A function of these numbers, of the same samples of `others` too, as numbers of its own.

        `function` takes arrays (…), each with an axis of samples in front, and keeps that axis.
        """
        every = (self, *others)
        left = [each.without for each in every if each.without is not None]
        return Sampled(
            np.asarray(function(*(each.value[None] for each in every)), dtype=np.float64)[0],
            np.asarray(function(*(each.draws for each in every)), dtype=np.float64),
            np.asarray(function(*left), dtype=np.float64) if len(left) == len(every) else None,
            self.samples,
        )

    def less(self, other: "Sampled") -> "Sampled":
        """The difference, paired: the same items, the same raters."""
        return self.through(_less, other)

    def estimate(
        self,
        confidence: float,
        *,
        scale: ScaleName = "share",
        undefined: str = "there is no item to count",
        floor: float | None = None,
        ceiling: float | None = None,
    ) -> Estimate:
        """A single number with its interval, by the one rule for all of them.

        Where raters are taken as a sample, by `people.interval` on `scale`; where items alone
        are, by expanded percentiles of the draws.
        """
        if self._counts_raters:
            return self.on_scale(
                confidence, scale=scale, undefined=undefined, floor=floor, ceiling=ceiling
            )
        return estimate_from_draws(
            float(self.value),
            self.draws,
            Tail(confidence, self.samples.units),
            undefined=undefined,
            floor=floor,
            ceiling=ceiling,
        )

    def on_scale(
        self,
        confidence: float,
        *,
        scale: ScaleName = "plain",
        freedom: float | None = None,
        undefined: str = "there is no value for these data",
        floor: float | None = None,
        ceiling: float | None = None,
    ) -> Estimate:
        """A single number with the interval of its standard error, symmetric on `scale`.

        Also where items alone are a sample: for parts so small that few draws lie in the tails.
        """
        return interval(
            float(self.value),
            self.draws,
            self.without,
            plan=self.samples,
            confidence=confidence,
            scale=scale,
            freedom=freedom,
            floor=floor,
            ceiling=ceiling,
            undefined=undefined,
        )

    def among(self, units: int) -> "Sampled":
        """The same where only so many items, or clusters of them, have a say in it."""
        plan = self.samples
        return replace(self, samples=replace(plan, clusters=max(units, 1)))

    def difference(
        self, confidence: float, *, undefined: str = "one of the two has no value"
    ) -> tuple[Estimate, float | None]:
        """A number that is a difference: its interval, and its p-value if there were none.

        Where many are compared the quantiles lie far out, so that the degrees of freedom are
        those of `people.guarded_freedom`.
        """
        spread, freedom = self.spread
        estimate = self.on_scale(confidence, freedom=freedom, undefined=undefined)
        tail = tail_beyond(abs(float(self.value)), spread, freedom)
        return estimate, None if tail is None else min(2 * tail, 1.0)

    def pairs(self, confidence: float, *, undefined: str) -> tuple[Difference, ...]:
        """Every pair of the entries (C,) compared, p-values adjusted for all of them."""
        return differences(
            self.value,
            self.draws,
            self.without,
            plan=self.samples,
            confidence=confidence,
            undefined=undefined,
        )

    @cached_property
    def spread(self) -> tuple[float, float]:
        """The standard error of a difference and its degrees of freedom."""
        return spread_of(self.draws, self.without, self.samples)

    @property
    def _counts_raters(self) -> bool:
        return self.samples.counts_raters and self.without is not None and len(self.draws) > 0


def sampled(
    statistic: Statistic,
    sizes: NDArray[np.integer],
    *,
    plan: Bootstrap,
    samples: Plan,
    clusters: Any = None,
    without: Iterable[Mapping[str, ArrayLike]] = (),
    part: Mapping[str, ArrayLike] | None = None,
    width: int | None = None,
    at_once: int | None = None,
    progress: Progress = no_progress,
    description: str = "Bootstrap samples",
) -> dict[str, Sampled]:
    """A statistic of weighted groups of items, as named numbers that know how they vary.

    Parameters
    ----------
    statistic
        Is handed how often each group is drawn in a batch of samples, (b, G), and answers with
        named arrays (b, …).
    sizes
        (G,) how many items each group holds.
    plan, samples
        How samples are drawn, and what is taken as one.
    clusters
        (C, G) how many items of each group a cluster holds, where whole clusters are drawn.
    without
        The same names without each rater or group of raters in turn, (1, …) each.
    part
        The same names, (1, …), on the part of the items on which raters are left out, everyone
        there: what is found there is moved to the whole's value (`recentred`).
    width, at_once, progress, description
        As for `resample`.

    Examples
    --------
    >>> share = lambda times: {"share": times[:, 0] / times.sum(axis=1)}
    >>> found = sampled(share, np.array([30, 70]), plan=Bootstrap(200), samples=Plan(100))
    >>> print(found["share"].estimate(0.95))
    0.300 (0.200 to 0.400)
    """
    once = statistic(np.asarray(sizes, dtype=np.int64)[None])
    drawn = resample(
        plan,
        sizes,
        statistic,
        width=width,
        **({} if at_once is None else {"at_once": at_once}),
        clusters=clusters,
        progress=progress,
        description=description,
    )
    tables = list(without)
    found = {}
    for name, each in once.items():
        value = np.asarray(each[0], dtype=np.float64)
        left = None
        if tables:
            left = np.concatenate([np.asarray(table[name], dtype=np.float64) for table in tables])
            if part is not None:
                left = recentred(left, np.asarray(part[name])[0], value)
        found[name] = Sampled(value, np.asarray(drawn[name], dtype=np.float64), left, samples)
    return found


def _less(one: Floats, other: Floats) -> Floats:
    """The difference; of two numbers beyond every limit there is none, and nothing is said."""
    with np.errstate(invalid="ignore"):
        difference: Floats = one - other
    return difference
