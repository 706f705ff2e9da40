"""What a population of items is: a mixture of Dirichlets, or of finitely many kinds of items.

Kinds are the label distributions that a population without any form may hold.
"""

from itertools import combinations

import numpy as np
from scipy.special import ndtr, ndtri

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen

# Surveys × components that are predicted together: more do not fit the caches.
_AT_ONCE = 30_000


@frozen
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
        return self._log_parts(y, *self._rises(y))

    def _rises(self, y: Ints) -> tuple[Floats, Floats]:
        """`log_rises` of each α and of their sums, as far as surveys (R, L) ask for them."""
        return (
            log_rises(self.alpha.T, int(y.max(initial=0))),
            log_rises(self.alpha.sum(axis=1), int(y.sum(axis=1).max(initial=0))),
        )

    def _log_parts(self, y: Ints, rises: Floats, totals: Floats) -> Floats:
        parts: Floats = np.log(self.weights) - totals[y.sum(axis=1)]
        for label in range(self.n_labels):
            seen = np.flatnonzero(y[:, label])
            if 2 * len(seen) > len(y):  # log rise(α, 0) = 0
                parts += rises[:, label][y[:, label]]
            else:
                parts[seen] += rises[:, label][y[seen, label]]
        return parts

    def log_probability(self, y: Ints) -> Floats:
        """The log-probability of surveys (R, L), each as a sequence."""
        return _log_sums(self.log_parts(y))

    def predict(self, y: Ints) -> Floats:
        """P(ℓ | y) for surveys (R, L), also the posterior mean of an item's distribution."""
        rises, predicted = self._rises(y), np.empty(y.shape)
        step = max(1, _AT_ONCE // len(self.weights))
        for first in range(0, len(y), step):
            part = y[first : first + step]
            share = normalised(self._log_parts(part, *rises))
            predicted[first : first + step] = self.mean_of(share, part)
        return predicted

    def told(self, y: Ints) -> tuple[Floats, Floats]:
        """`log_probability` and `predict` of the same surveys (R, L)."""
        parts = self.log_parts(y)
        return _log_sums(parts), self.mean_of(normalised(parts), y)

    def mean_of(self, share: Floats, y: Ints | Floats) -> Floats:
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
    """Logarithms of rise(α, m) for m = 0..most, along a new first axis."""
    rises = np.zeros((most + 1, *alpha.shape))
    step = np.arange(most).reshape(-1, *[1] * alpha.ndim)
    np.cumsum(np.log(alpha + step), axis=0, out=rises[1:])
    return rises


def normalised(parts: Floats) -> Floats:
    """Shares that sum to one from logarithms (R, C)."""
    share: Floats = np.exp(parts - parts.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    return share


def _log_sums(parts: Floats) -> Floats:
    """The logarithms (R,) of sums of what has the logarithms (R, C)."""
    top = parts.max(axis=1)
    found: Floats = top + np.log(np.exp(parts - top[:, None]).sum(axis=1))
    return found


# Stands for a probability of zero in a logarithm, so that nought times it is nought.
_NOTHING = 1e-300


@frozen
class Atoms:
    """Kinds of items: `weights` (M,) and label distributions `atoms` (M, L).

    `slip` is the chance that a rating is not what the rater means, slips spread evenly over
    the other labels: ratings are then draws from (1 − f)s + f(1 − s)/(L − 1), and `atoms` are
    the s. `reserve` is a share of prediction spread evenly over the atoms, so that a survey
    which the fitted weights hold impossible still has an answer.
    """

    weights: Floats
    atoms: Floats
    slip: float = 0.0
    reserve: float = 0.0

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return int(self.atoms.shape[1])

    def log_likelihoods(self, y: Ints | Floats) -> Floats:
        """The log-likelihoods of surveys (R, L) as sequences under each atom, (R, M)."""
        chances = np.maximum(through_slips(self.atoms, self.slip), _NOTHING)
        logs: Floats = y.astype(np.float64) @ np.log(chances).T
        return logs

    def log_probability(self, y: Ints) -> Floats:
        """The log-probability of surveys (R, L), each as a sequence."""
        return self._log_sums(self.log_likelihoods(y))

    def log_parts(self, y: Ints | Floats) -> Floats:
        """log(weight × P(y | atom)) up to a constant, with the reserve, (R, M)."""
        return self.log_likelihoods(y) + self._log_reserved()

    def told(self, y: Ints) -> tuple[Floats, Floats]:
        """`log_probability` and `predict` of the same surveys (R, L)."""
        logs = self.log_likelihoods(y)
        return self._log_sums(logs), self.mean_of(normalised(logs + self._log_reserved()), y)

    def predict(self, y: Ints | Floats) -> Floats:
        """P(ℓ | y) for surveys (R, L), whole numbers or not: the mean of an item's distribution."""
        return self.mean_of(normalised(self.log_parts(y)), y)

    def mean_of(self, share: Floats, y: Ints | Floats) -> Floats:
        """The prediction (R, L) where the atoms' posterior shares (R, M) are known."""
        prediction: Floats = share @ self.atoms
        return prediction

    def shares_before(self, n: int) -> Floats:
        """The atoms' shares before any rating, once for each of n surveys."""
        return np.tile(self._reserved(), (n, 1))

    def shares_after(self, share: Floats, y: Ints, label: Ints) -> Floats:
        """The atoms' shares after one more rating `label` (R,) than in y."""
        longer = share * np.maximum(through_slips(self.atoms, self.slip), _NOTHING).T[label]
        longer /= longer.sum(axis=1, keepdims=True)
        return longer

    def _log_sums(self, logs: Floats) -> Floats:
        """The log-probabilities (R,) of surveys from those under each atom, (R, M)."""
        top = logs.max(axis=1)
        there = np.maximum(np.exp(logs - top[:, None]) @ self.weights, _NOTHING)
        found: Floats = top + np.log(there)
        return found

    def _log_reserved(self) -> Floats:
        logs: Floats = np.log(np.maximum(self._reserved(), _NOTHING))
        return logs

    def _reserved(self) -> Floats:
        weights: Floats = (1 - self.reserve) * self.weights + self.reserve / len(self.weights)
        return weights

    def draw(self, rng: np.random.Generator, n: int) -> Floats:
        """The label distributions (n, L) of n items of this population."""
        drawn: Floats = self.atoms[rng.choice(len(self.weights), size=n, p=self.weights)]
        return drawn

    def without_slips(self) -> "Atoms":
        """The same kinds of items, asked people who never slip."""
        # Kinds that the fit gives no weight would only cost time in everything that follows.
        held = self.weights > 1e-12
        return Atoms(self.weights[held] / self.weights[held].sum(), self.atoms[held])


def through_slips(s: Floats, slip: float) -> Floats:
    """What ratings of s (…, L) look like when a share `slip` of them are slips."""
    seen: Floats = (1 - slip) * s + slip * (1 - s) / (s.shape[-1] - 1)
    return seen


def before_slips(q: Floats, slip: float) -> Floats:
    """The s that looks most like q (…, L) through slips: the inverse, brought back to [0, 1]."""
    n_labels = q.shape[-1]
    s = np.maximum((q - slip / (n_labels - 1)) / (1 - slip * n_labels / (n_labels - 1)), 0.0)
    found: Floats = s / s.sum(axis=-1, keepdims=True)
    return found


Mixture = Atoms | Dirichlets


# Where people place an item, in standard deviations: all but one in two thousand lie within.
_PLACES = np.linspace(-3.5, 3.5, 41)

# How far people are apart: from all alike to divided between the ends.
_SPREADS = (0.2, 0.4, 0.7, 1.0, 1.5, 2.5, 4.0)

# How many `ordered_kinds` there are.
N_ORDERED_KINDS = len(_PLACES) * len(_SPREADS)
_CORNER, _BETWEEN = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4), (0.0, 0.06)
"""How far kinds at the corners, and those between labels, lean to what all people say."""

# Sets of labels given to the same items that have kinds of their own, the commonest first.
_MOST_SETS = 30

# How two labels may divide people: in tenths, which few ratings an item hardly tell apart.
_STEPS = np.arange(0.1, 0.95, 0.1)

# Kinds drawn from the mixture, and items whose own kinds are offered: the commonest.
_DRAWN = 300


def two_label_grid(most_ratings: int) -> Floats:
    """Label distributions (M, 2) evenly spaced, finer where many ratings tell them apart."""
    # K ratings tell shares apart to about 1/√K; the grid is finer than that throughout.
    n_points = 201 if most_ratings <= 50 else 401 if most_ratings <= 100 else 1001
    p = np.linspace(0.0, 1.0, n_points)
    return np.column_stack([1 - p, p])


def ordered_kinds(counts: Ints, size: Floats) -> Floats:
    """The distributions over levels (M, L) of items at every place and spread."""
    # Half a rating more of each level: one that nobody gave still has room between two cuts.
    common = size @ counts + 0.5
    cuts = ndtri(np.cumsum(common / common.sum())[:-1])
    kinds = []
    for spread in _SPREADS:
        below = ndtr((cuts - _PLACES[:, None]) / spread)
        ends = np.zeros(len(_PLACES)), np.ones(len(_PLACES))
        kinds.append(np.diff(np.column_stack([ends[0], below, ends[1]]), axis=1))
    found: Floats = np.maximum(np.vstack(kinds), 0.0)
    return found


def kinds_of(mixture: Mixture, counts: Ints, size: Floats, *, seed: int = 0) -> Floats:
    """Label distributions (M, L) that items rated like these counts (G, L) may have."""
    overall = size @ counts / float(size @ counts.sum(axis=1))
    corners = [_leaning(np.eye(counts.shape[1]), overall, by) for by in _CORNER]
    between = _between(counts, size)
    drawn = mixture.draw(np.random.default_rng([seed, 9]), _DRAWN)
    seen = mixture.predict(counts[np.argsort(-size, kind="stable")[:_DRAWN]])
    ways = [_leaning(between, overall, by) for by in _BETWEEN] if len(between) else []
    even = np.full(counts.shape[1], 1 / counts.shape[1])
    return np.vstack([*corners, *ways, overall[None], even[None], drawn, seen])


def _leaning(kinds: Floats, overall: Floats, by: float) -> Floats:
    leaning: Floats = (1 - by) * kinds + by * overall
    return leaning


def _between(counts: Ints, size: Floats) -> Floats:
    """Even divisions among labels that go together, and uneven ones between two of them."""
    sets: dict[tuple[int, ...], float] = {}
    for row, items in zip(counts > 0, size, strict=True):
        given = np.flatnonzero(row)
        for n in range(2, min(len(given), 4) + 1):
            for labels in combinations(given.tolist(), n):
                sets[labels] = sets.get(labels, 0.0) + float(items)
    common = sorted(sets, key=lambda each: -sets[each])[:_MOST_SETS]
    found = []
    for labels in common:
        shares = [np.full(len(labels), 1 / len(labels))]
        if len(labels) == 2:
            shares += [np.array([step, 1 - step]) for step in _STEPS if abs(step - 0.5) > 0.01]
        for share in shares:
            kind = np.zeros(counts.shape[1])
            kind[list(labels)] = share
            found.append(kind)
    return np.array(found)
