"""Choosing the best of some classifiers now, or after more labels: how sure, and at what loss.

Believed is a normal distribution of the classifiers' means. More items move what is believed:
the mean believed later, M, is normal around today's, and the truth Δ normal around M. For two
classifiers everything is in closed form; for more it is averaged over fixed quasi-random draws.
"""

from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from headcount.arrays import Floats
from headcount.frozen import frozen
from headcount.plan.pilot_moments import PilotMoments

# 2¹⁴ points of a lattice leave an error of about a thousandth in a probability.
DRAWS_LOG2 = 14

# Generators tried for each column; more hardly lower the lattice's error.
_TRIED = 16


def both_below(h: ArrayLike, k: ArrayLike, rho: ArrayLike) -> Floats:
    """Φ₂(h, k; ρ): the chance that two standard normals of correlation ρ lie below h and k.

    By Owen's T function.

    >>> round(float(both_below(0.0, 0.0, 0.5)), 6)
    0.333333
    """
    h, k, rho = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (h, k, rho)))
    # At exactly 0 the slope below is 0/0; so near to it nothing changes but the sign is known.
    h, k = (np.where(np.abs(x) < 1e-300, 1e-300, x) for x in (h, k))
    root = np.sqrt(np.maximum((1 - rho) * (1 + rho), 1e-300))
    with np.errstate(over="ignore", divide="ignore"):
        of_h = special.owens_t(h, (k / h - rho) / root)
        of_k = special.owens_t(k, (h / k - rho) / root)
    opposite = np.where(h * k < 0, 0.5, 0.0)
    # h·k may underflow to 0 where the signs differ.
    opposite = np.where(np.sign(h) * np.sign(k) < 0, 0.5, opposite)
    found = (special.ndtr(h) + special.ndtr(k)) / 2 - of_h - of_k - opposite
    return np.asarray(np.clip(found, 0.0, 1.0))


def right_choice(mean: ArrayLike, sd: ArrayLike, moved: ArrayLike, matters: float = 0.0) -> Floats:
    """The chance that the leader after more labels is the better one, or hardly behind.

    `mean` and `sd` of the difference believed now, `moved` the standard deviation of the mean
    believed later, `matters` what is hardly: Φ₂((μ+δ)/s, μ/g; g/s) + Φ₂((δ−μ)/s, −μ/g; g/s).
    """
    mean, sd = np.asarray(mean, dtype=float), np.asarray(sd, dtype=float)
    rho = np.clip(np.asarray(moved, dtype=float) / sd, 1e-9, 1 - 1e-12)
    later = mean / (rho * sd)
    return both_below((mean + matters) / sd, later, rho) + both_below(
        (matters - mean) / sd, -later, rho
    )


def expected_gain(mean: ArrayLike, sd: ArrayLike) -> Floats:
    """E max(Δ, 0) of a normal Δ: what always taking the better one of two would gain."""
    mean, sd = np.asarray(mean, dtype=float), np.maximum(np.asarray(sd, dtype=float), 1e-15)
    z = mean / sd
    return np.asarray(mean * special.ndtr(z) + sd * np.exp(-z * z / 2) / np.sqrt(2 * np.pi))


# A classifier with at least this chance of being the best is a contender.
CONTENDER = 0.01


@frozen(eq=False)
class Choice:
    """What is believed of C classifiers, and how more items would change it.

    All within contrasts: only differences between classifiers matter. `mean` (C,) with mean
    zero, `covariance` (C, C) of what is believed now; `more_raters` says who labels next:
    "new" people like the raters, the "same" raters, or as if raters were all people ("fixed").
    `prior_sd` is how far apart two classifiers are thought to be before any label (None: any
    difference was as likely).
    """

    moments: PilotMoments
    more_raters: str = "fixed"
    prior_sd: float | None = None
    scale: float = 1.0

    @classmethod
    def of(
        cls,
        moments: PilotMoments,
        raters: str | None,
        prior_sd: float | None = None,
        scale: float = 1.0,
    ) -> "Choice":
        """With raters as asked for: by default further people, where the pilot tells of raters."""
        return cls(moments, (raters or "new") if moments.raters_known else "fixed", prior_sd, scale)

    @cached_property
    def contrasts(self) -> Floats:
        """Orthonormal contrasts, (C − 1, C): for two, their difference over √2."""
        n = len(self.moments.mean)
        rows = [
            np.r_[np.full(k, 1 / k), -1.0, np.zeros(n - k - 1)] * np.sqrt(k / (k + 1))
            for k in range(1, n)
        ]
        return np.array(rows)

    def _inside(self, covariance: Floats) -> Floats:
        h = self.contrasts * self.scale
        return np.asarray(h @ covariance @ h.T)

    @cached_property
    def _seen(self) -> Floats:
        """Covariance of the pilot's own estimate."""
        found = self.moments
        raters = 0.0 if self.more_raters == "fixed" else self._over_raters
        return self._inside(found.over_items + raters)

    @property
    def _over_raters(self) -> Floats:
        """Few raters leave long tails, which a prior cuts off."""
        wider = self.moments.few_raters if self.prior_sd is None else 1.0
        return self.moments.over_raters * wider

    def _seen_after(self, items: float, labels_each: int) -> Floats:
        """The same with so many further items."""
        found, one = self.moments, self.moments.labels(labels_each)
        tiny = 1e-15 * np.eye(len(self.contrasts))
        if self.more_raters == "new":
            # A rater labels as many items next time as in the pilot.
            one = one + found.rater * found.labels_a_rater
        if self.more_raters == "same":
            alone = _pooled(self._inside(found.over_items), self._inside(one) / items + tiny)
            return alone + self._inside(self._over_raters)
        return _pooled(self._seen, self._inside(one) / items + tiny)

    def _believed(self, seen: Floats) -> Floats:
        if self.prior_sd is None:
            return seen
        return _pooled(seen, self.prior_sd**2 / 2 * np.eye(len(seen)))

    @cached_property
    def covariance(self) -> Floats:
        """Covariance of what is believed now, in contrasts."""
        return self._believed(self._seen)

    @cached_property
    def mean(self) -> Floats:
        """What is believed now, in contrasts."""
        seen = self.contrasts @ self.moments.mean * self.scale
        return np.asarray(self.covariance @ np.linalg.solve(self._seen, seen))

    def moved(self, items: float, labels_each: int = 1) -> Floats:
        """Covariance of the mean that will be believed after so many items more."""
        if items <= 0:
            return np.zeros_like(self.covariance)
        return self.covariance - self._believed(self._seen_after(items, labels_each))

    @property
    def two(self) -> bool:
        """Whether there are two classifiers, so that all is in closed form."""
        return len(self.moments.mean) == 2

    @property
    def gap(self) -> tuple[float, float]:
        """Mean and standard deviation of the difference, for two classifiers (first − second)."""
        return float(self.mean[0]) * np.sqrt(2), float(np.sqrt(2 * self.covariance[0, 0]))

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """Mean and standard deviation of the difference between any two of them."""
        h = self.contrasts[:, first] - self.contrasts[:, second]
        return float(h @ self.mean), float(np.sqrt(h @ self.covariance @ h))

    def probability(self, items: float = 0, *, matters: float = 0.0, labels_each: int = 1) -> float:
        """The chance that the leader after so many items more is the best, or nearly."""
        if self.two:
            mean, sd = self.gap
            if items <= 0:
                return float(special.ndtr((abs(mean) + matters) / sd))
            return float(right_choice(mean, sd, self._moved_sd(items, labels_each), matters))
        return float(np.mean(self._behind(items, labels_each) <= matters + 1e-15))

    def loss(self, items: float = 0, *, labels_each: int = 1) -> float:
        """How far the leader after so many items is expected to be behind the best."""
        if self.two:
            mean, sd = self.gap
            now = max(mean, 0.0)
            if items:
                now = float(expected_gain(mean, self._moved_sd(items, labels_each)))
            return max(float(expected_gain(mean, sd)) - now, 0.0)
        return float(np.mean(self._behind(items, labels_each)))

    def best_chances(self) -> Floats:
        """Each classifier's chance of being the best, (C,)."""
        if self.two:
            mean, sd = self.gap
            first = float(special.ndtr(mean / sd))
            return np.array([first, 1 - first])
        truth = self._truths
        return np.bincount(truth.argmax(axis=1), minlength=truth.shape[1]) / len(truth)

    @cached_property
    def first_two(self) -> tuple[int, int]:
        """The one with the highest mean, and of the others the likeliest to be better."""
        means, best = self.mean @ self.contrasts, self.best_chances()
        leader = int(means.argmax())
        others = (k for k in range(len(best)) if k != leader)
        return leader, max(others, key=lambda k: (best[k], means[k]))

    def _moved_sd(self, items: float, labels_each: int) -> float:
        return float(np.sqrt(2 * max(self.moved(items, labels_each)[0, 0], 0.0)))

    @cached_property
    def _around(self) -> Floats:
        """How far truths are from what is believed now, in contrasts: (draws, C − 1)."""
        k = len(self.mean)
        return np.asarray(_normals(2 * k)[:, :k] @ _root(self.covariance).T)

    @cached_property
    def _truths(self) -> Floats:
        """Truths (draws, C), the same for every number of items."""
        return np.asarray((self.mean + self._around) @ self.contrasts)

    @cached_property
    def _best(self) -> Floats:
        return np.asarray(self._truths.max(axis=1))

    def _behind(self, items: float, labels_each: int) -> Floats:
        """How far the one that leads after so many items is behind the best, in each draw."""
        moved, k = self.moved(items, labels_each), len(self.mean)
        pull = np.linalg.solve(self.covariance, moved).T  # M given the truth is linear in it
        noise = _normals(2 * k)[:, k:] @ _root(moved - pull @ moved).T
        later = (self.mean + self._around @ pull.T + noise) @ self.contrasts
        leader = later.argmax(axis=1)[:, None]
        return np.asarray(self._best - np.take_along_axis(self._truths, leader, axis=1)[:, 0])


def fewest(enough: Callable[[int], bool], most: int) -> int | None:
    """The least whole number that is enough; None where `most` is not. More is never worse."""
    if enough(0):
        return 0
    if not enough(most):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _pooled(one: Floats, other: Floats) -> Floats:
    """(one⁻¹ + other⁻¹)⁻¹, without inverting either."""
    return np.asarray(one - one @ np.linalg.solve(one + other, one))


def _root(covariance: Floats) -> Floats:
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0)))


@lru_cache(maxsize=8)
def _normals(columns: int) -> Floats:
    """Quasi-random standard normals, the same in every call."""
    rng, n = np.random.default_rng(0), 2**DRAWS_LOG2
    uniform = (np.arange(n)[:, None] * _generators(columns, n, rng) / n + rng.random(columns)) % 1
    return np.asarray(special.ndtri(np.clip(uniform, 1e-12, 1 - 1e-12)))


def _generators(columns: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """A rank-1 lattice of n points that fills the unit cube evenly: its generating vector.

    Component by component (Sloan and Reztsov, Mathematics of Computation 71, 2002): of some odd
    numbers the one that adds least to the lattice's mean squared error for smooth functions,
    later columns mattering less.
    """
    place = np.arange(n)
    kernel = 2 * np.pi**2 * ((place / n) ** 2 - place / n + 1 / 6)
    error, chosen = np.ones(n), np.ones(columns, dtype=np.int64)
    for column in range(columns):
        tried = 2 * rng.integers(n // 2, size=_TRIED) + 1 if column else chosen[:1]
        factors = 1 + kernel[tried[:, None] * place % n] / (column + 1)
        best = int(np.argmin(factors @ error))
        chosen[column] = tried[best]
        error *= factors[best]
    return chosen
