"""Who rates what, and what they say: ragged crowds of named raters, with slips and retests."""

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Waiting times drawn at once, an item a row and a rater a column: 32 megabytes.
_BLOCK = 4_000_000


@frozen
class Replies:
    """Answers one by one: (R,) codes of item, rater, label and occasion (0 the first)."""

    item: Ints
    rater: Ints
    label: Ints
    occasion: Ints


def draw_labels(rng: np.random.Generator, chances: Floats) -> Ints:
    """One label for each row of `chances` (R, L), whose rows sum to one."""
    edges = chances.cumsum(axis=1)
    edges[:, -1] = 1.0
    drawn: Ints = (rng.random(len(chances))[:, None] >= edges).sum(axis=1)
    return drawn


def assign(
    rng: np.random.Generator, ratings_per_item: Ints, participation: Floats
) -> tuple[Ints, Ints]:
    """Which rater rates which item: (R,) item codes in order and (R,) rater codes.

    Each item draws its number of different raters with chances that follow
    `participation` (m,), by the order of exponential waiting times.
    """
    n_items, n_raters = len(ratings_per_item), len(participation)
    rows = max(1, _BLOCK // n_raters)
    rater = []
    for start in range(0, n_items, rows):
        wanted = ratings_per_item[start : start + rows]
        waits = rng.exponential(size=(len(wanted), n_raters)) / participation
        order = waits.argsort(axis=1)
        rater.append(order[np.arange(n_raters) < wanted[:, None]])
    item = np.repeat(np.arange(n_items), ratings_per_item)
    return item, np.concatenate(rater) if rater else item


def slip(rng: np.random.Generator, labels: Ints, rate: float, n_labels: int) -> Ints:
    """The labels as given when each slips with chance `rate` to any of the others, evenly."""
    slipped = rng.random(len(labels)) < rate
    other = (labels + rng.integers(1, n_labels, size=len(labels))) % n_labels
    return np.where(slipped, other, labels)


@frozen
class Crowd:
    """Named raters.

    `participation` (m,) is how much each rater does, relative to the others.
    `carelessness` (m,) is how often a rater does not look and answers by habit, and
    `habit` (m, L) with which chances. Everyone else's answer is a draw from how people see
    the item: that is the rater's own view of it, from which each answer given slips with
    chance `slip` to any of the other labels. A share `retests` of the answers is asked
    again; the view stays, the slip is drawn anew.
    """

    participation: Floats
    carelessness: Floats
    habit: Floats
    slip: float = 0.0
    retests: float = 0.0

    @classmethod
    def plain(cls, n_raters: int, n_labels: int) -> "Crowd":
        """Careful raters who never slip, all doing the same amount."""
        return cls(
            np.ones(n_raters), np.zeros(n_raters), np.full((n_raters, n_labels), 1 / n_labels)
        )

    def ask(self, rng: np.random.Generator, item: Ints, rater: Ints, views: Floats) -> Replies:
        """What `rater` (R,) says about `item` (R,), where `views` (R, L) holds the chances
        with which people like that rater see that item.
        """
        habit = rng.random(len(item)) < self.carelessness[rater]
        own_view = draw_labels(rng, np.where(habit[:, None], self.habit[rater], views))
        again = np.flatnonzero(rng.random(len(item)) < self.retests)
        which = np.concatenate([np.arange(len(item)), again])
        label = slip(rng, own_view[which], self.slip, views.shape[1])
        occasion = np.repeat([0, 1], [len(item), len(again)])
        return Replies(item[which], rater[which], label, occasion)
