"""Past the budget: surveys drawn at random instead of enumerated, with a Monte-Carlo error."""

from collections.abc import Iterator

import numpy as np

from headcount.data import group_rows
from headcount.equivalence.exact.level import Floats, Ints, Level, SmallInts
from headcount.errors import OptionError
from headcount.frozen import frozen

_LABELS = 10
"""The number of labels that the budget is counted for."""

_WORK = 100_000_000
"""Drawn survey × pattern × label comparisons at each k."""


@frozen
class Budget:
    """How much to enumerate before drawing.

    At most `surveys` (pattern, survey) pairs in all, and an eighth of them at one k, are
    enumerated (with more than ten labels fewer, as each costs more). From the first k past
    that, `draws` surveys of k raters are drawn instead, by default what takes about a second.
    """

    surveys: int = 40_000_000
    draws: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.surveys < 1:
            raise OptionError(f"max_surveys is at least 1; it was {self.surveys!r}.")

    def exact_to(self, at_each_k: Floats, n_labels: int) -> int:
        """The largest k up to which all surveys are enumerated; k = 0 always is."""
        limit = self.surveys * min(1.0, _LABELS / n_labels)
        fits = (np.cumsum(at_each_k) <= limit) & (at_each_k <= max(limit / 8, 1))
        fits[0] = True
        return int(np.argmin(fits)) - 1 if not fits.all() else len(fits) - 1

    def draws_for(self, counts: Ints) -> int:
        """How many surveys to draw at each k, from so many patterns and labels."""
        if self.draws is not None:
            return self.draws
        return int(np.clip(_WORK // counts.size, 1000, 20_000))


def drawn_levels(
    counts: Ints,
    sizes: Ints,
    first: int,
    most: int,
    budget: Budget,
    *,
    targets: Floats | None = None,
) -> Iterator[Level]:
    """Levels `first`..`most` of drawn surveys.

    Items are spread evenly over the data (systematic sampling); each answers one rater after
    the other, so that the surveys of k + 1 raters hold those of k and the curve is smooth.
    """
    rng = np.random.default_rng([budget.seed, 2])
    n_draws, n_items = budget.draws_for(counts), int(sizes.sum())
    places = (np.arange(n_draws) + rng.random()) * (n_items / n_draws)
    pattern = np.searchsorted(np.cumsum(sizes), places, side="right").astype(np.int32)
    order = _orders(counts[pattern], most, rng)
    for raters in range(first, most + 1):
        drawn = prefix(order, raters, counts.shape[1])
        distinct = group_rows(drawn)
        yield Level(
            raters=raters,
            patterns=len(counts),
            pattern=pattern,
            survey=distinct.of_row.astype(np.int32),
            surveys=drawn[distinct.first],
            chance=np.ones(n_draws),
            weight=n_items / (n_draws * sizes[pattern]),
            left=np.ascontiguousarray((counts[pattern] - drawn).T),
            targets=targets,
            order=order,
        )


def prefix(order: SmallInts, raters: int, n_labels: int) -> Ints:
    """The first `raters` answers of each row as a survey, (R, L)."""
    said = order[:, :raters]
    return np.stack([(said == label).sum(axis=1) for label in range(n_labels)], axis=1)


def _orders(counts: Ints, most: int, rng: np.random.Generator) -> SmallInts:
    """The first `most` answers of each row of counts, drawn one after the other."""
    left, rows = counts.copy(), np.arange(len(counts))
    order = np.empty((len(counts), most), dtype=np.int32)
    for place in range(most):
        reach = np.cumsum(left, axis=1)
        order[:, place] = (rng.random((len(counts), 1)) * reach[:, -1:] >= reach).sum(axis=1)
        left[rows, order[:, place]] -= 1
    return order
