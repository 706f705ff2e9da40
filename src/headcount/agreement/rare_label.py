"""Why agreement, AC1 and alpha can tell three stories about one data set."""

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.weighted import label_shares
from headcount.frozen import frozen

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_COMMON = 0.8
_APART = 0.3


@frozen
class RareLabel:
    """One label has nearly all the ratings: its code and share; how often a second rater
    repeats another label where a first one gave it; agreement by chance in these proportions.
    """

    common: int
    share: float
    repeated: float | None
    by_chance: float

    def sentence(self, agreement: float, ac1: float, alpha: float, label: str) -> str:
        """The three numbers side by side, and why each is what it is.

        >>> found = RareLabel(0, 0.973, 0.02, 0.947)
        >>> print(found.sentence(0.947, 0.94, 0.01, "no"))
        Two people agree on 94.7 % of items, AC1 is 0.94, alpha is 0.01: 97.3 % of ratings are
        "no", so two people who answer at random in these proportions would agree on 94.7 %.
        Alpha asks how much better people do than that; AC1 counts as chance only what is
        answered in doubt, and little is. What tells is the rest: where one person gives another
        label than "no", the next one gives the same label in 2.0 % of cases.
        """
        rest = (
            "nobody could be compared on another label."
            if self.repeated is None
            else (
                f'where one person gives another label than "{label}", the next one gives the '
                f"same label in {100 * self.repeated:.1f} % of cases."
            )
        )
        return (
            f"Two people agree on {100 * agreement:.1f} % of items, AC1 is {ac1:.2f}, alpha is "
            f'{alpha:.2f}: {100 * self.share:.1f} % of ratings are "{label}", so two people who '
            "answer at random in these proportions would agree on "
            f"{100 * self.by_chance:.1f} %. Alpha asks how much better people do than that; AC1 "
            "counts as chance only what is answered in doubt, and little is. What tells is the "
            f"rest: {rest}"
        )


def specific_agreement(counts: Ints, times: NDArray[np.number]) -> Floats:
    """For each label (B, L), how often a second rater gives it where a first one did.

    Σ c_ℓ(c_ℓ − 1)/(n − 1) over Σ c_ℓ, each item's ratings weighted alike; NaN for labels that
    nobody could be compared on.
    """
    c = counts.astype(np.float64)
    n = c.sum(axis=1)
    paired = n > 1
    c, n = c[paired], n[paired]
    drawn = times[:, paired].astype(np.float64)
    again = drawn @ (c * (c - 1) / (n - 1)[:, None])
    given = drawn @ c
    out = np.full(given.shape, np.nan)
    return np.asarray(np.divide(again, given, out=out, where=given > 0))


def rare_label(
    counts: Ints, sizes: NDArray[np.number], ac1: float, alpha: float
) -> RareLabel | None:
    """What to explain about patterns `counts` (G, L) of `sizes` (G,) items; None if nothing.

    There is something to explain where one label has four ratings in five and AC1 and alpha
    lie at least .3 apart.
    """
    times = sizes[None, :]
    share = label_shares(counts, times)[0]
    common = int(np.argmax(share))
    if not (share[common] >= _COMMON and ac1 - alpha >= _APART):
        return None
    others = np.delete(counts, common, axis=1)
    by_label = np.delete(specific_agreement(counts, times)[0], common)
    given = sizes @ others
    known = ~np.isnan(by_label) & (given > 0)
    repeated = float(by_label[known] @ given[known] / given[known].sum()) if known.any() else None
    return RareLabel(common, float(share[common]), repeated, float((share**2).sum()))
