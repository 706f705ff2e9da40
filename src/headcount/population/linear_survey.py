"""Linear surveys: squared error of the best linear prediction from the mean of k answers.

With covariance B between items and mean covariance W within them, the best linear prediction
of one more answer from the mean of k has the squared error

    tr(B + W) − tr(B (B + W/k)⁺ B).

B and W have unbiased estimates from pairs of ratings of one item: a curve without end from two
ratings an item, with no population fitted.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.errors import UnanswerableError
from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SINGULAR = 1e-12
"""Directions with less than this share of the greatest variance do not vary: shares sum to one."""


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
