"""Which items people disagree on: how divided items are, and the most contested ones."""

import numpy as np
from numpy.typing import NDArray

from headcount.data import ItemCounts, Patterns
from headcount.results import Record, record

Floats = NDArray[np.float64]


@record
class ContestedItem(Record):
    """An item, its label counts by name, the share of pairs of its ratings that disagree,
    the chance that two further raters would, and its text where there is one. On a scale, to
    disagree is not to be near.
    """

    item: str
    ratings: int
    counts: dict[str, int]
    disagreement: float
    expected_disagreement: float
    text: str | None = None


@record
class DisagreementBin(Record):
    """How many items have a share of disagreeing pairs in (low, high]; the first bin is 0."""

    low: float
    high: float
    items: int


def expected_disagreement(
    counts: NDArray[np.int64], label_shares: Floats, alpha: float, near: Floats
) -> Floats:
    """The chance that two further raters of each item disagree, shape (G,).

    One against one is total disagreement and says almost nothing; fifteen against fifteen
    says a lot. Items are taken to vary as a Dirichlet with mean `label_shares` and the
    concentration s at which two raters agree beyond chance as often as `alpha` says,
    s = (1 − α)/α. Given counts c the item's distribution is then Dirichlet with a = c + s·π,
    and two more raters give k and ℓ with chance a_k a_ℓ/(A(A + 1)), a(a + 1)/(A(A + 1)) the
    same; `near` (L, L) is 1 where two labels agree.
    """
    bounded = min(max(alpha, 1e-6), 1 - 1e-6)
    concentration = (1 - bounded) / bounded
    a = counts + concentration * label_shares
    total = a.sum(axis=1)
    agreeing = (a * (a @ near + 1)).sum(axis=1)
    return np.asarray(1 - agreeing / (total * (total + 1)))


def observed_disagreement(counts: NDArray[np.int64], near: Floats) -> Floats:
    """The share of pairs of ratings on each item that disagree; NaN without a pair."""
    c = counts.astype(np.float64)
    n = c.sum(axis=1)
    pairs = n * (n - 1)
    agreeing = (c * (c @ near - 1)).sum(axis=1)
    out = np.full(len(c), np.nan)
    return np.asarray(1 - np.divide(agreeing, pairs, out=out, where=pairs > 0))


def disagreement_bins(patterns: Patterns, near: Floats) -> tuple[DisagreementBin, ...]:
    """Items by their share of disagreeing pairs: none, then by tenths."""
    shares = observed_disagreement(patterns.counts, near)
    compared = ~np.isnan(shares)
    # Rounded up to tenths; rounding errors must not carry 0.3 into the next bin.
    tenth = np.ceil(np.round(10 * shares[compared], 9)).astype(np.int64)
    items = np.bincount(tenth, weights=patterns.items[compared], minlength=11)
    return tuple(
        DisagreementBin(max(t - 1, 0) / 10, t / 10, round(count)) for t, count in enumerate(items)
    )


def most_contested(
    found: ItemCounts, labels: tuple[str, ...], alpha: float, most: int, near: Floats
) -> tuple[ContestedItem, ...]:
    """The `most` items on which two further raters would most likely disagree.

    Only items that someone already disagreed on; of equals the one with more ratings,
    then by name.
    """
    items, counts = found.items, found.counts
    seen = observed_disagreement(counts, near)
    split = np.flatnonzero(seen > 0)
    if not len(split) or most == 0:
        return ()
    shares = counts.sum(axis=0) / counts.sum()
    expected = expected_disagreement(counts[split], shares, alpha, near)
    # Rounded, so that rounding errors do not decide between equals.
    expected = np.round(expected, 12)
    last = np.partition(-expected, min(most, len(split)) - 1)[min(most, len(split)) - 1]
    high = np.flatnonzero(-expected <= last)
    size = counts[split[high]].sum(axis=1)
    order = high[np.lexsort((items[split[high]].astype(str), -size, -expected[high]))[:most]]
    return tuple(
        ContestedItem(
            item=str(items[row]),
            ratings=int(counts[row].sum()),
            counts={
                name: int(count)
                for name, count in zip(labels, counts[row], strict=True)
                if count > 0
            },
            disagreement=float(seen[row]),
            expected_disagreement=float(expected[place]),
        )
        for place, row in zip(order, split[order], strict=True)
    )
