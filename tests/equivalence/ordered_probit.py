"""Marks with a known truth: an ordered probit, and what two people's marks tell of a third's."""

import numpy as np
from scipy.stats import norm

CUTS = np.array([-1.2, -0.4, 0.4, 1.2])
LEVELS = [str(level) for level in range(1, len(CUTS) + 2)]
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(81)


class OrderedProbit:
    """An item lies at m ~ N(0, spread²); a rater sees m + N(0, 1) and gives the level of that."""

    def __init__(self, spread: float = 1.0, cuts: np.ndarray = CUTS) -> None:
        self.spread, self.cuts = spread, cuts

    def shares(self, place: np.ndarray) -> np.ndarray:
        """The chance of each level for items at `place` (n,), (n, L)."""
        below = norm.cdf(self.cuts - place[:, None])
        edges = np.column_stack([np.zeros(len(place)), below, np.ones(len(place))])
        return np.diff(edges, axis=1)

    def draw(self, rng: np.random.Generator, items: int) -> np.ndarray:
        """The items' own distributions over the levels (n, L)."""
        return self.shares(rng.normal(0, self.spread, items))

    def predict(self, counts: np.ndarray) -> np.ndarray:
        """The chance of each level for one more rater, given counts (n, L) of others: Bayes."""
        kinds = self.shares(_NODES * self.spread)
        logs = counts @ np.log(np.maximum(kinds, 1e-300)).T + np.log(_WEIGHTS)
        chance = np.exp(logs - logs.max(axis=1, keepdims=True))
        return chance / chance.sum(axis=1, keepdims=True) @ kinds
