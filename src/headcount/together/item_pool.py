"""What k people tell and what a classifier says of the item itself, pooled: P(ℓ|y)^u (q(ℓ)/p(ℓ))^v.

With many labels or few items cells are thin; the pool has two numbers for each k instead, learned
outside an item's fold. With nobody asked it is the calibrated classifier as it stands.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headcount.data import group_rows
from headcount.frozen import frozen
from headcount.population import Mixture, Score, count_surveys, every_survey, label_scores
from headcount.together.survey_tables import chances_of_surveys

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LEAST = 1e-4
"""A calibrated probability of nought may be luck: it is taken for this."""

_MOST_PAIRS = 3_000_000
"""(Item, survey) pairs of one survey size up to which the pool is worked out."""

_LEARNED_FROM = 20_000
"""Pairs that the two numbers are learned from."""

_STEPS = 12
"""Newton steps for two numbers of a convex problem: five are enough."""


@frozen(eq=False)
class _Pairs:
    """Rows and surveys they may show, `row`, `survey`, `chance` (Z,), and what is `left` (Z, L)."""

    row: Ints
    survey: Ints
    chance: Floats
    left: Floats


@frozen(eq=False)
class ItemPool:
    """Items as rows: `counts` (n, L), `size` (n,), `fold` (n,), what the classifier says (n, L).

    `powers` (K + 1, F, 2) are u and v for each k, learned outside the fold.
    """

    fold: Ints
    said: Floats
    mixtures: tuple[Mixture, ...]
    powers: Floats

    @classmethod
    def learn(
        cls,
        counts: Ints,
        size: Floats,
        fold: Ints,
        said: Floats,
        mixtures: Sequence[Mixture],
        most: int,
    ) -> "ItemPool | None":
        """The pool for k = 0..`most`; None where it would take too long."""
        known = cls(fold, np.maximum(said, _LEAST), tuple(mixtures), np.ones((1, len(mixtures), 2)))
        powers = [known.powers[0]]
        for k in range(1, most + 1):
            if _n_pairs(counts, k) > _MOST_PAIRS:
                return None
            powers.append(known._learned(_pairs_of(counts, k), size, k))
        return cls(known.fold, known.said, known.mixtures, np.array(powers))

    def scores(self, counts: Ints, k: int, score: Score, clip: float | None) -> Floats:
        """The expected score of k answers and the classifier's on each row's items (n,).

        NaN where a row has no answer beside the k.
        """
        pairs = _pairs_of(counts, k)
        people, own = self._terms(pairs, k)
        power = self.powers[k][self.fold[pairs.row]]
        q = _normalised(power[:, :1] * people + power[:, 1:] * own)
        each = (pairs.left * label_scores(q, score, clip)).sum(axis=1)
        found = np.bincount(pairs.row, weights=pairs.chance * each, minlength=len(counts))
        return np.where(counts.sum(axis=1) > k, found, np.nan)

    def _terms(self, pairs: _Pairs, k: int) -> tuple[Floats, Floats]:
        """Log P(ℓ | y) and log(q(ℓ)/p(ℓ)) of every pair, (Z, L) each."""
        y = every_survey(k, self.said.shape[1])
        nobody = every_survey(0, self.said.shape[1])
        of_folds = np.log(np.maximum([each.predict(y) for each in self.mixtures], _LEAST))
        base = np.log(np.maximum([each.predict(nobody)[0] for each in self.mixtures], _LEAST))
        own: Floats = np.log(self.said) - base[self.fold]
        return of_folds[self.fold[pairs.row], pairs.survey], own[pairs.row]

    def _learned(self, pairs: _Pairs, size: Floats, k: int) -> Floats:
        """U and v of each fold (F, 2): highest likelihood of the other folds' answers."""
        step = -(-len(pairs.row) // _LEARNED_FROM)
        some = _Pairs(
            pairs.row[::step], pairs.survey[::step], pairs.chance[::step], pairs.left[::step]
        )
        people, own = self._terms(some, k)
        weight = some.chance * size[some.row]
        n_folds = len(self.mixtures)
        fold = self.fold[some.row]
        powers = np.ones((n_folds, 2))
        for each in range(n_folds):
            of = weight * (fold != each) if n_folds > 1 else weight
            powers[each] = _two_powers(people, own, some.left, of)
        return powers


def _two_powers(people: Floats, own: Floats, left: Floats, weight: Floats) -> Floats:
    """U and v at which Σ weight Σ_ℓ left(ℓ) log q(ℓ) is highest, q ∝ exp(u people + v own)."""
    at = np.ones(2)
    seen = np.array([weight @ (left * each).sum(axis=1) for each in (people, own)])
    for _ in range(_STEPS):
        q = _normalised(at[0] * people + at[1] * own)
        first, second = (q * people).sum(axis=1), (q * own).sum(axis=1)
        slope = seen - np.array([weight @ first, weight @ second])
        crossed = weight @ ((q * people * own).sum(axis=1) - first * second)
        bend = np.array(
            [
                [weight @ ((q * people**2).sum(axis=1) - first**2), crossed],
                [crossed, weight @ ((q * own**2).sum(axis=1) - second**2)],
            ]
        )
        # A ridge of a thousandth keeps v where it is for a constant answer, which tells nothing.
        bend += 1e-3 * np.eye(2) * max(float(np.trace(bend)), 1e-12)
        move = np.clip(np.linalg.solve(bend, slope), -0.5, 0.5)
        at = np.clip(at + move, 0.0, 5.0)
        if np.abs(move).max() < 1e-6:
            break
    return at


def _normalised(logits: Floats) -> Floats:
    q: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    q /= q.sum(axis=1, keepdims=True)
    return q


def _pairs_of(counts: Ints, k: int) -> _Pairs:
    groups = group_rows(counts)
    patterns = counts[groups.first]
    chances = chances_of_surveys(patterns, k)
    # An item of k answers has none left to be predicted.
    chances[patterns.sum(axis=1) <= k] = 0.0
    of, survey = np.nonzero(chances > 0)
    number = np.bincount(of, minlength=len(patterns))
    start, many = np.cumsum(number) - number, number[groups.of_row]
    row = np.repeat(np.arange(len(counts)), many)
    at = start[groups.of_row][row] + np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many)
    y = every_survey(k, counts.shape[1])[survey]
    left = (patterns[of] - y) / np.maximum(patterns[of].sum(axis=1) - k, 1)[:, None]
    return _Pairs(row, survey[at], chances[of, survey][at], left[at])


def _n_pairs(counts: Ints, k: int) -> float:
    """How many pairs there are, of items and surveys that leave one answer."""
    return float(count_surveys(counts, k)[:, k].sum())
