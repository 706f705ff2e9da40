"""May the classifier replace a person? The alternative annotator test, on bare arrays.

Each rater in turn is set beside the classifier: on every item that others rated too, which of
the two is closer to those others? The classifier passes against a rater if it is not worse by
more than ε, the price one is ready to pay for not asking a person. A draw counts as a win for
both, which flatters: the share of draws is part of the answer.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.sampling.multiplicity import benjamini_yekutieli

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Score = Literal["equal", "rmse"]

LEAST_ITEMS = 30
"""A rater with fewer items that others rated too is not tested."""
_LEVEL = 0.05
_ROUNDING = 1e-9


@frozen(eq=False)
class Replacement:
    """The test's outcome; arrays run over the `raters` tested (codes, ascending).

    `items` compared, `classifier_wins` and `rater_wins` shares of them (draws in both),
    `p_value` that the classifier is worse by more than ε, `adjusted` by Benjamini–Yekutieli.
    `omega` is the share of raters it may stand in for, `rho` its mean share of wins, both None
    where nobody could be tested; `too_few` raters were left out.
    """

    raters: Ints
    items: Ints
    classifier_wins: Floats
    rater_wins: Floats
    p_value: Floats
    adjusted: Floats
    epsilon: float
    too_few: int

    @property
    def omega(self) -> float | None:
        """The share of raters against whom the classifier passes (winning rate)."""
        return float((self.adjusted <= _LEVEL).mean()) if len(self.raters) else None

    @property
    def rho(self) -> float | None:
        """The classifier's share of wins, draws included, averaged over raters."""
        return float(self.classifier_wins.mean()) if len(self.raters) else None

    @property
    def ties(self) -> float | None:
        """The share of draws, averaged over raters: so much of ρ was won without being closer."""
        if not len(self.raters):
            return None
        return float((self.classifier_wins + self.rater_wins - 1).mean())

    @property
    def passed(self) -> bool | None:
        """Whether ω is at least one half."""
        return None if self.omega is None else self.omega >= 0.5

    def sentence(self) -> str:
        """The outcome for people, with what flatters it."""
        if self.omega is None or self.ties is None or self.rho is None:
            return (
                f"The alternative annotator test needs raters with {LEAST_ITEMS} items that "
                "others rated too; there are none."
            )
        stands = int((self.adjusted <= _LEVEL).sum())
        verdict = "passes" if self.passed else "does not pass"
        return (
            f"It {verdict} the alternative annotator test: it may stand in for {stands} of "
            f"{len(self.raters)} raters (ε = {self.epsilon:g}); it is at least as close to the "
            f"others on {100 * self.rho:.0f} % of items, draws included "
            f"({100 * self.ties:.0f} % are draws, which count for both)."
        )


def replacement(
    item: ArrayLike,
    rater: ArrayLike,
    rating: ArrayLike,
    answers: ArrayLike,
    *,
    score: Score = "equal",
    epsilon: float = 0.2,
    least_items: int = LEAST_ITEMS,
) -> Replacement:
    """The alternative annotator test.

    Parameters
    ----------
    item, rater, rating
        (R,) codes of item and rater, and what the rater said: a label's code, or a number.
    answers
        (n,) what the classifier said of each item; NaN where it gave no answer.
    score
        "equal": the share of the others who said the same. "rmse": minus the root mean squared
        distance to the others, for scores.
    epsilon
        How much worse than a person it may be: .2 for experts, .15 for skilled and .1 for
        crowd raters in the authors' use.
    least_items
        Items that a rater needs, rated by someone else too, to be tested.

    Notes
    -----
    With d = (the rater wins) − (the classifier wins) on an item, a one-sided t test of
    mean d < ε for each rater, adjusted by Benjamini–Yekutieli, rejected at .05.

    References
    ----------
    Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.integers(0, 2, 200)
    >>> people = np.where(rng.random((200, 3)) < 0.8, truth[:, None], 1 - truth[:, None])
    >>> item, rater = np.divmod(np.arange(600), 3)
    >>> test = replacement(item, rater, people.ravel(), truth)
    >>> test.omega, round(test.rho, 2)
    (1.0, 0.99)
    """
    if not 0 <= epsilon < 1:
        raise OptionError(f"epsilon lies between 0 and 1, such as 0.2; it was {epsilon!r}.")
    if score not in ("equal", "rmse"):
        raise OptionError(f'score is "equal" or "rmse"; it was {score!r}.')
    items, raters = np.asarray(item, dtype=np.int64), np.asarray(rater, dtype=np.int64)
    ratings = np.asarray(rating, dtype=np.float64)
    said = np.asarray(answers, dtype=np.float64)
    size = np.bincount(items, minlength=len(said))
    usable = (size[items] > 1) & ~np.isnan(said[items])
    lead = _equal_lead if score == "equal" else _distance_lead
    ahead = lead(items, ratings, said)[usable]
    return _tested(raters[usable], ahead, int(raters.max(initial=-1)) + 1, epsilon, least_items)


def _equal_lead(item: Ints, rating: Floats, said: Floats) -> Floats:
    """For each rating, how many more of the others the classifier equals than the rater does."""
    labels = np.unique(rating)
    code = np.searchsorted(labels, rating)
    cells = np.bincount(item * len(labels) + code, minlength=len(said) * len(labels))
    counts = cells.reshape(len(said), len(labels))
    place = np.searchsorted(labels, said)
    known = np.isin(said, labels)
    own = np.where(known, place, 0)
    with_classifier = np.where(known, counts[np.arange(len(said)), own], 0)[item]
    return np.asarray(with_classifier - (said[item] == rating) - (counts[item, code] - 1))


def _distance_lead(item: Ints, rating: Floats, said: Floats) -> Floats:
    """For each rating, how much nearer to the others the classifier is, in sums of squares.

    Σ over others of (r − y)² − (s − y)² = (r − s)·(N(r + s) − 2Σy), N others: the root and the
    number of others do not change which is nearer, so neither is taken.
    """
    total = np.bincount(item, weights=rating, minlength=len(said))[item] - rating
    others = np.bincount(item, minlength=len(said))[item] - 1
    answer = said[item]
    lead = (rating - answer) * (others * (rating + answer) - 2 * total)
    scale = np.nanmax(np.abs(np.concatenate([rating, said])), initial=1.0)
    return np.where(np.abs(lead) <= _ROUNDING * scale**2, 0.0, lead)


def _tested(
    rater: Ints, ahead: Floats, n_raters: int, epsilon: float, least_items: int
) -> Replacement:
    items = np.bincount(rater, minlength=n_raters)
    wins = np.bincount(rater, weights=ahead >= 0, minlength=n_raters)
    losses = np.bincount(rater, weights=ahead <= 0, minlength=n_raters)
    draws = np.bincount(rater, weights=ahead == 0, minlength=n_raters)
    tested = np.flatnonzero(items >= max(least_items, 2))
    n, won, lost = items[tested], wins[tested] / items[tested], losses[tested] / items[tested]
    d = lost - won
    # d² is 1 except on draws.
    variance = (1 - draws[tested] / n - d**2) * n / (n - 1)
    p_value = _one_sided(d - epsilon, np.sqrt(np.maximum(variance, 0) / n), n - 1)
    return Replacement(
        raters=tested,
        items=n,
        classifier_wins=won,
        rater_wins=lost,
        p_value=p_value,
        adjusted=benjamini_yekutieli(p_value),
        epsilon=epsilon,
        too_few=int(((items > 0) & (items < max(least_items, 2))).sum()),
    )


def _one_sided(excess: Floats, error: Floats, freedom: Ints) -> Floats:
    """The chance of so low a mean if it were zero; without any spread, what the mean says."""
    spread = error > 1e-12
    t = excess / np.where(spread, error, 1)
    return np.where(spread, special.stdtr(freedom, t), np.where(excess < 0, 0.0, 1.0))
