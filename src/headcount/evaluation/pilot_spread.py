"""How much label accuracy varies over the pilot's items, from labels alone.

The chance A that two labels of an item agree has a mean and a variance over items; pairs of
labels estimate the mean, two disjoint pairs of the same item the mean of A², both without bias
and without knowing any truth. With slips spread evenly A = (1 + (L − 1)c²)/L, where
c = (Lq − 1)/(L − 1) is the accuracy beyond guessing, so they give the spread of c².
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.budget import LabelAccuracy

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MEANS = 101
"""Mean accuracies that a likelihood is tabulated at."""
POINTS = 64
"""Values that stand for the distribution of label accuracy."""
LEAST_RATINGS = 4
"""Two disjoint pairs need four labels of an item."""


def agreement_moments(counts: Ints, weights: Floats) -> tuple[Floats, Floats]:
    """Mean of A and of A² over items with four ratings or more, (S,) each; NaN without any.

    `counts` (J, L) label counts of groups of items, `weights` (S, J) how often each counts.
    """
    n = counts.sum(axis=1)
    enough = n >= LEAST_RATINGS
    n = np.maximum(n, LEAST_RATINGS)
    pairs = (counts * (counts - 1)).sum(axis=1)
    four_alike = (counts * (counts - 1) * (counts - 2) * (counts - 3)).sum(axis=1)
    two_pairs = pairs**2 - ((counts * (counts - 1)) ** 2).sum(axis=1) + four_alike
    mean = pairs / (n * (n - 1))
    square = two_pairs / (n * (n - 1) * (n - 2) * (n - 3))
    used = weights * enough
    total = used.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (used @ mean) / total, (used @ square) / total


def skill_spread(mean: Floats, square: Floats, n_labels: int) -> tuple[Floats, Floats]:
    """Mean and variance over items of c², the square of accuracy beyond guessing."""
    scale = n_labels / (n_labels - 1)
    return (n_labels * mean - 1) / (n_labels - 1), (square - mean**2) * scale**2


def distribution(mean: float, variance: float, n_labels: int) -> LabelAccuracy:
    """Label accuracy over items with this mean and variance of c²: c² as a Beta distribution.

    No variance beyond chance is one accuracy for all; more than a Beta can have, its limit.
    """
    mean = min(max(mean, 0.0), 1.0)
    most = mean * (1 - mean)
    if not variance > 1e-6 or most <= 1e-6:
        return LabelAccuracy.same(float(_accuracy(np.sqrt(mean), n_labels)))
    variance = min(variance, 0.95 * most)
    from scipy.special import betaincinv

    size = most / variance - 1
    quantiles = (np.arange(POINTS) + 0.5) / POINTS
    squares = betaincinv(mean * size, (1 - mean) * size, quantiles)
    return LabelAccuracy.of(np.clip(_accuracy(np.sqrt(squares), n_labels), 0.0, 1.0))


def moved_to(labels: LabelAccuracy, mean: float, n_labels: int) -> LabelAccuracy:
    """The same spread around another mean: accuracies beyond guessing scaled together."""
    skill = (n_labels * np.asarray(labels.values) - 1) / (n_labels - 1)
    wanted = (n_labels * mean - 1) / (n_labels - 1)
    if not labels.varies or not 1e-6 < wanted < 1 - 1e-6 or skill.mean() < 1e-6:
        return LabelAccuracy.same(mean)
    scaled = skill * wanted / skill.mean()
    for _ in range(50):  # what a limit of 1 cuts off goes to the others
        scaled = np.minimum(scaled * wanted / scaled.mean(), 1.0)
    return LabelAccuracy.of(np.clip(_accuracy(scaled, n_labels), 0.0, 1.0))


@dataclass(frozen=True)
class LabelModel:
    """Labels of one item as a function of their mean accuracy, on a grid of means.

    `means` (G,) runs from chance to 1; `values` (G, V) are the accuracies over items at each
    mean, equally weighted: one where every item is alike.
    """

    means: Floats
    values: Floats
    n_labels: int

    @classmethod
    def of(cls, labels: LabelAccuracy, n_labels: int) -> "LabelModel":
        """The spread of these labels, moved to every mean of the grid."""
        means = np.linspace(1 / n_labels, 1.0, MEANS)
        values = [moved_to(labels, float(mean), n_labels).values for mean in means[1:-1]]
        ends = [(float(end),) * len(values[0]) for end in (means[0], means[-1])]
        return cls(means, np.array([ends[0], *values, ends[1]]), n_labels)

    def log_chances(self, agreeing: Ints, ratings: Ints) -> Floats:
        """Log chance of the labels of each item where they should be `agreeing` ones, (G, J).

        Up to the number of orders in which they can come, the same whoever is right.
        """
        pairs, place = np.unique(np.stack([agreeing, ratings]), axis=1, return_inverse=True)
        values = np.clip(self.values, 1e-9, 1 - 1e-9)[:, :, None]
        right, slip = np.log(values), np.log((1 - values) / (self.n_labels - 1))
        logs = pairs[0] * right + (pairs[1] - pairs[0]) * slip
        top = logs.max(axis=1, keepdims=True)
        chances: Floats = (np.log(np.exp(logs - top).mean(axis=1)) + top[:, 0])[:, place.ravel()]
        return chances

    def place(self, accuracy: Floats) -> Floats:
        """Where in the grid these mean accuracies stand, (S,)."""
        return np.interp(accuracy, self.means, np.arange(len(self.means)))

    def accuracy(self, place: Floats) -> Floats:
        """The mean accuracy at a place of the grid."""
        return np.interp(place, np.arange(len(self.means)), self.means)


def _accuracy(skill: Any, n_labels: int) -> Any:
    return (1 + (n_labels - 1) * skill) / n_labels
