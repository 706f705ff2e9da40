"""Named raters: each pair of them, and each against all the others."""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.two_way import NamedRatings

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_PAIRWISE = 1000
"""More raters than this get no matrix: a million pairs is past reading."""


@dataclass(frozen=True)
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
    those that equal theirs, with an interval; None where nobody else rated their items.
    """

    rater: str
    ratings: int
    compared: int
    agreement: float | None
    low: float | None
    high: float | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return dict(self.__dict__)


def pairwise(ratings: NamedRatings, names: tuple[str, ...]) -> Pairwise:
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
    return Pairwise(names, (rated @ rated.T).toarray(), (said @ said.T).toarray())


def standings(
    ratings: NamedRatings, names: tuple[str, ...], confidence: float
) -> tuple[RaterStanding, ...]:
    """Each rater against the others, those who agree least first."""
    agree, among = with_others(ratings)
    low, high = share_interval(agree, among, ratings.rater, ratings.n_raters, confidence)
    given = np.bincount(ratings.rater, minlength=ratings.n_raters)
    agreed = np.bincount(ratings.rater, weights=agree, minlength=ratings.n_raters)
    compared = np.bincount(ratings.rater, weights=among, minlength=ratings.n_raters)
    share = np.divide(agreed, compared, out=np.full(len(names), np.inf), where=compared > 0)
    found = [
        RaterStanding(
            rater=names[r],
            ratings=int(given[r]),
            compared=round(compared[r]),
            agreement=float(share[r]) if compared[r] else None,
            low=float(low[r]) if compared[r] else None,
            high=float(high[r]) if compared[r] else None,
        )
        for r in np.lexsort((np.array(names, dtype=object).astype(str), share))
        if given[r]
    ]
    return tuple(found)


def with_others(ratings: NamedRatings) -> tuple[Floats, Floats]:
    """For each answer, how many others gave the same on that item, and how many others there are.

    From the counts: c_ℓ − 1 of the n − 1 others.
    """
    cell = ratings.item * ratings.n_labels + ratings.label
    counts = np.bincount(cell, minlength=ratings.n_items * ratings.n_labels)
    size = np.bincount(ratings.item, minlength=ratings.n_items)
    return counts[cell] - 1.0, size[ratings.item] - 1.0


def share_interval(
    agree: Floats, among: Floats, rater: Ints, n_raters: int, confidence: float
) -> tuple[Floats, Floats]:
    """Wilson's interval for each rater's share, on the number of items it is really worth.

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
    worth = np.where(variance > 0, share * (1 - share) / np.where(variance > 0, variance, 1), items)
    worth = np.maximum(worth, 1)
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    middle = (share + z2 / (2 * worth)) / (1 + z2 / worth)
    half = np.sqrt(z2 * (share * (1 - share) / worth + z2 / (4 * worth**2))) / (1 + z2 / worth)
    return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)
