"""The Anonymous Bayesian Combiner: what followed such answers on the other items."""

import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.data import Labels
from headcount.equivalence.combiners.grammar import Combiner, Floats, Ints, Others, Produces
from headcount.equivalence.combiners.sequences import sums_without_own


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
    fewer = Others(others.counts, others.items, others.own[at], others.copies[at], others.targets)
    predicted, depth = predict_with_depth(smaller, fewer, deepest)
    first = np.searchsorted(case, np.arange(len(surveys) + 1))
    ways = surveys[case, label].astype(np.float64)
    # What was not found must not spoil the mean of what was, not even with no weight.
    found = np.where(depth[:, None] >= 0, predicted, 0.0)
    mean, nearest = mean_of_nearest(found, np.arange(len(case)), ways, depth, first)
    return np.where(nearest[:, None] >= 0, mean, np.nan), nearest


def _distinct(surveys: Ints, others: Others) -> tuple[tuple[Ints, Others], Ints]:
    """Each case (survey, item's pattern, copies left out) once, and where each row went."""
    content = np.column_stack([surveys, others.own, others.copies])
    _, first, back = np.unique(content, axis=0, return_index=True, return_inverse=True)
    once = Others(
        others.counts, others.items, others.own[first], others.copies[first], others.targets
    )
    return (surveys[first], once), back.ravel()
