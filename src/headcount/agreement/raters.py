"""Named raters: each pair of them, and each against all the others."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.kappa import MOST_CELLS, PairwiseKappas, pairwise_kappas
from headcount.agreement.named import NamedRatings
from headcount.results import Estimate, Record, hidden, record
from headcount.sampling.influence import Standing, chance_test
from headcount.sampling.people import student
from headcount.sampling.shares import wilson

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_PAIRWISE = 1000
"""More raters than this get no matrix: a million pairs is past reading."""
_ORDERED_BY = 0.95


@record
class Pairwise(Record):
    """Every pair of raters: `items` (m, m) rated by both, `agreed` (m, m) alike (near, on a scale).

    The diagonal holds each rater's own ratings. `kappas` are Cohen's, with quadratic weights
    where labels have an order; None where the pairs are too many.
    """

    raters: tuple[str, ...]
    items: Ints
    agreed: Floats = hidden()
    kappas: PairwiseKappas | None = hidden(default=None)

    also = ("agreement", "kappa")

    def agreement(self) -> list[list[float | None]]:
        """The share of common items on which two raters agree; None where there are none."""
        return [
            [
                float(a) / float(n) if n and i != j else None
                for j, (a, n) in enumerate(zip(agreed, items, strict=True))
            ]
            for i, (agreed, items) in enumerate(zip(self.agreed, self.items, strict=True))
        ]

    def kappa(self) -> list[list[float | None]]:
        """Cohen's kappa of each pair; None where there is none."""
        if self.kappas is None:
            return []
        return [[None if np.isnan(k) else float(k) for k in row] for row in self.kappas.kappa]


@record
class RaterStanding(Record):
    """One rater against the others.

    `ratings` they gave, `compared` answers of others on the same items, and the share of those
    that equal theirs (on a scale: are near) with its interval, undefined where nobody else rated
    their items.
    `standing` says whether they agree more than their own answers in random order would: "above"
    chance, "at" chance, "below" it, or "unknown". `alpha_without` is alpha of the
    others, None where raters are too many to be left out one by one.
    """

    rater: str
    ratings: int
    compared: int
    agreement: Estimate
    standing: Standing = "unknown"
    alpha_without: float | None = None


def pairwise(
    ratings: NamedRatings, weights: Floats | None = None, near: Floats | None = None
) -> Pairwise:
    """All pairs of raters, as sparse products; kappas by `weights` (L, L), identity if None.

    With `near` (L, L), 1 where two labels are near each other, raters agree who are near.
    """
    from scipy import sparse

    ones = np.ones(len(ratings.item), dtype=np.int64)
    rated = sparse.csr_array(
        (ones, (ratings.rater, ratings.item)), shape=(ratings.n_raters, ratings.n_items)
    )
    cell = ratings.item * ratings.n_labels + ratings.label
    said = sparse.csr_array(
        (ones, (ratings.rater, cell)),
        shape=(ratings.n_raters, ratings.n_items * ratings.n_labels),
    )
    kappas = None
    if (ratings.n_raters * ratings.n_labels) ** 2 <= MOST_CELLS:
        kappas = pairwise_kappas(ratings, np.eye(ratings.n_labels) if weights is None else weights)
    close = said
    if near is not None:
        around = near[ratings.label]
        answer, label = np.nonzero(around)
        close = sparse.csr_array(
            (
                around[answer, label],
                (ratings.rater[answer], ratings.item[answer] * ratings.n_labels + label),
            ),
            shape=said.shape,
        )
    agreed = np.asarray((close @ said.T).toarray(), dtype=np.float64)
    return Pairwise(ratings.names, (rated @ rated.T).toarray(), agreed, kappas)


def standings(
    ratings: NamedRatings,
    confidence: float = 0.95,
    alpha_without: Mapping[str, float] | None = None,
    near: Floats | None = None,
) -> tuple[RaterStanding, ...]:
    """Each rater against the others, those who most surely agree least first.

    The order is by the upper end of the interval, so that a rater with three answers does
    not head the list by bad luck; raters whom nobody can be compared with come last.
    """
    names, rater = ratings.names, ratings.rater
    agree, among = with_others(ratings, near)
    share, worth = share_of_others(agree, among, rater, len(names))
    given = np.bincount(rater, minlength=len(names))
    compared = np.bincount(rater, weights=among, minlength=len(names))
    _, upper = wilson(share, worth, student(_ORDERED_BY, math.inf))
    standing = chance_test(ratings.item, rater, ratings.label, ratings.n_labels).standing()
    alphas = alpha_without or {}
    order = np.lexsort((np.array(names, dtype=str), np.where(compared > 0, upper, np.inf)))
    return tuple(
        RaterStanding(
            rater=names[r],
            ratings=int(given[r]),
            compared=round(compared[r]),
            agreement=share_estimate(float(share[r]), float(worth[r]), confidence)
            if compared[r]
            else Estimate.undefined("nobody else rated the same items"),
            standing=standing[r],
            alpha_without=alphas.get(names[r]),
        )
        for r in order
        if given[r]
    )


def with_others(ratings: NamedRatings, near: Floats | None = None) -> tuple[Floats, Floats]:
    """For each answer, how many others gave the same on that item, and how many others there are.

    From the counts: c_ℓ − 1 of the n − 1 others. With `near` (L, L), 1 where two labels are near
    each other, how many gave a near one.
    """
    cell = ratings.item * ratings.n_labels + ratings.label
    counts = np.bincount(cell, minlength=ratings.n_items * ratings.n_labels).astype(np.float64)
    size = np.bincount(ratings.item, minlength=ratings.n_items)
    if near is not None:
        counts = (counts.reshape(ratings.n_items, ratings.n_labels) @ near).ravel()
    same, everyone = counts[cell] - 1, size[ratings.item] - 1
    return same, everyone.astype(np.float64)


def share_of_others(
    agree: Floats, among: Floats, rater: Ints, n_raters: int
) -> tuple[Floats, Floats]:
    """Each rater's share of agreeing others, and how many independent answers it is worth.

    Answers on one item hang together, so the share a = Σx/Σy has the variance of a ratio
    over items, Σ(x − a·y)²/(Σy)², and is worth a(1 − a)/variance independent answers.
    Where everyone agreed (or nobody did) it is worth its number of items.
    """
    total = np.bincount(rater, weights=among, minlength=n_raters)
    safe = np.where(total > 0, total, 1)
    share = np.bincount(rater, weights=agree, minlength=n_raters) / safe
    off = (agree - share[rater] * among) ** 2
    variance = np.bincount(rater, weights=off, minlength=n_raters) / safe**2
    items = np.bincount(rater, weights=(among > 0).astype(float), minlength=n_raters)
    varies = variance > 0
    worth = np.where(varies, share * (1 - share) / np.where(varies, variance, 1), items)
    return np.asarray(share), np.maximum(worth, 1)


def share_estimate(share: float, n: float, confidence: float) -> Estimate:
    """A share of `n` independent answers with Wilson's interval, at any confidence."""
    low, high = wilson(share, n, student(confidence, math.inf))
    found = Estimate(share, float(low), float(high))
    return replace(found, reread=partial(share_estimate, share, n))
