"""Kappas in which each rater has their own habits: Cohen's for two raters, Conger's for many.

Chance agreement is what two raters would reach who answer at random, each in their own
proportions; Fleiss's kappa gives everyone the same proportions instead.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.named import NamedRatings
from headcount.agreement.weighted import beyond_chance, weighted_agreement
from headcount.errors import OptionError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_COMMON_ITEM = "the two raters have no item in common"
NO_VARIATION = "both raters gave one and the same label throughout, so chance would agree as well"
MOST_CELLS = 50_000_000
"""Pairs of raters × pairs of labels held at once."""


@dataclass(frozen=True, eq=False)
class PairwiseKappas:
    """Cohen's kappa of every pair of raters (m, m), NaN where there is none (and on the
    diagonal), and the `items` (m, m) that both rated.
    """

    kappa: Floats
    items: Ints

    def mean(self) -> float:
        """Over pairs that have one, each weighted by its items (Light's kappa if all are equal)."""
        upper = np.triu(np.ones(self.kappa.shape, dtype=bool), 1) & ~np.isnan(self.kappa)
        weight = self.items[upper].astype(np.float64)
        return float(self.kappa[upper] @ weight / weight.sum()) if upper.any() else float("nan")

    def reason(self, one: int, other: int) -> str | None:
        """Why a pair has no kappa."""
        if not np.isnan(self.kappa[one, other]):
            return None
        return NO_COMMON_ITEM if self.items[one, other] == 0 else NO_VARIATION


def cohen_kappa(tables: NDArray[np.number], weights: Floats) -> Floats:
    """Cohen's kappa, weighted, of tables (…, L, L): how often one said k and the other ℓ.

    κ = (Σ w p − Σ w p₁p₂)/(1 − Σ w p₁p₂) with p the shares and p₁, p₂ their margins.

    >>> float(cohen_kappa(np.array([[20, 5], [10, 15]]), np.eye(2)).round(3))
    0.4
    """
    t = np.asarray(tables, dtype=np.float64)
    total = t.sum(axis=(-2, -1))
    p = t / np.where(total > 0, total, 1)[..., None, None]
    one, other = p.sum(axis=-1), p.sum(axis=-2)
    chance = np.einsum("...k,kl,...l->...", one, weights, other)
    observed = (p * weights).sum(axis=(-2, -1))
    return beyond_chance(observed, np.where(total > 0, chance, np.nan))


def pair_tables(ratings: NamedRatings) -> Ints:
    """How often rater i said k where rater j said ℓ: (m, m, L, L), from one sparse product."""
    from scipy import sparse

    m, L = ratings.n_raters, ratings.n_labels
    if (m * L) ** 2 > MOST_CELLS:
        raise OptionError(
            f"kappas of all pairs of {m:,} raters with {L} labels are past what is read: "
            "choose raters first."
        )
    ones = np.ones(len(ratings.item), dtype=np.int64)
    said = sparse.csr_array(
        (ones, (ratings.rater * L + ratings.label, ratings.item)), shape=(m * L, ratings.n_items)
    )
    together = (said @ said.T).toarray().reshape(m, L, m, L)
    return np.ascontiguousarray(together.transpose(0, 2, 1, 3))


def pairwise_kappas(ratings: NamedRatings, weights: Floats) -> PairwiseKappas:
    """Cohen's kappa of every pair of raters, on the items that both rated."""
    tables = pair_tables(ratings)
    kappa = cohen_kappa(tables, weights)
    np.fill_diagonal(kappa, np.nan)
    return PairwiseKappas(kappa, tables.sum(axis=(2, 3)))


def conger_kappa(ratings: NamedRatings, times: NDArray[np.integer], weights: Floats) -> Floats:
    """Conger's kappa (B,), weighted, ragged as by Gwet, when items occur `times` (B, n).

    Chance agreement is the mean over pairs of different raters g ≠ h of Σ w_kℓ p_gk p_hℓ,
    with p_g the shares of rater g's own answers: with p̄ the mean and S the covariance of p_g
    over raters, Σ w (p̄p̄ᵀ − S/m). With two raters and no blanks this is Cohen's kappa. Raters
    without an answer in a draw take no part in it.
    """
    cell = ratings.item * ratings.n_labels + ratings.label
    counts = np.bincount(cell, minlength=ratings.n_items * ratings.n_labels)
    counts = counts.reshape(ratings.n_items, ratings.n_labels)
    observed = weighted_agreement(counts, times, weights)
    chance = np.full(len(times), np.nan)
    for draw, given in enumerate(_given(ratings, times)):
        size = given.sum(axis=1)
        shares = given[size > 0] / size[size > 0][:, None]
        if len(shares) > 1 and (given.sum(axis=0) > 0).sum() > 1:
            mean = shares.mean(axis=0)
            product = np.outer(mean, mean)
            covariance = (shares.T @ shares - len(shares) * product) / (len(shares) - 1)
            chance[draw] = (weights * (product - covariance / len(shares))).sum()
    return beyond_chance(observed, chance)


def _given(ratings: NamedRatings, times: NDArray[np.integer]) -> NDArray[np.float64]:
    """How often each rater gives each label, (B, m, L), when items occur `times` (B, n)."""
    from scipy import sparse

    m, L = ratings.n_raters, ratings.n_labels
    cell = ratings.rater * L + ratings.label
    if len(times) == 1:
        once = np.bincount(cell, weights=times[0][ratings.item], minlength=m * L)
        return once.astype(np.float64).reshape(1, m, L)
    ones = np.ones(len(ratings.item))
    said = sparse.csr_array((ones, (cell, ratings.item)), shape=(m * L, ratings.n_items))
    return np.ascontiguousarray((said @ times.T.astype(np.float64)).T).reshape(len(times), m, L)
