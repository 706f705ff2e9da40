"""Choosing the best of some classifiers now, or after more labels: how sure, and at what loss.

Believed is a mixture of normal distributions of the classifiers' means. More items move what is
believed: in each of them the mean believed later, M, is normal around today's, and the truth Δ
normal around M. For two classifiers everything is in closed form; for more it is averaged over
fixed quasi-random draws.
"""

from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from headcount.arrays import Floats
from headcount.frozen import frozen
from headcount.plan.pilot_moments import PilotMoments
from headcount.sameness import NEAR, as_good, exceeds, leading

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
    mean, sd = np.asarray(mean, dtype=float), np.maximum(np.asarray(sd, dtype=float), _NONE)
    z = mean / sd
    return np.asarray(mean * special.ndtr(z) + sd * np.exp(-z * z / 2) / np.sqrt(2 * np.pi))


# The spread of what does not vary: to be divided by, and far below any difference.
_NONE = 1e-15

# A classifier with at least this chance of being the best is a contender.
CONTENDER = 0.01

# Steps of τ, finest near nought where rivals usually are, and of how far the spread of raters may
# be from what these few show. Twice as many move a probability by less than a thousandth.
_TAUS, _SPREADS = 12, 5


@frozen(eq=False)
class Beliefs:
    """B normal beliefs: how far apart classifiers usually are, how much raters differ.

    `weight` (B,) is the chance of each; `prior` (B, C − 1, C − 1) the covariance before any label,
    raters differ `spread` (B,) times as much as shown, `seen` is the covariance of the pilot's
    estimate, `mean` (B, C − 1) and `covariance` what is believed then, all in contrasts.
    """

    weight: Floats
    prior: Floats
    spread: Floats
    seen: Floats
    mean: Floats
    covariance: Floats

    @property
    def gaps(self) -> tuple[Floats, Floats]:
        """Means and standard deviations of the difference of two (first − second)."""
        # Of classifiers that answer alike the difference is known: it has hardly any spread.
        spread = np.sqrt(np.maximum(2 * self.covariance[:, 0, 0], _NONE**2))
        return self.mean[:, 0] * np.sqrt(2), spread


@frozen(eq=False)
class Choice:
    """What is believed of C classifiers, and how more items would change it.

    All within contrasts: only differences between classifiers matter. Before any label two of
    them differ by a normal of standard deviation τ, and τ itself is anything up to
    `PilotMoments.farthest`. The labels say how likely each is, so that among rivals who seem alike
    small differences are expected, and a lead by luck is not taken for one by merit. `prior_sd`
    states τ instead. `more_raters` says who labels next: "new" people like the raters, the
    "same" raters, or as if raters were all people ("fixed").
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
        """Orthonormal contrasts, (C − 1, C): for two, their difference over √2.

        Of more than two, contrasts meet the classifiers in the order of their shares and variances,
        so draws follow the data and not the order of columns; two need no draws.
        """
        n = len(self.moments.mean)
        rows = [
            np.r_[np.full(k, 1 / k), -1.0, np.zeros(n - k - 1)] * np.sqrt(k / (k + 1))
            for k in range(1, n)
        ]
        if n == 2:
            return np.array(rows)
        items = self.moments.over_items
        # Rounded, or the last bit would order classifiers that are the same.
        keys = np.round([(items**2).sum(axis=0), np.diagonal(items), self.moments.mean], 12)
        return np.array(rows)[:, np.argsort(np.lexsort(keys))]

    def _inside(self, covariance: Floats) -> Floats:
        h = self.contrasts * self.scale
        return np.asarray(h @ covariance @ h.T)

    @cached_property
    def _over_raters(self) -> Floats:
        """Covariance over raters, where they are counted."""
        if self.more_raters == "fixed":
            return np.zeros((len(self.contrasts), len(self.contrasts)))
        return _levelled(self._inside(self.moments.over_raters))

    @cached_property
    def _estimate(self) -> Floats:
        """What the pilot shows, in contrasts."""
        return np.asarray(self.contrasts @ self.moments.mean * self.scale)

    @cached_property
    def beliefs(self) -> Beliefs:
        """Every τ and spread of raters, by what the labels say."""
        taus, chances = self._taus
        spread = np.repeat(self._spreads, len(taus))
        tau, chance = (np.tile(each, len(self._spreads)) for each in (taus, chances))
        identity = np.eye(len(self.contrasts))
        prior = tau[:, None, None] ** 2 / 2 * identity
        seen = self._inside(self.moments.over_items) + _times(spread, self._over_raters)
        pull = _solved(seen + prior, np.tile(self._estimate, (len(tau), 1))[:, :, None])
        _, size = np.linalg.slogdet(seen + prior)
        logs = np.log(chance) - (size + pull[:, :, 0] @ self._estimate) / 2
        weight = np.exp(logs - logs.max())
        return Beliefs(
            weight=weight / weight.sum(),
            prior=prior,
            spread=spread,
            seen=seen,
            mean=(prior @ pull)[:, :, 0],
            covariance=_pooled(seen, prior),
        )

    @property
    def _taus(self) -> tuple[Floats, Floats]:
        """Values of τ and the chance of each before any label."""
        if self.prior_sd is not None:
            return np.array([self.prior_sd]), np.ones(1)
        edges = (np.arange(_TAUS + 1) / _TAUS) ** 3
        taus = self.moments.farthest * self.scale * (edges[1:] + edges[:-1]) / 2
        return taus, np.diff(edges)

    @property
    def _spreads(self) -> Floats:
        """How many times what raters show their variance may be: f/χ²(f), at even chances."""
        if not self._over_raters.any():
            return np.ones(1)
        freedom = self.moments.rater_freedom
        at = (np.arange(_SPREADS) + 0.5) / _SPREADS
        return np.asarray(freedom / special.chdtri(freedom, at))

    def _seen_after(self, items: float, labels_each: int) -> Floats:
        """The covariances of the estimate with so many further items, (B, C − 1, C − 1)."""
        found, beliefs = self.moments, self.beliefs
        one = self._inside(found.labels(labels_each))[None]
        if self.more_raters == "new":
            # A rater labels as many items next time as in the pilot.
            own = _levelled(self._inside(found.rater)) * found.labels_a_rater
            one = one + _times(beliefs.spread, own)
        later = one / items + 1e-15 * np.eye(len(self.contrasts))
        if self.more_raters == "same":
            alone = _pooled(self._inside(found.over_items)[None], later)
            return np.asarray(alone + _times(beliefs.spread, self._over_raters))
        return _pooled(beliefs.seen, later)

    @cached_property
    def mean(self) -> Floats:
        """What is believed now, in contrasts."""
        return np.asarray(self.beliefs.weight @ self.beliefs.mean)

    def moved(self, items: float, labels_each: int = 1) -> Floats:
        """Covariances of the mean that will be believed after so many items, (B, C − 1, C − 1)."""
        if items <= 0:
            return np.zeros_like(self.beliefs.covariance)
        later = _pooled(self._seen_after(items, labels_each), self.beliefs.prior)
        return np.asarray(self.beliefs.covariance - later)

    @property
    def two(self) -> bool:
        """Whether there are two classifiers, so that all is in closed form."""
        return len(self.moments.mean) == 2

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """Any two of them: the difference and its standard error, by the pilot alone.

        With a stated prior both are what is believed; without one they are what the shares of
        people who agree differ by, so that the numbers on a page add up.
        """
        h = self.contrasts[:, first] - self.contrasts[:, second]
        if self.prior_sd is None:
            # Student's tails for few raters, near two errors out.
            raters = self._over_raters * self.moments.few_raters
            seen = self._inside(self.moments.over_items) + raters
            return float(h @ self._estimate), float(np.sqrt(max(float(h @ seen @ h), 0.0)))
        mean = float(h @ self.mean)
        each = self.beliefs
        squares = each.weight @ (each.covariance @ h @ h + (each.mean @ h) ** 2)
        return mean, float(np.sqrt(max(float(squares) - mean**2, 0.0)))

    def probability(self, items: float = 0, *, matters: float = 0.0, labels_each: int = 1) -> float:
        """The chance that the leader after so many items more is the best, or nearly."""
        if not self.two:
            return float(np.mean(self._behind(items, labels_each) <= matters + NEAR * self.scale))
        mean, sd = self.beliefs.gaps
        if items <= 0:
            side = 1 if self.mean[0] >= 0 else -1
            found = special.ndtr((side * mean + matters) / sd)
        else:
            found = right_choice(mean, sd, self._moved_sd(items, labels_each), matters)
        return float(self.beliefs.weight @ found)

    def loss(self, items: float = 0, *, labels_each: int = 1) -> float:
        """How far the leader after so many items is expected to be behind the best."""
        if not self.two:
            return float(np.mean(self._behind(items, labels_each)))
        mean, sd = self.beliefs.gaps
        now = np.maximum(mean, 0.0)
        if items > 0:
            now = expected_gain(mean, self._moved_sd(items, labels_each))
        return float(self.beliefs.weight @ np.maximum(expected_gain(mean, sd) - now, 0.0))

    def best_chances(self) -> Floats:
        """Each classifier's chance of being the best, (C,)."""
        if self.two:
            first = float(self.beliefs.weight @ special.ndtr(np.divide(*self.beliefs.gaps)))
            return np.array([first, 1 - first])
        best: Floats = as_good(self._truths, self._best[:, None], scale=self.scale).astype(float)
        return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0))

    @cached_property
    def first_two(self) -> tuple[int, int]:
        """The one with the highest mean, and of the others the likeliest to be better."""
        means, best = self.mean @ self.contrasts, self.best_chances()
        leader = leading(means, scale=self.scale)
        # Rounded, or the last bit would choose between classifiers that are the same.
        order = np.lexsort((-np.round(means, 12), -np.round(best, 9)))
        return leader, int(order[order != leader][0])

    def _moved_sd(self, items: float, labels_each: int) -> Floats:
        variance: Floats = 2 * np.maximum(self.moved(items, labels_each)[:, 0, 0], 0.0)
        return np.sqrt(variance)

    @cached_property
    def _drawn(self) -> tuple[tuple[int, Floats, Floats], ...]:
        """The draws that fall to each belief: how far truths are from its mean, and noise."""
        k, beliefs = len(self._estimate), self.beliefs
        normals, roots = _normals(2 * k + 1), _root(beliefs.covariance)
        falls = np.searchsorted(np.cumsum(beliefs.weight)[:-1], special.ndtr(normals[:, 0]))
        normals = normals[np.argsort(falls, kind="stable"), 1:]
        ends = np.cumsum(np.bincount(falls, minlength=len(beliefs.weight)))
        return tuple(
            (place, mine[:, :k] @ roots[place].T, mine[:, k:])
            for place, mine in enumerate(np.split(normals, ends[:-1]))
            if len(mine)
        )

    @cached_property
    def _truths(self) -> Floats:
        """Truths (draws, C), the same for every number of items."""
        means = self.beliefs.mean
        return np.vstack(
            [(means[place] + around) @ self.contrasts for place, around, _ in self._drawn]
        )

    @cached_property
    def _best(self) -> Floats:
        return np.asarray(self._truths.max(axis=1))

    def _behind(self, items: float, labels_each: int) -> Floats:
        """How far the one that leads after so many items is behind the best, in each draw."""
        if items <= 0:
            leader = leading(self.mean @ self.contrasts, scale=self.scale)
            return np.asarray(self._best - self._truths[:, leader])
        moved, beliefs = self.moved(items, labels_each), self.beliefs
        # M given the truth is linear in it.
        pull = np.swapaxes(_solved(beliefs.covariance, moved), 1, 2)
        roots = _root(moved - pull @ moved)
        later = [
            (beliefs.mean[place] + around @ pull[place].T + noise @ roots[place].T) @ self.contrasts
            for place, around, noise in self._drawn
        ]
        leader = leading(np.vstack(later), scale=self.scale)[:, None]
        return np.asarray(self._best - np.take_along_axis(self._truths, leader, axis=1)[:, 0])


def _times(each: Floats, matrix: Floats) -> Floats:
    """Multiples (B, k, k) of one matrix."""
    return np.asarray(each[:, None, None] * matrix)


def _levelled(covariance: Floats) -> Floats:
    """The nearest covariance of the same sum of variances.

    A difference of two estimates has by chance negative variances. Making them nought alone would
    leave the positive ones, which chance made too large, to count in full.
    """
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    kept = np.maximum(values, 0)
    share = max(values.sum(), 0.0) / kept.sum() if kept.any() else 0.0
    return np.asarray((vectors * kept) @ vectors.T * share)


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
    return np.asarray(one - one @ _solved(one + other, one))


def _solved(covariance: Floats, right: Floats) -> Floats:
    """covariance⁻¹ right. Of what does not vary, as between classifiers that answer alike, nothing
    is left to learn: it is left out.
    """
    values, vectors = np.linalg.eigh((covariance + np.swapaxes(covariance, -1, -2)) / 2)
    varied = exceeds(values, 0.0, scale=values[..., -1:])
    if varied.all():
        return np.asarray(np.linalg.solve(covariance, right))
    inverse = np.where(varied, 1 / np.where(varied, values, 1.0), 0.0)
    return np.asarray(vectors @ (inverse[..., None] * (np.swapaxes(vectors, -1, -2) @ right)))


def _root(covariance: Floats) -> Floats:
    """The symmetric root: eigenvectors alone have either sign, by the processor."""
    values, vectors = np.linalg.eigh((covariance + np.swapaxes(covariance, -1, -2)) / 2)
    stretched = vectors * np.sqrt(np.maximum(values, 0))[..., None, :]
    return np.asarray(stretched @ np.swapaxes(vectors, -1, -2))


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
