"""The two-way bootstrap: items and raters are drawn anew, and nobody agrees with himself.

When rater r is drawn v_r times, item i holds C_ℓ = Σ v_r ratings of label ℓ (over the raters
who gave it) and N = ΣC in all. Copies of one rater always agree, which says nothing about
two people, so their pairs are taken out: with S_ℓ = Σ v_r² the item has C_ℓ² − S_ℓ ordered
pairs of different raters who both say ℓ, and N² − ΣS in all. With every v_r = 1 these are
the usual c(c − 1) and n(n − 1), and every coefficient is its usual self.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.coefficients import ByName, Scale, Totals, coefficients
from headcount.results import Progress
from headcount.stats import Bootstrap, resample

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NamedRatings:
    """First answers one by one: (R,) codes of item, rater and label; `names` are the raters'."""

    item: Ints
    rater: Ints
    label: Ints
    names: tuple[str, ...]
    n_items: int
    n_labels: int

    @property
    def n_raters(self) -> int:
        """How many raters there are."""
        return len(self.names)


@dataclass(frozen=True)
class DrawnRatings:
    """Label counts item by item for a batch of draws of raters.

    `counts` (B, n, L) is C above, `same` (B, n, L) is S, `times` (B, n) how often each
    item is drawn.
    """

    counts: Floats
    same: Floats
    times: Floats

    @property
    def weight(self) -> Floats:
        """Krippendorff's weight of an item's pairs, N/(N² − ΣS); 0 where it has none.

        It is the usual 1/(n − 1) when nobody is drawn twice.
        """
        pairs = self.pairs
        return np.where(pairs > 0, self.size / np.where(pairs > 0, pairs, 1), 0.0)

    @property
    def size(self) -> Floats:
        """Ratings an item has, copies included."""
        size: Floats = self.counts.sum(axis=2)
        return size

    @property
    def pairs(self) -> Floats:
        """Ordered pairs of ratings by different raters."""
        return np.asarray(self.size**2 - self.same.sum(axis=2))


def draw_ratings(ratings: NamedRatings, item_times: Ints, rater_times: Ints) -> DrawnRatings:
    """The ratings when items are drawn `item_times` (B, n) and raters `rater_times` (B, m)."""
    from scipy import sparse

    rows = ratings.item * ratings.n_labels + ratings.label
    shape = (ratings.n_items * ratings.n_labels, ratings.n_raters)
    said = sparse.csr_array((np.ones(len(rows)), (rows, ratings.rater)), shape=shape)
    drawn = rater_times.T.astype(np.float64)
    grid = (len(rater_times), ratings.n_items, ratings.n_labels)
    return DrawnRatings(
        counts=np.ascontiguousarray((said @ drawn).T).reshape(grid),
        same=np.ascontiguousarray((said @ drawn**2).T).reshape(grid),
        times=item_times.astype(np.float64),
    )


def totals_of_drawn(drawn: DrawnRatings) -> Totals:
    """Totals for each draw, over pairs of different raters."""
    both = drawn.counts**2 - drawn.same
    agreeing, pairs, size = both.sum(axis=2), drawn.pairs, drawn.size
    paired, rated = pairs > 0, size > 0
    share = agreeing / np.where(paired, pairs, 1)
    # A label's part of an item's pairs; with nobody drawn twice this is the label's count.
    in_pairs = (drawn.counts * size[..., None] - drawn.same) * drawn.weight[..., None]
    label_shares = drawn.counts / np.where(rated, size, 1)[..., None]
    times = drawn.times
    return Totals(
        agreeing=(times * agreeing).sum(axis=1),
        pairs=(times * pairs).sum(axis=1),
        item_agreement=(times * share).sum(axis=1),
        items_compared=(times * paired).sum(axis=1),
        items_rated=(times * rated).sum(axis=1),
        together=(times * drawn.weight * agreeing).sum(axis=1),
        shares=np.einsum("bi,bil->bl", times, label_shares),
        marginals=np.einsum("bi,bil->bl", times, in_pairs),
    )


def spread_of_drawn(drawn: DrawnRatings, values: Floats) -> Floats:
    """Observed disagreement (B,) for labels at `values` (B, L).

    Copies of one rater are no distance apart, so no pair has to be taken out.
    """
    first = np.einsum("bil,bl->bi", drawn.counts, values)
    second = np.einsum("bil,bl->bi", drawn.counts, values**2)
    inside = drawn.weight * (drawn.size * second - first**2)
    return np.asarray(2 * (drawn.times * inside).sum(axis=1))


def two_way_draws(named: NamedRatings, plan: Bootstrap, scale: Scale, progress: Progress) -> ByName:
    """Every coefficient for every sample of items and raters drawn anew."""
    everyone = np.ones(named.n_raters, dtype=np.int64)
    crowds = iter(plan.rater_draws(named.n_raters))

    def measured(items: Ints) -> ByName:
        crowd = np.array([next(crowds, everyone) for _ in items])
        drawn = draw_ratings(named, items, crowd)
        return coefficients(totals_of_drawn(drawn), scale, partial(spread_of_drawn, drawn))

    found = resample(
        plan,
        np.ones(named.n_items, dtype=np.int64),
        measured,
        width=named.n_items * named.n_labels,
        progress=progress,
        description="Bootstrap of items and raters",
    )
    return {name: np.asarray(values, dtype=np.float64) for name, values in found.items()}
