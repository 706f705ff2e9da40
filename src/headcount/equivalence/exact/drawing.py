"""Past the budget: surveys drawn at random instead of enumerated, with a Monte-Carlo error."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from headcount.equivalence.exact.level import Floats, Ints, Level
from headcount.errors import OptionError


@dataclass(frozen=True)
class Budget:
    """How much to enumerate before drawing.

    At most `surveys` (pattern, survey) pairs in all, and an eighth of them at one k, are
    enumerated. From the first k past that, `draws` surveys of k raters are drawn instead,
    by default as many as keep the work near what enumeration was allowed.
    """

    surveys: int = 40_000_000
    draws: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.surveys < 1:
            raise OptionError(f"max_surveys is at least 1; it was {self.surveys!r}.")

    def exact_to(self, at_each_k: Floats) -> int:
        """The largest k up to which all surveys are enumerated; k = 0 always is."""
        fits = (np.cumsum(at_each_k) <= self.surveys) & (at_each_k <= max(self.surveys / 8, 1))
        fits[0] = True
        return int(np.argmin(fits)) - 1 if not fits.all() else len(fits) - 1

    def draws_for(self, patterns: int) -> int:
        """How many surveys to draw at each k."""
        if self.draws is not None:
            return self.draws
        return int(np.clip(self.surveys // (2 * patterns), 500, 20_000))


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
    n_draws, n_items = budget.draws_for(len(counts)), int(sizes.sum())
    places = (np.arange(n_draws) + rng.random()) * (n_items / n_draws)
    pattern = np.searchsorted(np.cumsum(sizes), places, side="right").astype(np.int32)
    left = counts[pattern].copy()
    rows = np.arange(n_draws)
    for raters in range(most + 1):
        if raters >= first:
            surveys, survey = np.unique(counts[pattern] - left, axis=0, return_inverse=True)
            yield Level(
                raters=raters,
                patterns=len(counts),
                pattern=pattern,
                survey=survey.ravel().astype(np.int32),
                surveys=surveys,
                chance=np.ones(n_draws),
                weight=n_items / (n_draws * sizes[pattern]),
                left=np.ascontiguousarray(left.T),
                targets=targets,
                drawn=True,
            )
        reach = np.cumsum(left, axis=1)
        answer = (rng.random((n_draws, 1)) * reach[:, -1:] >= reach).sum(axis=1)
        if raters < most:
            left[rows, answer] -= 1
