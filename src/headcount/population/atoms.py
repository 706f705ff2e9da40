"""A population of finitely many kinds of items, each with its own label distribution."""

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.population.dirichlet import normalised

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NOTHING = 1e-300
"""Stands for a probability of zero in a logarithm, so that nought times it is nought."""


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

    def log_likelihoods(self, y: Ints) -> Floats:
        """The log-likelihoods of surveys (R, L) as sequences under each atom, (R, M)."""
        chances = np.maximum(through_slips(self.atoms, self.slip), _NOTHING)
        return y.astype(np.float64) @ np.log(chances).T

    def log_probability(self, y: Ints) -> Floats:
        """The log-probability of surveys (R, L), each as a sequence."""
        return self._log_sums(self.log_likelihoods(y))

    def log_parts(self, y: Ints) -> Floats:
        """log(weight × P(y | atom)) up to a constant, with the reserve, (R, M)."""
        return self.log_likelihoods(y) + self._log_reserved()

    def told(self, y: Ints) -> tuple[Floats, Floats]:
        """`log_probability` and `predict` of the same surveys (R, L)."""
        logs = self.log_likelihoods(y)
        return self._log_sums(logs), self.mean_of(normalised(logs + self._log_reserved()), y)

    def predict(self, y: Ints) -> Floats:
        """P(ℓ | y) for surveys (R, L): the posterior mean of an item's distribution."""
        return self.mean_of(normalised(self.log_parts(y)), y)

    def mean_of(self, share: Floats, y: Ints) -> Floats:
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


def two_label_grid(most_ratings: int) -> Floats:
    """Label distributions (M, 2) evenly spaced, finer where many ratings tell them apart."""
    n_points = 201 if most_ratings <= 50 else 401 if most_ratings <= 100 else 1001
    p = np.linspace(0.0, 1.0, n_points)
    return np.column_stack([1 - p, p])
