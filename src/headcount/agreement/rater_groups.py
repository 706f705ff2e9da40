"""Groups of raters: do people agree within a group more than across groups, and whose side is
the classifier on?
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.frozen import frozen

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_PAIR = "no item was rated by two such people"


@frozen(eq=False)
class GroupedCounts:
    """Label counts of each item by group of raters: (n, G, L)."""

    counts: Ints

    @classmethod
    def of(
        cls, item: Ints, label: Ints, group: Ints, *, n_items: int, n_groups: int, n_labels: int
    ) -> "GroupedCounts":
        """From ratings one by one; `group` (R,) is the rater's, −1 where it is not known."""
        counts = np.zeros((n_items, n_groups, n_labels), dtype=np.int64)
        known = group >= 0
        np.add.at(counts, (item[known], group[known], label[known]), 1)
        return cls(counts)


def group_agreement(grouped: GroupedCounts, times: NDArray[np.number], weights: Floats) -> Floats:
    """Agreement within and between groups, (B, G, G), items drawn `times` (B, n).

    The share of pairs of ratings on one item, one rater from each group, that agree (their mean
    worth by `weights`); within a group pairs of different raters. NaN where there is no pair.
    """
    c = grouped.counts.astype(np.float64)
    n = c.sum(axis=2)
    agreeing = np.einsum("igk,kl,ihl->igh", c, weights, c)
    pairs = n[:, :, None] * n[:, None, :]
    diagonal = np.arange(c.shape[1])
    agreeing[:, diagonal, diagonal] -= (c * np.diag(weights)).sum(axis=2)
    pairs[:, diagonal, diagonal] -= n
    drawn = times.astype(np.float64)
    return _ratio(np.tensordot(drawn, agreeing, axes=1), np.tensordot(drawn, pairs, axes=1))


def within_less_between(agreement: Floats) -> Floats:
    """How much more each group agrees with itself than with the others, (B, G).

    Each group's own agreement less the mean of its agreement with every other group.
    """
    n_groups = agreement.shape[1]
    own = np.einsum("bgg->bg", agreement)
    across = np.where(np.eye(n_groups, dtype=bool), np.nan, agreement)
    known = (~np.isnan(across)).sum(axis=2)
    total = np.where(np.isnan(across), 0.0, across).sum(axis=2)
    return np.asarray(own - _ratio(total, known.astype(np.float64)))


def agree_by_group(
    grouped: GroupedCounts, answers: ArrayLike, times: NDArray[np.number], weights: Floats
) -> Floats:
    """The share of each group's people who agree with the classifier, (B, G).

    Mean over items that the group rated of the share of its ratings equal to the answer (their
    worth by `weights`); −1 is no answer, and the item takes no part.
    """
    share, known = _shares(grouped, answers, weights)
    drawn = times.astype(np.float64)
    return _ratio(drawn @ np.where(known, share, 0.0), drawn @ known)


def group_difference(
    grouped: GroupedCounts,
    answers: ArrayLike,
    times: NDArray[np.number],
    weights: Floats,
    first: int,
    second: int,
) -> Floats:
    """How many more of the first group agree than of the second, (B,), on items both rated."""
    share, known = _shares(grouped, answers, weights)
    both = known[:, first] & known[:, second]
    drawn = times[:, both].astype(np.float64)
    gap = share[both, first] - share[both, second]
    return _ratio(drawn @ gap, drawn.sum(axis=1))


def _shares(
    grouped: GroupedCounts, answers: ArrayLike, weights: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    said = np.asarray(answers, dtype=np.int64)
    c = grouped.counts.astype(np.float64)
    n = c.sum(axis=2)
    credit = np.einsum("igl,il->ig", c, weights[np.maximum(said, 0)])
    return credit / np.maximum(n, 1), (n > 0) & (said >= 0)[:, None]


def _ratio(above: Floats, below: Floats) -> Floats:
    out = np.full(np.broadcast(above, below).shape, np.nan)
    return np.asarray(np.divide(above, below, out=out, where=below > 0))
