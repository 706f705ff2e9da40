"""Named raters: each pair of them, and each against all the others."""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.two_way import NamedRatings
from headcount.results import Estimate

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_PAIRWISE = 1000
"""More raters than this get no matrix: a million pairs is past reading."""
_ORDERED_BY = 0.95


@dataclass(frozen=True, eq=False)
class Pairwise:
    """Every pair of raters: `items` (m, m) rated by both, `agreed` (m, m) with the same label.

    The diagonal holds each rater's own ratings.
    """

    raters: tuple[str, ...]
    items: Ints
    agreed: Ints

    def agreement(self) -> list[list[float | None]]:
        """The share of common items on which two raters agree; None where there are none."""
        return [
            [
                float(a) / float(n) if n and i != j else None
                for j, (a, n) in enumerate(zip(agreed, items, strict=True))
            ]
            for i, (agreed, items) in enumerate(zip(self.agreed, self.items, strict=True))
        ]

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe: names, and the two matrices row by row."""
        return {
            "raters": list(self.raters),
            "agreement": self.agreement(),
            "items": self.items.tolist(),
        }


@dataclass(frozen=True)
class RaterStanding:
    """One rater against the others.

    `ratings` they gave, `compared` answers of others on the same items, and the share of
    those that equal theirs, None where nobody else rated their items. `worth` is how many
    independent answers the share rests on.
    """

    rater: str
    ratings: int
    compared: int
    agreement: float | None
    worth: float

    def estimate(self, confidence: float) -> Estimate:
        """The agreement with others, with Wilson's interval on what it is worth."""
        if self.agreement is None:
            return Estimate.undefined("nobody else rated the same items")
        low, high = wilson(np.array(self.agreement), np.array(self.worth), confidence)
        return Estimate(self.agreement, float(low), float(high))

    def to_dict(self, confidence: float) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "rater": self.rater,
            "ratings": self.ratings,
            "compared": self.compared,
            "agreement": self.estimate(confidence).to_dict(),
        }


def pairwise(ratings: NamedRatings) -> Pairwise:
    """All pairs of raters, as two sparse products."""
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
    return Pairwise(ratings.names, (rated @ rated.T).toarray(), (said @ said.T).toarray())


def standings(ratings: NamedRatings) -> tuple[RaterStanding, ...]:
    """Each rater against the others, those who most surely agree least first.

    The order is by the upper end of the interval, so that a rater with three answers does
    not head the list by bad luck; raters whom nobody can be compared with come last.
    """
    names, rater = ratings.names, ratings.rater
    agree, among = with_others(ratings)
    share, worth = share_of_others(agree, among, rater, len(names))
    given = np.bincount(rater, minlength=len(names))
    compared = np.bincount(rater, weights=among, minlength=len(names))
    _, upper = wilson(share, worth, _ORDERED_BY)
    order = np.lexsort((np.array(names, dtype=str), np.where(compared > 0, upper, np.inf)))
    return tuple(
        RaterStanding(
            rater=names[r],
            ratings=int(given[r]),
            compared=round(compared[r]),
            agreement=float(share[r]) if compared[r] else None,
            worth=float(worth[r]),
        )
        for r in order
        if given[r]
    )


def with_others(ratings: NamedRatings) -> tuple[Floats, Floats]:
    """For each answer, how many others gave the same on that item, and how many others there are.

    From the counts: c_ℓ − 1 of the n − 1 others.
    """
    cell = ratings.item * ratings.n_labels + ratings.label
    counts = np.bincount(cell, minlength=ratings.n_items * ratings.n_labels)
    size = np.bincount(ratings.item, minlength=ratings.n_items)
    same, everyone = counts[cell] - 1, size[ratings.item] - 1
    return same.astype(np.float64), everyone.astype(np.float64)


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


def wilson(share: Floats, n: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Wilson's score intervals for shares of `n` answers."""
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n**2))) / (1 + z2 / n)
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)
