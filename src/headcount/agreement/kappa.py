"""Kappas in which each rater has their own habits: Cohen's for two raters, Conger's for many.

Chance agreement is what two raters would reach who answer at random, each in their own
proportions; Fleiss's kappa gives everyone the same proportions instead.
"""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.named import NamedRatings
from headcount.agreement.weighted import beyond_chance, mean_credit, pair_credit
from headcount.errors import OptionError
from headcount.frozen import frozen

if TYPE_CHECKING:
    from scipy import sparse

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_COMMON_ITEM = "the two raters have no item in common"
NO_VARIATION = "both raters gave one and the same label throughout, so chance would agree as well"
_FEW_CELLS = 40
"""Raters × labels up to which a product of matrices in full is quicker than a sparse one."""

MOST_CELLS = 50_000_000
"""Pairs of raters × pairs of labels held at once."""


@frozen(eq=False)
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


@frozen(eq=False)
class Conger:
    """Conger's kappa of ratings, weighted, ragged as by Gwet, for any draws of their items.

    Chance agreement is the mean over pairs of different raters g ≠ h of Σ w_kℓ p_gk p_hℓ,
    with p_g the shares of rater g's own answers: with p̄ the mean and S the covariance of p_g
    over raters, Σ w (p̄p̄ᵀ − S/m). With two raters and no blanks this is Cohen's kappa. Raters
    without an answer in a draw take no part in it.
    """

    ratings: NamedRatings
    weights: Floats

    def of_draws(self, times: NDArray[np.integer]) -> Floats:
        """The kappa (B,) when items occur `times` (B, n)."""
        occur = times.astype(np.float64)
        given = self._given(occur)
        size = given.sum(axis=2)
        raters = (size > 0).sum(axis=1)
        defined = (raters > 1) & ((given.sum(axis=1) > 0).sum(axis=1) > 1)
        m = np.where(defined, raters, 2)[:, None, None]
        shares = given / np.where(size > 0, size, 1)[:, :, None]
        mean = shares.sum(axis=1) / m[:, 0]
        product = mean[:, :, None] * mean[:, None, :]
        covariance = (shares.swapaxes(1, 2) @ shares - m * product) / (m - 1)
        chance = (self.weights * (product - covariance / m)).sum(axis=(1, 2))
        return beyond_chance(mean_credit(self._credit, occur), np.where(defined, chance, np.nan))

    @cached_property
    def _credit(self) -> Floats:
        """The agreement within each item, (n,)."""
        of, n_labels = self.ratings, self.ratings.n_labels
        cell = of.item * n_labels + of.label
        counts = np.bincount(cell, minlength=of.n_items * n_labels)
        return pair_credit(counts.reshape(of.n_items, n_labels), self.weights)

    @cached_property
    def _said(self) -> "sparse.csr_array":
        """Ones where a rater gave an item a label, (m L, n)."""
        from scipy import sparse

        of = self.ratings
        place = (of.rater * of.n_labels + of.label, of.item)
        shape = (of.n_raters * of.n_labels, of.n_items)
        return sparse.csr_array((np.ones(len(of.item)), place), shape=shape)

    def _given(self, occur: Floats) -> Floats:
        """How often each rater gives each label, (B, m, L), when items occur so often (B, n)."""
        of, shape = self.ratings, (len(occur), self.ratings.n_raters, self.ratings.n_labels)
        if len(occur) == 1:  # as when raters are left out in turn: counting is cheaper
            cell, cells = of.rater * of.n_labels + of.label, of.n_raters * of.n_labels
            once = np.bincount(cell, weights=occur[0][of.item], minlength=cells)
            return once.astype(np.float64).reshape(shape)
        said = self._in_full
        if said is not None:
            return (occur @ said).reshape(shape)
        return np.ascontiguousarray((self._said @ occur.T).T).reshape(shape)

    @cached_property
    def _in_full(self) -> Floats | None:
        """`_said` (n, m L) in full, where raters and labels are so few that this is quicker."""
        of = self.ratings
        cells = of.n_raters * of.n_labels
        few = cells <= _FEW_CELLS and cells * of.n_items <= MOST_CELLS // 10
        return np.ascontiguousarray(self._said.toarray().T) if few else None


def conger_kappa(ratings: NamedRatings, times: NDArray[np.integer], weights: Floats) -> Floats:
    """`Conger` of one set of draws (B, n) of the items."""
    return Conger(ratings, weights).of_draws(times)
