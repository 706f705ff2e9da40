"""The Anonymous Bayesian Combiner: what followed such answers on the other items."""

import sys
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.arrays import Floats, Ints
from headcount.data import Labels, group_rows
from headcount.equivalence.combiners.combiner import Combiner, Others, Produces, plurality_of
from headcount.frozen import frozen
from headcount.population import chance_of

# Items left after leaving out the item's copies: whole, or (m − 1)(1 − 1/g), so 0 or ≥ ½.
SEEN = 0.25

# Below this share of the item's own term, what is left of a sum is rounding.
ROUNDING = 1e-12

# Survey × pattern × label cells worked on at once.
_CELLS = 4_000_000


@frozen
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


def predict_with_depth(
    surveys: Ints, others: Others, deepest: int = sys.maxsize
) -> tuple[Floats, Ints]:
    """Predictions (R, L), and how many answers each had to forget (R,), 0 where none.

    At most `deepest` answers are forgotten; where that is not enough the depth is −1.
    """
    cases, back = _distinct(surveys, others)
    surveys, others = cases
    sums, seen = sums_without_own(surveys, others)
    depth = np.where(seen, 0, -1)
    predicted = np.full(surveys.shape, np.nan)
    predicted[seen] = sums[seen] / sums[seen].sum(axis=1, keepdims=True)
    unseen = np.flatnonzero(~seen & (surveys.sum(axis=1) > 0))
    if len(unseen) and deepest > 0:
        predicted[unseen], depth[unseen] = _forget_one(surveys[unseen], others, unseen, deepest - 1)
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


def _forget_one(surveys: Ints, others: Others, rows: Ints, deepest: int) -> tuple[Floats, Ints]:
    case, label = np.nonzero(surveys)
    smaller = surveys[case]
    smaller[np.arange(len(case)), label] -= 1
    at = rows[case]
    fewer = replace(others, own=others.own[at], copies=others.copies[at])
    predicted, depth = predict_with_depth(smaller, fewer, deepest)
    first = np.searchsorted(case, np.arange(len(surveys) + 1))
    ways = surveys[case, label].astype(np.float64)
    # What was not found must not spoil the mean of what was, not even with no weight.
    found = np.where(depth[:, None] >= 0, predicted, 0.0)
    mean, nearest = mean_of_nearest(found, np.arange(len(case)), ways, depth, first)
    return np.where(nearest[:, None] >= 0, mean, np.nan), nearest


def _distinct(surveys: Ints, others: Others) -> tuple[tuple[Ints, Others], Ints]:
    """Each case (survey, item's pattern, copies left out) once, and where each row went."""
    cases = group_rows(surveys, others.own, others.copies)
    first = cases.first
    once = replace(others, own=others.own[first], copies=others.copies[first])
    return (surveys[first], once), cases.of_row


def sums_without_own(surveys: Ints, others: Others) -> tuple[Floats, NDArray[np.bool_]]:
    """Σ over the other items j of P(y | c_j) · (c_jℓ − y_ℓ)/(n_j − k), for each survey (R, L).

    And whether any other item could have given the survey at all (R,).
    """
    distinct = group_rows(surveys)
    back = distinct.of_row
    sums, mass = _sums(surveys[distinct.first], others)
    own = others.counts[others.own]
    chance = chance_of(surveys, own)
    room = 0 if others.targets is not None else others.reference
    fits = (own >= surveys).all(axis=1) & (own.sum(axis=1) - surveys.sum(axis=1) >= room)
    left_out = np.where(fits, others.copies * chance, 0.0)
    following = _following(surveys, others.own, others)
    rest = np.maximum(sums[back] - left_out[:, None] * following, 0.0)
    seen = mass[back] - np.where(fits, others.copies, 0.0) > SEEN
    return rest, seen & (rest.sum(axis=1) > ROUNDING * left_out)


def _sums(surveys: Ints, others: Others) -> tuple[Floats, Floats]:
    """Over all items: the sums (U, L), and how many items could have given each survey (U,)."""
    counts, L = others.counts, surveys.shape[1]
    sums, mass = np.zeros(surveys.shape), np.zeros(len(surveys))
    step = max(1, _CELLS // (len(counts) * L))
    for start in range(0, len(surveys), step):
        y = surveys[start : start + step]
        row, pattern = _possible(y, others)
        items = others.items[pattern].astype(np.float64)
        weight = items * chance_of(y[row], counts[pattern])
        followed = weight[:, None] * _following(y[row], pattern, others)
        for label in range(L):
            sums[start : start + step, label] = np.bincount(
                row, weights=followed[:, label], minlength=len(y)
            )
        mass[start : start + step] = np.bincount(row, weights=items, minlength=len(y))
    return sums, mass


def _possible(surveys: Ints, others: Others) -> tuple[Ints, Ints]:
    """Which patterns could have given which surveys, with an answer to spare for the next."""
    counts = others.counts
    room = 0 if others.targets is not None else others.reference
    fits = counts.sum(axis=1) - surveys.sum(axis=1)[:, None] >= room
    for label in range(counts.shape[1]):
        fits &= counts[:, label] >= surveys[:, label, None]
    row, pattern = np.nonzero(fits)
    return row, pattern


def _following(surveys: Ints, pattern: Ints, others: Others) -> Floats:
    """The chance of each label to come next, for surveys (R, L) of items of `pattern` (R,)."""
    if others.targets is not None:
        shares: Floats = others.targets[pattern]
        return shares
    return plurality_of(np.maximum(others.counts[pattern] - surveys, 0), others.reference)
