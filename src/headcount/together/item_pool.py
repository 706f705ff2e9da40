"""What k people tell and what a classifier says of the item, pooled: P(ℓ|y, sq)^u (q(ℓ)/P(ℓ|sq))^v.

The classifier's calibrated answer q is taken for s answers of people beside theirs, as which it
leaves an item open where it cannot know more, and for evidence of its own. With many labels or few
items cells are thin; the pool has s and two numbers for each k instead, learned outside an item's
fold. With nobody asked it is the calibrated classifier as it stands.
"""

from collections.abc import Sequence
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from headcount.data import group_rows
from headcount.frozen import frozen
from headcount.population import (
    Atoms,
    Mixture,
    Score,
    count_surveys,
    every_survey,
    label_scores,
)
from headcount.together.survey_tables import chances_of_surveys

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LEAST = 1e-4
"""A calibrated probability of nought may be luck: it is taken for this."""

_MOST_PAIRS = 3_000_000
"""(Item, survey) pairs of one survey size up to which the pool is worked out."""

_MOST_KEPT = 2_000_000
"""Scores of pairs that are kept for tables without a rater: 16 MB for each survey size."""

_LEARNED_FROM = 10_000
"""Pairs that the two numbers are learned from."""

_ANSWERS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""For how many answers of people one of the classifier may be taken; which is learned on so many
pairs of one person's answer and the next."""
_COMPARED_ON = 5_000

_TRACE = 1e-6
"""Kinds of items of less weight are left out: an exact fit holds few, and traces."""

_AT_ONCE = 2_000_000
"""(Survey, component, label) triples that are worked out together: they fit the caches."""

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

    `answers` (F,) is for how many people's answers its own is taken, `powers` (K + 1, F, 2) are u
    and v for each k, all learned outside the fold.
    """

    fold: Ints
    said: Floats
    mixtures: tuple[Mixture, ...]
    answers: Floats
    powers: Floats
    _kept: dict[tuple[int, Score, float | None], tuple[Ints, Floats]] = field(
        default_factory=dict, init=False
    )

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
        if any(_n_pairs(counts, k) > _MOST_PAIRS for k in range(1, most + 1)):
            return None
        n_folds = len(mixtures)
        nobody = np.ones((1, n_folds, 2))
        known = cls(fold, np.maximum(said, _LEAST), tuple(mixtures), np.zeros(n_folds), nobody)
        if most < 1:
            return known
        known = replace(known, answers=known._answers(_pairs_of(counts, 1), size))
        powers = [nobody[0]]
        for k in range(1, most + 1):
            some = _some(_pairs_of(counts, k), _LEARNED_FROM)
            powers.append(known._learned(some, known._terms(some, k), size)[0])
        return replace(known, powers=np.array(powers))

    def scores(self, counts: Ints, k: int, score: Score, clip: float | None) -> Floats:
        """The expected score of k answers and the classifier's on each row's items (n,).

        NaN where a row has no answer beside the k.
        """
        pairs = _pairs_of(counts, k)
        each = (pairs.left * self._of_pairs(pairs, k, score, clip)).sum(axis=1)
        found = np.bincount(pairs.row, weights=pairs.chance * each, minlength=len(counts))
        return np.where(counts.sum(axis=1) > k, found, np.nan)

    def _of_pairs(self, pairs: _Pairs, k: int, score: Score, clip: float | None) -> Floats:
        """The score of each next answer after each pair (Z, L).

        Without a rater the surveys that items may show are some of those they showed before.
        """
        key = pairs.row * len(every_survey(k, self.said.shape[1])) + pairs.survey
        if (k, score, clip) in self._kept:
            known, scores = self._kept[k, score, clip]
            at = np.minimum(np.searchsorted(known, key), len(known) - 1)
            if (known[at] == key).all():
                found: Floats = scores[at]
                return found
        people, own = self._terms(pairs, k)
        u, v = self.powers[k][self.fold[pairs.row]].T
        scores = label_scores(_normalised(u * people + v * own)[0].T, score, clip)
        if scores.size <= _MOST_KEPT:
            self._kept[k, score, clip] = key, scores
        return scores

    def _answers(self, pairs: _Pairs, size: Floats) -> Floats:
        """For how many answers the classifier's is best taken beside one person's, (F,)."""
        some = _some(pairs, _COMPARED_ON)
        likelihoods = []
        for number in _ANSWERS:
            tried = replace(self, answers=np.full(len(self.mixtures), number))
            likelihoods.append(tried._learned(some, tried._terms(some, 1), size)[1])
        best: Floats = np.array(_ANSWERS)[np.argmax(likelihoods, axis=0)]
        return best

    def _terms(self, pairs: _Pairs, k: int) -> tuple[Floats, Floats]:
        """Log P(ℓ | y, a) and log(q(ℓ)/P(ℓ | a)) of every pair, a = s q so many answers, (L, Z)."""
        n_labels = self.said.shape[1]
        y = every_survey(k, n_labels)
        people, own = np.empty((n_labels, len(pairs.row))), np.empty((n_labels, len(pairs.row)))
        fold = self.fold[pairs.row]
        for each, (mixture, number) in enumerate(zip(self.mixtures, self.answers, strict=True)):
            here = np.flatnonzero(fold == each)
            if not len(here):
                continue
            row, survey = pairs.row[here], pairs.survey[here]
            if number == 0:
                of_surveys = np.log(np.maximum(mixture.predict(y), _LEAST))
                base = mixture.predict(np.zeros((1, n_labels), dtype=np.int64))
                people[:, here] = of_surveys[survey].T
                own[:, here] = np.log(self.said[row]).T - np.log(np.maximum(base, _LEAST)).T
                continue
            # The same answer beside the same survey is worked out once.
            alike = group_rows(self.said[row])
            state = group_rows(alike.of_row, survey)
            answers = number * self.said[row[alike.first]]
            added = answers[alike.of_row[state.first]] + y[survey[state.first]]
            after = np.log(np.maximum(_after(mixture, added), _LEAST))
            before = np.log(np.maximum(_after(mixture, answers), _LEAST))
            people[:, here] = after[state.of_row].T
            own[:, here] = (np.log(self.said[row[alike.first]]) - before)[alike.of_row].T
        return people, own

    def _learned(
        self, some: _Pairs, terms: tuple[Floats, Floats], size: Floats
    ) -> tuple[Floats, Floats]:
        """U and v of each fold (F, 2), likeliest by the other folds' answers; and how likely."""
        people, own = terms
        weight = some.chance * size[some.row]
        n_folds = len(self.mixtures)
        fold = self.fold[some.row]
        powers, likelihoods = np.ones((n_folds, 2)), np.empty(n_folds)
        left = np.ascontiguousarray(some.left.T)
        for each in range(n_folds):
            of = weight * (fold != each) if n_folds > 1 else weight
            powers[each], likelihoods[each] = _two_powers(people, own, left, of)
        return powers, likelihoods


def _after(mixture: Mixture, y: Floats) -> Floats:
    """P(ℓ | y) for surveys (R, L) that need not be whole numbers."""
    if isinstance(mixture, Atoms):
        kept = mixture.weights > _TRACE
        weights = mixture.weights[kept] / mixture.weights[kept].sum()
        return replace(mixture, weights=weights, atoms=mixture.atoms[kept]).predict(y)
    alpha, total = mixture.alpha, mixture.alpha.sum(axis=1)
    found = np.empty(y.shape)
    step = max(1, _AT_ONCE // alpha.size)
    for first in range(0, len(y), step):
        part = y[first : first + step]
        logs = np.log(mixture.weights) - gammaln(total + part.sum(axis=1, keepdims=True))
        logs += gammaln(total) - gammaln(alpha).sum(axis=1)
        logs += gammaln(alpha + part[:, None]).sum(axis=2)
        found[first : first + step] = mixture.mean_of(_normalised(logs.T)[0].T, part)
    return found


def _two_powers(people: Floats, own: Floats, left: Floats, weight: Floats) -> tuple[Floats, float]:
    """U and v at which Σ weight Σ_ℓ left(ℓ) log q(ℓ) is highest, q ∝ exp(u people + v own).

    Everything has a row a label (L, Z): sums over few labels are quick along the first axis. The
    highest value comes with them.
    """
    at = np.ones(2)
    seen = np.array([weight @ (left * each).sum(axis=0) for each in (people, own)])
    for _ in range(_STEPS):
        q, _ = _normalised(at[0] * people + at[1] * own)
        of_people, of_own = q * people, q * own
        first, second = of_people.sum(axis=0), of_own.sum(axis=0)
        slope = seen - np.array([weight @ first, weight @ second])
        crossed = weight @ ((of_people * own).sum(axis=0) - first * second)
        bend = np.array(
            [
                [weight @ ((of_people * people).sum(axis=0) - first**2), crossed],
                [crossed, weight @ ((of_own * own).sum(axis=0) - second**2)],
            ]
        )
        # A ridge of a thousandth keeps v where it is for a constant answer, which tells nothing.
        bend += 1e-3 * np.eye(2) * max(float(np.trace(bend)), 1e-12)
        move = np.clip(np.linalg.solve(bend, slope), -0.5, 0.5)
        at = np.clip(at + move, 0.0, 5.0)
        if np.abs(move).max() < 1e-6:
            break
    _, whole = _normalised(at[0] * people + at[1] * own)
    return at, float(at @ seen - weight @ (left.sum(axis=0) * whole))


def _normalised(logits: Floats) -> tuple[Floats, Floats]:
    """Shares (L, Z) from their logarithms but for a constant, and that constant (Z,)."""
    top = logits.max(axis=0)
    q: Floats = np.exp(logits - top)
    total = q.sum(axis=0)
    q /= total
    return q, top + np.log(total)


def _some(pairs: _Pairs, most: int) -> _Pairs:
    """Every so manieth pair, up to so many."""
    step = max(-(-len(pairs.row) // most), 1)
    return _Pairs(pairs.row[::step], pairs.survey[::step], pairs.chance[::step], pairs.left[::step])


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
