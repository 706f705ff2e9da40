"""How well surveys of an item's own ratings predict the rest of them, with a learned predictor.

For an item with counts c of n ratings, k of them drawn without replacement give the survey y
with chance Π C(c_ℓ, y_ℓ) / C(n, k), and the held-out rating is ℓ with chance (c_ℓ − y_ℓ)/(n − k).
The table that comes out, a score for each group and each k, is all that an interval needs in
which what was learned is held fixed: a resample of items is a product with it.
"""

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.data import group_rows
from headcount.frozen import frozen
from headcount.population.functionals import Score, expected_score, label_scores
from headcount.population.mixtures import Mixture
from headcount.population.surveys import chance_of, count_surveys, sub_surveys

MOST_PAIRS = 100_000
"""More pairs of a group and a survey than this are drawn, not enumerated."""

_BUDGET = 8_000_000
"""How many posterior weights (orders × groups × ratings × components) drawing may take."""

_ROWS_AT_ONCE = 4000
"""Groups in as many orders as are looked at side by side: fewer waste time on each step."""


@frozen
class HeldOut:
    """Expected scores (G, n_k) of surveys of 0, 1, … ratings of each group's items.

    NaN where a group has too few ratings. `errors` (n_k,) are the standard errors that drawing
    leaves in the mean over items: 0 is exact.
    """

    scores: Floats
    errors: Floats


def held_out_scores(
    mixture: Mixture,
    counts: Ints,
    size: Floats,
    *,
    most: int,
    score: Score = "cross_entropy",
    clip: float | None = None,
    seed: int = 0,
) -> HeldOut:
    """The expected score of predictions from k = 0..most of an item's ratings for the rest.

    Small surveys are enumerated, larger ones drawn once there are too many of them.
    """
    told = np.arange(most + 1) < counts.sum(axis=1)[:, None]
    pairs = np.cumsum(count_surveys(counts, most).sum(axis=0))
    reach = max(int(np.searchsorted(pairs, MOST_PAIRS, side="right")) - 1, 0)
    scores = np.full((len(counts), most + 1), np.nan)
    errors = np.zeros(most + 1)
    scores[:, : reach + 1] = _enumerated(mixture, counts, reach, score, clip)
    if reach < most:
        drawn, variance = _drawn(mixture, counts, most, score, clip, seed)
        scores[:, reach + 1 :] = drawn[:, reach + 1 :]
        share = size[:, None] * told / np.maximum(size @ told, 1e-300)
        errors[reach + 1 :] = np.sqrt((share**2 * variance).sum(axis=0))[reach + 1 :]
    return HeldOut(np.where(told, scores, np.nan), errors)


def enumerated_scores(
    mixture: Mixture, counts: Ints, *, most: int, score: Score, clip: float | None
) -> Floats:
    """The same (G, most + 1) by surveys that are all enumerated, however many there are.

    For differences between tables: luck of a draw must not look like one.
    """
    pairs = np.cumsum(count_surveys(counts, most).sum(axis=1))
    part = np.asarray(pairs) // MOST_PAIRS
    told = np.arange(most + 1) < counts.sum(axis=1)[:, None]
    scores = np.full((len(counts), most + 1), np.nan)
    for each in np.unique(part):
        rows = part == each
        scores[rows] = _enumerated(mixture, counts[rows], most, score, clip)
    return np.where(told, scores, np.nan)


def _enumerated(
    mixture: Mixture, counts: Ints, most: int, score: Score, clip: float | None
) -> Floats:
    group, y = sub_surveys(counts, most)
    n, k = counts.sum(axis=1)[group], y.sum(axis=1)
    left = counts[group] - y
    chance = chance_of(y, counts[group])
    surveys = group_rows(y)
    scores = label_scores(mixture.predict(y[surveys.first]), score, clip)[surveys.of_row]
    reached = chance * expected_score(scores, left / (n - k)[:, None])
    width = most + 1
    summed = np.bincount(group * width + k, weights=reached, minlength=len(counts) * width)
    return summed.astype(np.float64).reshape(len(counts), width)


def _drawn(
    mixture: Mixture, counts: Ints, most: int, score: Score, clip: float | None, seed: int
) -> tuple[Floats, Floats]:
    """Ratings of each group put in a few random orders: surveys are their beginnings.

    Gives the mean scores (G, most + 1) and the variances of these means.
    """
    rng = np.random.default_rng([seed, 4])
    cost = len(counts) * (most + 1) * len(mixture.weights)
    # Two orders at least, or there is no variance to state.
    orders = int(np.clip(_BUDGET // cost, 2, 64))
    at_once = max(1, _ROWS_AT_ONCE // len(counts))
    parts = []
    for first in range(0, orders, at_once):
        several = min(at_once, orders - first)
        labels = np.concatenate([_shuffled(rng, counts) for _ in range(several)])
        again = np.tile(counts, (several, 1))
        reached = _one_order(mixture, again, labels, most, score, clip)
        parts.append(reached.reshape(several, len(counts), most + 1))
    drawn = np.concatenate(parts)
    return drawn.mean(axis=0), drawn.var(axis=0, ddof=1) / orders


def _one_order(
    mixture: Mixture, counts: Ints, labels: Ints, most: int, score: Score, clip: float | None
) -> Floats:
    """Scores (G, most + 1) where the ratings come in the order of `labels` (G, n)."""
    n, rows = counts.sum(axis=1), np.arange(len(counts))
    y, overall = np.zeros_like(counts), counts / n[:, None]
    # Which ratings happen to be left out is most of the noise of large surveys. Its effect on
    # the prediction from all ratings averages to nothing, so it can be taken off.
    steady = label_scores(mixture.predict(counts), score, clip)
    part = mixture.shares_before(len(counts))
    reached = np.empty((len(counts), most + 1))
    for k in range(most + 1):
        left = np.maximum(counts - y, 0) / np.maximum(n - k, 1)[:, None]
        scores = label_scores(mixture.mean_of(part, y), score, clip)
        reached[:, k] = expected_score(scores, left) - expected_score(steady, left - overall)
        if k < most:
            part = mixture.shares_after(part, y, labels[:, k])
            y[rows, labels[:, k]] += 1
    return reached


def _shuffled(rng: np.random.Generator, counts: Ints) -> Ints:
    """Each group's ratings in random order (G, n), then zeros where it has fewer."""
    n = counts.sum(axis=1)
    filled = np.arange(int(n.max())) < n[:, None]
    labels = np.zeros(filled.shape, dtype=np.int64)
    labels[filled] = np.repeat(np.tile(np.arange(counts.shape[1]), len(counts)), counts.ravel())
    order = np.argsort(np.where(filled, rng.random(filled.shape), 2.0), axis=1)
    return np.take_along_axis(labels, order, axis=1)
