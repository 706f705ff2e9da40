"""Linear surveys: squared error of the best linear prediction from the mean of k answers.

With covariance B between items and mean covariance W within them, the best linear prediction
of one more answer from the mean of k has the squared error

    tr(B + W) − tr(B (B + W/k)⁺ B),

for numbers σ² + τ²σ²/(kτ² + σ²). B and W have unbiased estimates from pairs of ratings of one
item: a curve without end from two ratings an item, with no population fitted.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.errors import UnanswerableError
from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen
class LinearSurvey:
    """Covariance `between` items and `within` them, both (d, d), and the mean answer (d,).

    d is the number of labels (answers as one-hot vectors) or 1 (answers as numbers). Unbiased,
    so `between` may have negative eigenvalues by chance; the curve takes these for nought.
    """

    between: Floats
    within: Floats
    mean: Floats

    @classmethod
    def of_labels(cls, counts: ArrayLike, size: ArrayLike | None = None) -> "LinearSurvey":
        """From counts (G, L), `size` (G,) items having each; items of one rating are left out."""
        c = np.atleast_2d(np.asarray(counts, dtype=np.float64))
        n = c.sum(axis=1)
        held = n > 1
        items = _items(n, size)[held]
        c, n, share = c[held], n[held], items / items.sum()
        same = np.einsum("g,gi,gj->ij", share / (n * (n - 1)), c, c)
        same -= np.diag((share / (n * (n - 1))) @ c)
        return cls._from_pairs(
            c / n[:, None], share, same, np.diag(share @ (c / n[:, None])), items
        )

    @classmethod
    def of_numbers(
        cls,
        ratings: ArrayLike,
        sums: ArrayLike,
        squares: ArrayLike,
        size: ArrayLike | None = None,
    ) -> "LinearSurvey":
        """From each group's number of ratings, their sum and the sum of their squares (G,)."""
        n, s, q = (np.asarray(each, dtype=np.float64) for each in (ratings, sums, squares))
        held = n > 1
        items = _items(n, size)[held]
        n, s, q, share = n[held], s[held], q[held], items / items.sum()
        same = np.array([[share @ ((s**2 - q) / (n * (n - 1)))]])
        square = np.array([[share @ (q / n)]])
        return cls._from_pairs((s / n)[:, None], share, same, square, items)

    @classmethod
    def _from_pairs(
        cls, means: Floats, share: Floats, same: Floats, square: Floats, items: Floats
    ) -> "LinearSurvey":
        """From E xx′ᵀ over pairs of one item (`same`) and E xxᵀ (`square`).

        E x E xᵀ comes from pairs of different items: no item is its own comparison.
        """
        n_items = float(items.sum())
        mean = share @ means
        one = np.einsum("g,gi,gj->ij", share, means, means)
        other = (n_items * np.outer(mean, mean) - one) / (n_items - 1)
        return cls(same - other, square - same, mean)

    def error(self, k: ArrayLike) -> Floats:
        """The squared error of predicting one more answer from the mean of k, any real k ≥ 0."""
        asked = np.atleast_1d(np.asarray(k, dtype=np.float64))
        total = float(np.trace(self._between) + np.trace(self.within))
        return total - np.array([self._explained(float(each)) for each in asked])

    def worth(self, error: float) -> float:
        """The k whose survey has this squared error: −∞ worse than none, ∞ better than any."""
        if error >= float(self.error(0.0)[0]):
            return -np.inf
        if error <= float(np.trace(self.within)):
            return np.inf
        most = 1.0
        while float(self.error(most)[0]) > error and most < 1e12:
            most *= 4
        if float(self.error(most)[0]) > error:
            return np.inf
        from scipy.optimize import brentq  # slow to load

        return float(brentq(lambda k: float(self.error(k)[0]) - error, 0.0, most))

    @property
    def _between(self) -> Floats:
        values, vectors = np.linalg.eigh(self.between)
        kept: Floats = (vectors * np.maximum(values, 0)) @ vectors.T
        return kept

    def _explained(self, k: float) -> float:
        if k == 0:
            return 0.0
        between = self._between
        inverse = np.linalg.pinv(between + self.within / k, rcond=1e-12, hermitian=True)
        return float(np.trace(between @ inverse @ between))


def _items(n: Floats, size: ArrayLike | None) -> Floats:
    """How many items have each row, none where a row has fewer than two ratings."""
    sizes = np.ones(len(n)) if size is None else np.asarray(size, dtype=np.float64)
    held: Floats = np.where(n > 1, sizes, 0.0)
    if held.sum() <= 1:
        raise UnanswerableError("A linear survey needs two items that have two ratings each.")
    return held
