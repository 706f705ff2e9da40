"""Mixtures of Dirichlets fitted to groups of counts: the population of items of many labels.

Under a Dirichlet α with A = Σα, counts c of n ratings have (as a sequence) the probability
Π_ℓ rise(α_ℓ, c_ℓ) / rise(A, n) with rise(a, m) = a(a+1)···(a+m−1). Everything the fit needs
is therefore a sum over tables indexed by (label, count): items enter through one sparse matrix
of which counts they have, and a step of the EM algorithm costs as much as there are nonzero
counts. α itself is found by the minorisation of Minka's fixed point, whose steps need only how
often each count is exceeded.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST = 1e-3
"""The least α: a label that a component has never seen keeps a trace of probability."""

MOST = 1e4
"""The greatest α: a component this concentrated is a point for any survey that is asked."""

_INNER = 3

_PRIOR_SEEN, _PRIOR_SIZE = 0.1, 0.05
"""A Gamma prior on each α, as if it had been seen a tenth of a time: weak, and proper."""


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
        table = _log_rises(self.alpha, most)
        totals = _log_rises(self.alpha.sum(axis=1), int(y.sum(axis=1).max(initial=0)))
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


@dataclass(frozen=True)
class Tallies:
    """Which counts the groups have, as a sparse matrix of cells.

    A group has a one in the cell (label, count) of each of its nonzero counts, and one in the
    cell (all labels, ratings); cells are numbered label × width + count.
    """

    cells: sparse.csr_array
    transposed: sparse.csr_array
    n_labels: int
    width: int

    @classmethod
    def of(cls, counts: Ints) -> "Tallies":
        """The tallies of counts (G, L)."""
        every = np.column_stack([counts, counts.sum(axis=1)])
        width = int(every.max(initial=0)) + 1
        group, label = np.nonzero(every)
        place = label * width + every[group, label]
        shape = (len(every), every.shape[1] * width)
        cells = sparse.csr_array((np.ones(len(group)), (group, place)), shape=shape)
        return cls(cells, cells.T.tocsr(), counts.shape[1], width)

    def log_parts(self, mixture: Dirichlets) -> Floats:
        """As `Dirichlets.log_parts`, for these groups."""
        rises = _log_rises(np.vstack([mixture.alpha.T, mixture.alpha.sum(axis=1)]), self.width - 1)
        rises[-1] *= -1
        table = np.ascontiguousarray(rises.transpose(0, 2, 1)).reshape(-1, len(mixture.weights))
        parts: Floats = self.cells @ table
        parts += np.log(mixture.weights)
        return parts

    def exceeded(self, share: Floats) -> Floats:
        """How often each count 0, 1, … is exceeded, (L + 1, width − 1, C), by shares (G, C)."""
        found = (self.transposed @ share).reshape(self.n_labels + 1, self.width, -1)
        return np.cumsum(found[:, :0:-1], axis=1)[:, ::-1]


def fit_dirichlets(
    tallies: Tallies,
    size: Floats,
    start: Dirichlets,
    *,
    tolerance: float = 1e-4,
    most_steps: int = 300,
) -> tuple[Dirichlets, float]:
    """The mixture of highest likelihood near `start`, and its log-likelihood.

    Steps of the EM algorithm, stretched as SQUAREM does (Varadhan and Roland 2008), until a
    round of three gains less than `tolerance` an item.
    """
    total = float(size.sum())
    mixture, last = start, -np.inf
    for _ in range(most_steps // 3):
        once, reached = _step(tallies, size, mixture)
        if reached - last < tolerance * total:
            break
        last = reached
        twice, sure = _step(tallies, size, once)
        mixture = _stretched(tallies, size, (mixture, once, twice), sure)
    return mixture, reached


def _stretched(
    tallies: Tallies, size: Floats, path: tuple[Dirichlets, Dirichlets, Dirichlets], sure: float
) -> Dirichlets:
    """Two EM steps continued as far as they seem to lead, and settled by a third.

    An extrapolation that falls below `sure`, the log-likelihood after one step, is given up.
    """
    at, one, two = (_logs(each) for each in path)
    step, bend = one - at, two - 2 * one + at
    length = float(np.sqrt(float(step @ step) / max(float(bend @ bend), 1e-300)))
    if length <= 1:
        return path[2]
    far = _from_logs(at + 2 * length * step + length**2 * bend, path[0])
    settled, reached = _step(tallies, size, far)
    return settled if reached > sure else path[2]


def _logs(mixture: Dirichlets) -> Floats:
    logs: Floats = np.log(np.concatenate([mixture.weights, mixture.alpha.ravel()]))
    return logs


def _from_logs(logs: Floats, like: Dirichlets) -> Dirichlets:
    n = len(like.weights)
    weights = np.exp(logs[:n] - logs[:n].max())
    alpha = np.exp(np.clip(logs[n:], np.log(LEAST), np.log(MOST)))
    return Dirichlets(weights / weights.sum(), alpha.reshape(like.alpha.shape))


def _step(tallies: Tallies, size: Floats, mixture: Dirichlets) -> tuple[Dirichlets, float]:
    """One EM step, and the log-likelihood of the mixture it starts from.

    Weights from the shares of items, α by a few steps of its fixed point.
    """
    parts = tallies.log_parts(mixture)
    top = parts.max(axis=1)
    share = np.exp(parts - top[:, None])
    sums = share.sum(axis=1)
    reached = float(size @ (top + np.log(sums)))
    share *= (size / sums)[:, None]
    exceeded = tallies.exceeded(share)
    # Counts that no item has would only add nothing.
    most = int(np.flatnonzero(exceeded[:-1].any(axis=(0, 2))).max(initial=0)) + 1
    labels, lengths = exceeded[:-1, :most], exceeded[-1]
    at, length = np.arange(most)[:, None], np.arange(len(lengths))[:, None]
    alpha = mixture.alpha.T
    for _ in range(_INNER):
        seen = alpha * (labels / (alpha[:, None] + at)).sum(axis=1)
        drawn = (lengths / (alpha.sum(axis=0) + length)).sum(axis=0)
        alpha = np.clip((seen + _PRIOR_SEEN) / (drawn + _PRIOR_SIZE), LEAST, MOST)
    # One item spread over the components keeps every one of them alive.
    weight = share.sum(axis=0) + 1 / len(mixture.weights)
    return Dirichlets(weight / weight.sum(), np.ascontiguousarray(alpha.T)), reached


def _log_rises(alpha: Floats, most: int) -> Floats:
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
