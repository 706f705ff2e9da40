"""How far a predicted distribution over labels lies from the shares of people who gave each.

A few people's shares are not everybody's: even the ideal prediction, each item's own distribution,
lies some way from what K people happen to say. That distance is the floor: what sampling alone
causes. A distance is to be read against it.
"""

from collections.abc import Callable

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen
from headcount.metrics.row_scorers import clipped
from headcount.metrics.scorer import clip_for

Of = Callable[[Floats, Floats, Floats], Floats]

# Items drawn for a floor, which then varies by about a hundredth of itself.
_DRAWN = 4_000


@frozen
class Distance:
    """A distance between distributions over labels, less is nearer.

    `most` is the greatest it can be (None: it depends on the labels' numbers, or there is no
    such bound), `reads_order` tells that it counts how far labels lie apart.
    """

    name: str
    about: str
    most: float | None
    reads_order: bool
    of: Of

    def __call__(self, predicted: Floats, shares: Floats, *, values: Floats) -> Floats:
        """Row by row: predictions and people's shares (n, L) give (n,); labels lie at `values`."""
        return self.of(np.asarray(predicted), np.asarray(shares), values)


def _manhattan(predicted: Floats, shares: Floats, _values: Floats) -> Floats:
    apart: Floats = np.abs(predicted - shares).sum(axis=1)
    return apart


def _wasserstein(predicted: Floats, shares: Floats, values: Floats) -> Floats:
    below = np.cumsum(predicted - shares, axis=1)[:, :-1]
    moved: Floats = np.abs(below) @ np.diff(values)
    return moved


def _kl(predicted: Floats, shares: Floats, _values: Floats) -> Floats:
    return _bits(shares, clipped(predicted, clip_for(predicted.shape[1])))


def _jsd(predicted: Floats, shares: Floats, _values: Floats) -> Floats:
    middle = (predicted + shares) / 2
    return (_bits(predicted, middle) + _bits(shares, middle)) / 2


def _bits(p: Floats, q: Floats) -> Floats:
    """Σ p log₂(p/q), nothing where p is nothing."""
    held = p > 0
    ratio = np.where(held, p, 1.0) / np.where(held, q, 1.0)
    total: Floats = np.einsum("nl,nl->n", np.where(held, p, 0.0), np.log2(ratio))
    return total


MANHATTAN = Distance(
    "manhattan", "the sum of the differences between shares", 2.0, False, _manhattan
)
WASSERSTEIN = Distance(
    "wasserstein",
    "how far people would have to move on the scale to become what is predicted",
    None,
    True,
    _wasserstein,
)
KL = Distance(
    "kl", "bits of surprise that the prediction adds to people's own spread", None, False, _kl
)
JSD = Distance("jsd", "Jensen and Shannon's divergence, in bits", 1.0, False, _jsd)

DISTANCES: dict[str, Distance] = {each.name: each for each in (MANHATTAN, WASSERSTEIN, KL, JSD)}


def mean_distance(
    distance: Distance, predicted: Floats, counts: Ints, size: Floats, *, values: Floats
) -> float:
    """The mean over items of the distance to the shares in `counts` (G, L), `size` items each."""
    held = counts.sum(axis=1) > 0
    shares = counts[held] / counts[held].sum(axis=1, keepdims=True)
    each = distance(predicted[held], shares, values=values)
    return float(size[held] @ each / size[held].sum())


def sampling_floor(
    distance: Distance,
    draw: Callable[[np.random.Generator, int], Floats],
    ratings: Ints,
    size: Floats,
    *,
    values: Floats,
    seed: int = 0,
) -> float:
    """The mean distance of items' own distributions from the shares of a few people.

    `draw(rng, n)` gives the distributions (n, L) of items of a population; `ratings` (G,) and
    `size` (G,) say how many items have how many ratings. What is drawn is the same for every
    distance.

    >>> certain = lambda rng, n: np.tile([0.0, 1.0], (n, 1))
    >>> sampling_floor(MANHATTAN, certain, np.array([3]), np.ones(1), values=np.arange(2.0))
    0.0
    """
    rng = np.random.default_rng([seed, 11])  # the same items and people for every distance
    n = rng.choice(ratings, size=_DRAWN, p=size / size.sum())
    own = draw(rng, _DRAWN)
    shares = rng.multinomial(n, own / own.sum(axis=1, keepdims=True)) / n[:, None]
    return float(distance(own, shares, values=values).mean())
