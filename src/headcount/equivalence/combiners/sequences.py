"""How often the other items could have given a survey, and what followed: the sums of ABC."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from headcount.equivalence.combiners.grammar import Floats, Ints, Others

SEEN = 0.25
"""Items left after leaving out the item's copies: whole, or (m − 1)(1 − 1/g), so 0 or ≥ ½."""

ROUNDING = 1e-12
"""Below this share of the item's own term, what is left of a sum is rounding."""

_CELLS = 4_000_000
"""Survey × pattern × label cells worked on at once."""


def sums_without_own(surveys: Ints, others: Others) -> tuple[Floats, NDArray[np.bool_]]:
    """Σ over the other items j of P(y | c_j) · (c_jℓ − y_ℓ)/(n_j − k), for each survey (R, L).

    And whether any other item could have given the survey at all (R,).
    """
    distinct, back = np.unique(surveys, axis=0, return_inverse=True)
    back = back.ravel()
    sums, mass = _sums(distinct, others)
    own = others.counts[others.own]
    chance = chance_of(surveys, own)
    room = 0 if others.targets is not None else 1
    fits = (own >= surveys).all(axis=1) & (own.sum(axis=1) - surveys.sum(axis=1) >= room)
    left_out = np.where(fits, others.copies * chance, 0.0)
    following = _following(surveys, others.own, others)
    rest = np.maximum(sums[back] - left_out[:, None] * following, 0.0)
    seen = mass[back] - np.where(fits, others.copies, 0.0) > SEEN
    return rest, seen & (rest.sum(axis=1) > ROUNDING * left_out)


def chance_of(surveys: Ints, counts: Ints) -> Floats:
    """P(y | c), row by row: the chance that k answers drawn from counts (R, L) are y (R, L).

    Only where they can be: nowhere more answers in the survey than in the counts.
    """
    log_fact = gammaln(np.arange(counts.sum(axis=1).max(initial=0) + 2) + 1.0)
    rest = np.maximum(counts - surveys, 0)
    each = log_fact[counts] - log_fact[np.minimum(surveys, len(log_fact) - 1)] - log_fact[rest]
    n, k = counts.sum(axis=1), surveys.sum(axis=1)
    whole = (
        log_fact[n] - log_fact[np.minimum(k, len(log_fact) - 1)] - log_fact[np.maximum(n - k, 0)]
    )
    chance: Floats = np.exp(np.minimum(each.sum(axis=1) - whole, 0.0))
    return chance


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
    room = 0 if others.targets is not None else 1
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
    left = others.counts[pattern] - surveys
    following: Floats = left / np.maximum(left.sum(axis=1, keepdims=True), 1)
    return following
