"""Surveys of a few ratings: all there are, how many of them, by what chance; and linear ones.

A linear survey is the best linear prediction from the mean of k answers, by squared error.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from headcount.arrays import Floats, Ints
from headcount.errors import UnanswerableError
from headcount.frozen import frozen


@lru_cache(maxsize=64)
def every_survey(k: int, n_labels: int) -> Ints:
    """Every count vector of k ratings (R, L); not to be written to."""
    if n_labels == 1:
        return np.array([[k]], dtype=np.int64)
    if n_labels == 2:
        y = np.arange(k + 1)
        return np.column_stack([k - y, y])
    blocks = []
    for first in range(k + 1):
        rest = every_survey(k - first, n_labels - 1)
        blocks.append(np.column_stack([np.full(len(rest), first), rest]))
    return np.vstack(blocks)


@lru_cache(maxsize=64)
def log_orders(k: int, n_labels: int) -> Floats:
    """In how many orders the ratings of each of `surveys` can come, as logarithms (R,)."""
    found: Floats = gammaln(k + 1) - gammaln(every_survey(k, n_labels) + 1).sum(axis=1)
    return found


def count_surveys(counts: Ints, most: int) -> Floats:
    """How many surveys of 0..`most` answers each pattern has, shape (G, most + 1).

    Coefficients of Π_ℓ (1 + x + … + x^c_ℓ), as floats: they outgrow integers.
    """
    ways = np.zeros((len(counts), most + 1))
    ways[:, 0] = 1
    for given in counts.T:
        # Multiplying by 1 + … + x^c is a running sum less the same sum c + 1 places back.
        running = np.cumsum(ways, axis=1)
        back = np.arange(most + 1) - given[:, None] - 1
        earlier = np.take_along_axis(running, np.maximum(back, 0), axis=1)
        ways = running - np.where(back >= 0, earlier, 0)
    return ways


def sub_surveys(counts: Ints, most: int) -> tuple[Ints, Ints]:
    """Every survey of at most `most` of a group's ratings that leaves one out: groups and y."""
    group, y = np.arange(len(counts)), np.zeros((len(counts), 0), dtype=np.int64)
    room = np.minimum(counts.sum(axis=1) - 1, most)
    group, room = group[room >= 0], room[room >= 0]
    y = y[: len(group)]
    for label in range(counts.shape[1]):
        options = np.minimum(counts[group, label], room) + 1
        again = np.repeat(np.arange(len(group)), options)
        chosen = np.arange(len(again)) - np.repeat(np.cumsum(options) - options, options)
        group, room = group[again], room[again] - chosen
        y = np.column_stack([y[again], chosen])
    return group, y


def chance_of(surveys: Ints, counts: Ints) -> Floats:
    """P(y | c), row by row: the chance that k answers drawn from counts (R, L) are y (R, L).

    Only where they can be: nowhere more answers in the survey than in the counts.
    """
    log_fact = gammaln(np.arange(counts.sum(axis=1).max(initial=0) + 2) + 1.0)
    rest = np.maximum(counts - surveys, 0)
    each = log_fact[counts] - log_fact[np.minimum(surveys, len(log_fact) - 1)] - log_fact[rest]
    n, k = counts.sum(axis=1), surveys.sum(axis=1)
    whole = (
        log_fact[n] - log_fact[np.minimum(k, len(log_fact) - 1)] - log_fact[np.maximum(n - k, 0)]
    )
    chance: Floats = np.exp(np.minimum(each.sum(axis=1) - whole, 0.0))
    return chance


# Directions with less than this share of the greatest variance do not vary: shares sum to one.
_SINGULAR = 1e-12


@frozen
class LinearSurvey:
    """Covariance `between` items and `within` them, both (…, L, L), and the mean answer (…, L).

    Answers are one-hot vectors. Unbiased, so `between` may have negative eigenvalues by chance;
    the curve takes these for nought. Leading axes stand for resamples.
    """

    between: Floats
    within: Floats
    mean: Floats

    @classmethod
    def of_labels(cls, counts: ArrayLike, size: ArrayLike | None = None) -> "LinearSurvey":
        """From counts (G, L), `size` (G,) items having each; items of one rating are left out."""
        c = np.atleast_2d(np.asarray(counts, dtype=np.float64))
        n = c.sum(axis=1)
        items = np.ones(len(n)) if size is None else np.asarray(size, dtype=np.float64)
        held = n > 1
        c, n, items = c[held], n[held], items[held]
        n_items = float(items.sum())
        if n_items <= 1:
            raise UnanswerableError("A linear survey needs two items that have two ratings each.")
        share, means = items / n_items, c / n[:, None]
        same = np.einsum("g,gi,gj->ij", share / (n * (n - 1)), c, c)
        same -= np.diag((share / (n * (n - 1))) @ c)
        mean = share @ means
        # Pairs of different items: no item is its own comparison.
        one = np.einsum("g,gi,gj->ij", share, means, means)
        other = (n_items * np.outer(mean, mean) - one) / (n_items - 1)
        return cls(same - other, np.diag(mean) - same, mean)

    @classmethod
    def stacked(cls, surveys: "Sequence[LinearSurvey]") -> "LinearSurvey":
        """Several as one, along a first axis."""
        return cls(
            np.array([each.between for each in surveys]),
            np.array([each.within for each in surveys]),
            np.array([each.mean for each in surveys]),
        )

    def error(self, k: ArrayLike) -> Floats:
        """The squared errors (…, n) of predicting one more answer from the mean of k (n,).

        Any real k ≥ 0, and ∞.
        """
        total = np.trace(self._between + self.within, axis1=-2, axis2=-1)
        asked = np.atleast_1d(np.asarray(k, dtype=np.float64))
        return np.stack([total - self._explained(float(each)) for each in asked], axis=-1)

    def predict(self, surveys: Ints, raters: int) -> Floats:
        """The best linear prediction (R, L) from surveys (R, L) of so many answers each."""
        if raters == 0:
            return np.tile(self.mean, (len(surveys), 1))
        pull = self._between @ self._inverse(raters)
        found: Floats = self.mean + (surveys / raters - self.mean) @ pull.T
        return found

    @cached_property
    def _between(self) -> Floats:
        """Without negative eigenvalues."""
        values, vectors = np.linalg.eigh(self.between)
        kept: Floats = vectors * np.maximum(values, 0)[..., None, :]
        return np.asarray(kept @ np.swapaxes(vectors, -1, -2), dtype=np.float64)

    def _inverse(self, k: float) -> Floats:
        whole = self._between + self.within / k
        inverse: Floats = np.asarray(np.linalg.pinv(whole, rcond=_SINGULAR, hermitian=True))
        return inverse

    def _explained(self, k: float) -> Floats | float:
        if k == 0:
            return 0.0
        between, inverse = self._between, self._inverse(k)
        explained: Floats = np.einsum(
            "...ij,...jk,...ki->...", between, inverse, between, optimize=True
        )
        return explained
