"""One table of everything people said, by fold and cell: S_k[f, b, y], on bare arrays.

Items are put into cells b by a classifier's answer and into folds f. An item with counts c of n
ratings shows a survey y of k of them with chance P(y | c) = Π C(c_ℓ, y_ℓ) / C(n, k), so that
S_k[f, b, y] = Σ_i P(y | c_i) is how often y is seen there over all orders of every item's own
answers. Since P(y | c)(c_ℓ − y_ℓ)/(n − k) = P(y + e_ℓ | c)(y_ℓ + 1)/(k + 1), the next answer after
y is ℓ with the weight J_k[b, y, ℓ] = S_{k+1}[b, y + e_ℓ](y_ℓ + 1)/(k + 1): surveys of one more
person hold it already. Everything here is linear in S: learning without a fold is total − fold,
and a resample of items is a reweighting.
"""

from dataclasses import field
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from headcount.data import group_rows
from headcount.frozen import frozen
from headcount.population import every_survey

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_PEOPLE = 12
"""People asked about one item at most: nobody buys more, and every one more costs a table."""

_MOST_CHANCES = 20_000_000
"""(Pattern, survey) pairs of one survey size up to which they are worked out: 160 MB."""


@lru_cache(maxsize=64)
def survey_before(k: int, n_labels: int) -> Ints:
    """For every survey of k + 1 answers and label ℓ the place of y − e_ℓ among those of k, (R, L).

    −1 where y has no ℓ.

    >>> survey_before(1, 2).tolist()  # of (2, 0), (1, 1), (0, 2) among (1, 0), (0, 1)
    [[0, -1], [1, 0], [-1, 1]]
    """
    longer, shorter = every_survey(k + 1, n_labels), every_survey(k, n_labels)
    base = (k + 2) ** np.arange(n_labels)
    order = np.argsort(shorter @ base)
    keys = (shorter @ base)[order]
    found = np.full(longer.shape, -1)
    for label in range(n_labels):
        has = np.flatnonzero(longer[:, label])
        found[has, label] = order[np.searchsorted(keys, longer[has] @ base - base[label])]
    return found


@lru_cache(maxsize=64)
def survey_after(k: int, n_labels: int) -> Ints:
    """For every survey of k answers and label ℓ the place of y + e_ℓ among those of k + 1, (R, L).

    >>> survey_after(0, 2).tolist()
    [[0, 1]]
    """
    before = survey_before(k, n_labels)
    found = np.empty(every_survey(k, n_labels).shape, dtype=np.int64)
    longer, label = np.nonzero(before >= 0)
    found[before[longer, label], label] = longer
    return found


def chances_of_surveys(counts: Ints, k: int) -> Floats:
    """P(y | c) for counts (P, L) and every survey of k answers, (P, R); 0 where it cannot be.

    >>> chances_of_surveys(np.array([[2, 1]]), 1).round(3).tolist()
    [[0.667, 0.333]]
    """
    y = every_survey(k, counts.shape[1])
    most = int(counts.max(initial=0))
    a, b = np.arange(most + 1)[:, None], np.arange(k + 1)
    logs = gammaln(a + 1) - gammaln(b + 1) - gammaln(np.maximum(a - b, 0) + 1)
    ways = np.where(a >= b, np.exp(logs), 0.0)
    found = np.ones((len(counts), len(y)))
    for label in range(counts.shape[1]):
        # Surveys without the label have one way to show it: with many labels these are most.
        there = np.flatnonzero(y[:, label])
        found[:, there] *= ways[counts[:, label]][:, y[there, label]]
    n = counts.sum(axis=1).astype(np.float64)
    # An item with fewer than k answers shows no survey of k: its row stays nought.
    whole = np.where(n >= k, gammaln(n + 1) - gammaln(np.maximum(n - k, 0) + 1) - gammaln(k + 1), 0)
    found *= np.exp(-whole)[:, None]
    return found


def next_answers(longer: Floats, k: int, n_labels: int) -> Floats:
    """J_k (…, R, L) from S_{k+1} (…, R'): how often ℓ comes after each survey of k answers.

    >>> next_answers(np.array([1.0, 2.0]), 0, 2).tolist()
    [[1.0, 2.0]]
    """
    found: Floats = (
        longer[..., survey_after(k, n_labels)] * (every_survey(k, n_labels) + 1) / (k + 1)
    )
    return found


def reach_of_tables(n_patterns: int, n_cells: int, n_labels: int, most: int) -> int:
    """The largest k ≤ `most` whose tables, with one answer more, can be held."""
    k = min(most, MOST_PEOPLE)
    while k > 0:
        n_surveys = comb(k + n_labels, k + 1)
        if n_surveys * max(n_patterns, n_cells * n_labels) <= _MOST_CHANCES:
            break
        k -= 1
    return k


@frozen(eq=False)
class SurveyTables:
    """Items as parts: of a pattern of counts, in a fold and a cell, `size` (Q,) of them each.

    `patterns` (P, L) are distinct counts, `pattern`, `fold` and `cell` (Q,) whole numbers.
    """

    patterns: Ints
    pattern: Ints
    fold: Ints
    cell: Ints
    size: Floats
    n_folds: int
    n_cells: int
    _chances: dict[int, Floats] = field(default_factory=dict, init=False)

    @classmethod
    def of(
        cls,
        counts: Ints,
        size: NDArray[np.number],
        cell: Ints,
        n_cells: int,
        fold: Ints | None = None,
        n_folds: int = 1,
    ) -> "SurveyTables":
        """Rows of counts (n, L), each of `size` (n,) items in a `cell` and a `fold`."""
        groups = group_rows(counts)
        folds = np.zeros(len(counts), dtype=np.int64) if fold is None else fold
        sizes = np.asarray(size, dtype=np.float64)
        return cls(counts[groups.first], groups.of_row, folds, cell, sizes, n_folds, n_cells)

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return int(self.patterns.shape[1])

    @property
    def n_items(self) -> float:
        """How many items there are."""
        return float(self.size.sum())

    def chances(self, k: int) -> Floats:
        """P(y | c) of every pattern (P, R)."""
        if k not in self._chances:
            self._chances[k] = chances_of_surveys(self.patterns, k)
        return self._chances[k]

    def held(self) -> Floats:
        """How many items of each pattern are in each fold and cell, (F, B, P)."""
        shape = (self.n_folds, self.n_cells, len(self.patterns))
        place = np.ravel_multi_index((self.fold, self.cell, self.pattern), shape)
        summed = np.bincount(place, weights=self.size, minlength=int(np.prod(shape)))
        return summed.astype(np.float64).reshape(shape)

    def surveyed(self, k: int) -> Floats:
        """S_k (F, B, R)."""
        return np.asarray(self.held() @ self.chances(k))

    def score_of_parts(self, scores: Floats, k: int) -> Floats:
        """The expected score of each part's items (Q,), by scores (F, B, R, L) of k answers.

        Σ_y P(y | c) Σ_ℓ (c_ℓ − y_ℓ)/(n − k) s(y, ℓ), as a sum over surveys of k + 1 answers.
        """
        before, longer = survey_before(k, self.n_labels), every_survey(k + 1, self.n_labels)
        found = np.empty(len(self.pattern))
        for each in range(self.n_folds):
            here = np.flatnonzero(self.fold == each)
            if not len(here):
                continue
            # Where y has no ℓ its share is nought, whatever score stands at the place −1.
            taken = scores[each][:, before, np.arange(self.n_labels)]
            told = (taken * (longer / (k + 1))).sum(axis=-1)
            found[here] = (self.chances(k + 1) @ told.T)[self.pattern[here], self.cell[here]]
        return found
