"""Mixtures of Dirichlets: the population of items of many labels.

Under a Dirichlet α with A = Σα, counts c of n ratings have (as a sequence) the probability
Π_ℓ rise(α_ℓ, c_ℓ) / rise(A, n) with rise(a, m) = a(a+1)···(a+m−1).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Dirichlets:
    """A mixture of C Dirichlets: weights (C,) and parameters `alpha` (C, L)."""

    weights: Floats
    alpha: Floats

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return int(self.alpha.shape[1])

    def log_parts(self, y: Ints) -> Floats:
        """log(weight × probability of the survey as a sequence), (R, C) for surveys (R, L)."""
        most = int(y.max(initial=0))
        table = log_rises(self.alpha, most)
        totals = log_rises(self.alpha.sum(axis=1), int(y.sum(axis=1).max(initial=0)))
        parts = np.log(self.weights) - totals[:, y.sum(axis=1)].T
        for label in range(self.n_labels):
            seen = y[:, label] > 0
            parts[seen] += table[:, label, y[seen, label]].T
        return parts

    def log_probability(self, y: Ints) -> Floats:
        """The log-probability of surveys (R, L), each as a sequence."""
        top, total = _normaliser(self.log_parts(y))
        found: Floats = top + np.log(total)
        return found

    def predict(self, y: Ints) -> Floats:
        """P(ℓ | y) for surveys (R, L), also the posterior mean of an item's distribution."""
        return self.mean_of(normalised(self.log_parts(y)), y)

    def mean_of(self, share: Floats, y: Ints) -> Floats:
        """The prediction (R, L) where the components' posterior shares (R, C) are known."""
        part = share / (self.alpha.sum(axis=1) + y.sum(axis=1, keepdims=True))
        prediction: Floats = part @ self.alpha + part.sum(axis=1, keepdims=True) * y
        return prediction

    def shares_before(self, n: int) -> Floats:
        """The components' shares before any rating, once for each of n surveys."""
        return np.tile(self.weights, (n, 1))

    def shares_after(self, share: Floats, y: Ints, label: Ints) -> Floats:
        """The components' shares after one more rating `label` (R,) than in y."""
        seen = y[np.arange(len(y)), label]
        longer = share * (self.alpha.T[label] + seen[:, None])
        longer /= self.alpha.sum(axis=1) + y.sum(axis=1)[:, None]
        longer /= longer.sum(axis=1, keepdims=True)
        return longer

    def draw(self, rng: np.random.Generator, n: int) -> Floats:
        """The label distributions (n, L) of n items of this population."""
        component = rng.choice(len(self.weights), size=n, p=self.weights)
        # A Gamma of small shape underflows: G(a) = G(a + 1) U^(1/a), in logarithms.
        shape = self.alpha[component]
        logs = np.log(rng.standard_gamma(shape + 1)) + np.log(rng.random(shape.shape)) / shape
        p = np.exp(logs - logs.max(axis=1, keepdims=True))
        drawn: Floats = p / p.sum(axis=1, keepdims=True)
        return drawn


def log_rises(alpha: Floats, most: int) -> Floats:
    """Logarithms of rise(α, m) for m = 0..most, along a new last axis."""
    rises = np.zeros((*alpha.shape, most + 1))
    np.cumsum(np.log(alpha[..., None] + np.arange(most)), axis=-1, out=rises[..., 1:])
    return rises


def normalised(parts: Floats) -> Floats:
    """Shares that sum to one from logarithms (R, C)."""
    share: Floats = np.exp(parts - parts.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    return share


def _normaliser(parts: Floats) -> tuple[Floats, Floats]:
    top = parts.max(axis=1)
    return top, np.exp(parts - top[:, None]).sum(axis=1)
