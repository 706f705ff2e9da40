"""The Anonymous Bayesian Combiner: what followed such answers on the other items."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln

from headcount.equivalence.combiners.grammar import Combiner, Floats, Ints, Others, Produces
from headcount.ratings import Labels

SEEN = 0.25
"""Items left after leaving out the item's copies: whole, or (m − 1)(1 − 1/g), so 0 or ≥ ½."""

_CELLS = 4_000_000
"""Survey × pattern cells worked on at once."""


@dataclass(frozen=True)
class AnonymousBayes(Combiner):
    """The chance of each label to follow these answers, counted on the other items.

    p(ℓ | y) ∝ Σ over the other items j of P(y | c_j) · (c_jℓ − y_ℓ) / (n_j − k): the sum of
    falling factorials of the paper's label sequences, up to a factor shared by all ℓ.
    A survey that no other item could have given has no such sum. It backs off to the nearest
    smaller survey that was seen: one answer at a time is forgotten at random, until what is
    left was seen; at worst that is the label frequencies of the other items.
    """

    name: str = "abc"
    produces: Produces = "probabilities"
    learned: ClassVar[bool] = True
    summary: ClassVar[str] = "learned from the other items; no answers: their label frequencies"

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Probabilities (R, L)."""
        del labels
        return predict_with_depth(surveys, others)[0]


def predict_with_depth(surveys: Ints, others: Others) -> tuple[Floats, Ints]:
    """Predictions (R, L), and how many answers each had to forget (R,), 0 where none."""
    cases, back = _distinct(surveys, others)
    surveys, others = cases
    sums, seen = _sums_without_own(surveys, others)
    depth = np.where(seen, 0, -1)
    predicted = np.full(surveys.shape, np.nan)
    predicted[seen] = sums[seen] / sums[seen].sum(axis=1, keepdims=True)
    unseen = np.flatnonzero(~seen & (surveys.sum(axis=1) > 0))
    if len(unseen):
        predicted[unseen], depth[unseen] = _forget_one(surveys[unseen], others, unseen)
    return predicted[back], depth[back]


def mean_of_nearest(
    predicted: Floats,
    smaller: Ints,
    ways: Floats,
    depth: NDArray[np.signedinteger],
    first: Ints,
) -> tuple[Floats, Ints]:
    """Back off one answer: the mean prediction of the nearest smaller surveys that were seen.

    Case i may forget an answer to become any of the surveys `smaller[first[i]:first[i + 1]]`,
    rows of `predicted` (…, L), each in so many `ways`; `depth` is how many answers those had
    to forget in turn (−1: nothing was ever seen). Gives predictions (n, L) and depths (n,).
    """
    far = np.iinfo(np.int32).max
    reach = np.where(depth >= 0, depth, far)
    nearest = np.minimum.reduceat(reach, first[:-1])
    case = np.repeat(np.arange(len(first) - 1), np.diff(first))
    weight = np.where(reach == nearest[case], ways, 0.0)
    weight /= np.add.reduceat(weight, first[:-1])[case]
    mix = sparse.csr_array((weight, smaller, first), shape=(len(first) - 1, len(predicted)))
    return np.asarray(mix @ predicted), np.where(nearest < far, nearest + 1, -1)


def _forget_one(surveys: Ints, others: Others, rows: Ints) -> tuple[Floats, Ints]:
    case, label = np.nonzero(surveys)
    smaller = surveys[case]
    smaller[np.arange(len(case)), label] -= 1
    at = rows[case]
    fewer = Others(others.counts, others.items, others.own[at], others.copies[at], others.targets)
    predicted, depth = predict_with_depth(smaller, fewer)
    first = np.searchsorted(case, np.arange(len(surveys) + 1))
    ways = surveys[case, label].astype(np.float64)
    return mean_of_nearest(predicted, np.arange(len(case)), ways, depth, first)


def _distinct(surveys: Ints, others: Others) -> tuple[tuple[Ints, Others], Ints]:
    """Each case (survey, item's pattern, copies left out) once, and where each row went."""
    content = np.column_stack([surveys, others.own, others.copies])
    _, first, back = np.unique(content, axis=0, return_index=True, return_inverse=True)
    once = Others(
        others.counts, others.items, others.own[first], others.copies[first], others.targets
    )
    return (surveys[first], once), back.ravel()


def _sums_without_own(surveys: Ints, others: Others) -> tuple[Floats, NDArray[np.bool_]]:
    """Σ over the other items (R, L), and whether any of them could have given the survey."""
    sums = np.empty(surveys.shape)
    seen = np.empty(len(surveys), dtype=bool)
    step = max(1, _CELLS // len(others.counts))
    for start in range(0, len(surveys), step):
        part = slice(start, start + step)
        y, own, copies = surveys[part], others.own[part], others.copies[part]
        chance = chances(y, others.counts, room=0 if others.targets is not None else 1)
        items = np.broadcast_to(others.items.astype(np.float64), chance.shape).copy()
        items[np.arange(len(y)), own] -= copies
        sums[part] = _followed_by(y, chance * items, others)
        seen[part] = ((chance > 0) * items).sum(axis=1) > SEEN
    return np.maximum(sums, 0.0), seen


def _followed_by(surveys: Ints, weight: Floats, others: Others) -> Floats:
    if others.targets is not None:
        return weight @ others.targets
    left = others.counts.sum(axis=1) - surveys.sum(axis=1)[:, None]
    each = weight / np.maximum(left, 1)
    followed: Floats = each @ others.counts - surveys * each.sum(axis=1, keepdims=True)
    return followed


def chances(surveys: Ints, counts: Ints, *, room: int = 0) -> Floats:
    """P(y | c): the chance that k answers drawn from counts c are y, shape (R, G).

    Zero where fewer than k + `room` answers are there to draw from.
    """
    log_fact = gammaln(np.arange(counts.sum(axis=1).max(initial=0) + 2) + 1.0)
    raters, answers = surveys.sum(axis=1)[:, None], counts.sum(axis=1)
    left = answers - raters
    possible = left >= room
    log_chance = -_log_choose(answers, raters, left, log_fact)
    for label in range(counts.shape[1]):
        given, drawn = counts[:, label], surveys[:, label, None]
        possible = possible & (given >= drawn)
        log_chance += _log_choose(given, drawn, given - drawn, log_fact)
    return np.where(possible, np.exp(np.where(possible, log_chance, 0.0)), 0.0)


def _log_choose(n: Ints, k: Ints, rest: Ints, log_fact: Floats) -> Floats:
    table = log_fact
    known = len(table) - 1
    chosen: Floats = table[n] - table[np.minimum(k, known)] - table[np.maximum(rest, 0)]
    return chosen
