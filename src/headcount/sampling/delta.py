"""Means over items and smooth functions of them, with standard errors that need no resampling.

Where a statistic is a smooth function of a few means over items, what each item adds to them
(its influence) gives their covariance in one pass, whole clusters at a time; what they would be
without each rater gives the part over raters. Everything computed from them follows by the delta
method: v = ∇fᵀ Σ ∇f.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.sampling.people import interval_from_error
from headcount.sampling.samples import Plan
from headcount.sampling.scales import ScaleName

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_STEP = 1e-4
"""The step of a numerical derivative, as a share of the standard error."""

_FEW = 4
"""Numbers whose third moments are kept."""


def covariance_over_items(influence: Floats, cluster: Ints | None = None) -> Floats:
    """The covariance (p, p) of means over items, from what each item adds to them.

    `influence` (n, p) averages to nought: θ̂ − θ is about its mean in fresh data. Items of one
    `cluster` (n,) are taken together.

    >>> covariance_over_items(np.array([[1.0], [-1.0], [2.0], [-2.0]])).round(4).tolist()
    [[0.8333]]
    """
    n, sums = len(influence), _by_unit(influence, cluster)
    units = len(sums)
    return np.asarray(sums.T @ sums / n**2 * units / max(units - 1, 1))


def third_over_items(influence: Floats, cluster: Ints | None = None) -> Floats:
    """The third central moments (p, p, p) of means over items, which tell how lopsided they are."""
    sums = _by_unit(influence, cluster)
    return (
        np.asarray(np.einsum("ui,uj,uk->ijk", sums, sums, sums, optimize=True))
        / len(influence) ** 3
    )


def _by_unit(influence: Floats, cluster: Ints | None) -> Floats:
    """What each unit, an item or a whole cluster, adds (u, p)."""
    if cluster is None:
        return influence
    units = int(cluster.max(initial=-1)) + 1
    return np.column_stack(
        [np.bincount(cluster, weights=each, minlength=units) for each in influence.T]
    )


def covariance_over_raters(without: Floats) -> Floats:
    """The covariance (p, p) over raters, from the values (J, p) without each of them.

    The same sum of squares as `people.rater_variance`, and so the same caution with few raters.
    A value that is undefined (NaN) without a rater has no say.
    """
    known = ~np.isnan(without)
    mean = np.where(known, without, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    around = np.where(known, without - mean, 0.0)
    return np.asarray(around.T @ around)


@frozen(eq=False)
class Smooth:
    """Named numbers `value` (p,) that vary together with `covariance` (p, p), and over what.

    Smooth functions of them, handed the numbers by name, become estimates. `third` (p, p, p) are
    their third moments over items, kept where the numbers are few.

    >>> two = Smooth(("a", "b"), np.array([4.0, 2.0]), np.diag([0.04, 0.01]), Plan(1000))
    >>> print(two.estimate(lambda a, b: a / b))
    2.000 (1.722 to 2.278)
    """

    names: tuple[str, ...]
    value: Floats
    covariance: Floats
    plan: Plan
    confidence: float = 0.95
    third: Floats | None = None

    @classmethod
    def of(
        cls,
        names: tuple[str, ...],
        value: Floats,
        influence: Floats,
        *,
        plan: Plan,
        cluster: Ints | None = None,
        without: Floats | None = None,
        confidence: float = 0.95,
    ) -> "Smooth":
        """From what each item adds (n, p) and, where raters count, the values without each."""
        covariance = covariance_over_items(influence, cluster)
        if plan.counts_raters and without is not None and len(without):
            covariance = covariance + covariance_over_raters(without)
        third = third_over_items(influence, cluster) if len(names) <= _FEW else None
        return cls(names, value, covariance, plan, confidence, third)

    def number(self, name: str) -> float:
        """One of the numbers."""
        return float(self.value[self.names.index(name)])

    def error(self, function: Callable[..., float]) -> float:
        """The standard error of a function of the numbers."""
        gradient = self._gradient(function)
        return math.sqrt(max(float(gradient @ self.covariance @ gradient), 0.0))

    def estimate(self, function: Callable[..., float], *, scale: ScaleName = "plain") -> Estimate:
        """A function of the numbers with its interval, symmetric on `scale`."""
        return interval_from_error(
            self._at(function, self.value),
            self.error(function),
            plan=self.plan,
            confidence=self.confidence,
            scale=scale,
        )

    def each(self, scale: ScaleName = "plain") -> tuple[Estimate, ...]:
        """The numbers themselves with their intervals."""
        errors = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        return tuple(
            interval_from_error(
                value, error, plan=self.plan, confidence=self.confidence, scale=scale
            )
            for value, error in zip(self.value.tolist(), errors.tolist(), strict=True)
        )

    def _at(self, function: Callable[..., float], value: Floats) -> float:
        return float(function(**dict(zip(self.names, value.tolist(), strict=True))))

    def _gradient(self, function: Callable[..., float]) -> Floats:
        steps = _STEP * np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        slopes = np.zeros(len(steps))
        for place in np.flatnonzero(steps > 0):
            by = np.zeros(len(steps))
            by[place] = steps[place]
            rise = self._at(function, self.value + by) - self._at(function, self.value - by)
            slopes[place] = rise / (2 * steps[place])
        return slopes
