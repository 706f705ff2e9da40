"""All surveys of k raters, of every pattern: the rows that the curve's point at k is made of."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.frozen import frozen

Ints = NDArray[np.int64]
SmallInts = NDArray[np.int32]
Floats = NDArray[np.float64]
Counts = NDArray[np.signedinteger]
Which = slice | NDArray[Any]


@frozen
class Level:
    """The surveys of `raters` = k answers: R rows (pattern, survey), U distinct surveys.

    `pattern` (R,) and `survey` (R,) index the patterns and `surveys` (U, L), the answers.
    `chance` (R,) is P(y | c), the chance that k answers drawn from the pattern are this
    survey; `weight` (R,) the row's share of its pattern: the chance, unless surveys are drawn.
    `left` (L, R) are the answers that the survey left over; the label to predict is the next
    one drawn from them, or has the shares `targets` (G, L) of another pool, or the chances
    `aims` (R, L) of each label to be the plurality of several next ones. `smaller` (L, R) is the
    row, one level down, of the survey that forgot one answer of each label (−1: none), or None
    where nobody asks. `patterns` is how many patterns there are. Where surveys are drawn,
    `order` (R, n) are the labels in the order in which each row's item answers; the survey is
    the first k.
    """

    raters: int
    patterns: int
    pattern: SmallInts
    survey: SmallInts
    surveys: Counts
    chance: Floats
    weight: Floats
    left: Counts
    targets: Floats | None = None
    aims: Floats | None = None
    smaller: SmallInts | None = None
    order: SmallInts | None = None

    @property
    def drawn(self) -> bool:
        """Whether the surveys are a random sample of all there are."""
        return self.order is not None

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.pattern)

    def following(self, rows: Which) -> Floats:
        """The chance of each label to be the one to predict, for some rows: (r, L)."""
        if self.aims is not None:
            aims: Floats = self.aims[rows]
            return aims
        if self.targets is not None:
            shares: Floats = self.targets[self.pattern[rows]]
            return shares
        left: Floats = np.ascontiguousarray(self.left[:, rows].T, dtype=np.float64)
        left *= self._scale[rows, None]
        return left

    @cached_property
    def _scale(self) -> Floats:
        scale: Floats = 1 / np.maximum(self.left.sum(axis=0, dtype=np.int64), 1)
        return scale

    @cached_property
    def shared(self) -> Ints:
        """Rows whose survey another pattern could have given too."""
        often = np.bincount(self.survey, minlength=len(self.surveys))
        return np.flatnonzero(often[self.survey] > 1)

    @cached_property
    def alone(self) -> Ints:
        """Rows whose survey no other pattern could have given."""
        often = np.bincount(self.survey, minlength=len(self.surveys))
        return np.flatnonzero(often[self.survey] == 1)

    def sums(self, items: Floats) -> Floats:
        """Σ over items of chance · following for each shared survey: (B, G) give (B, U, L)."""
        rows, shape = self.shared, (len(items), *self.surveys.shape)
        if len(items) > 1:
            return np.asarray(self._terms.T @ items.T).T.reshape(shape)
        # One entry a row, in the row's own column: no sorting, whole label vectors added.
        scatter = sparse.csc_array(
            (
                items[0][self.pattern[rows]] * self.chance[rows],
                self.survey[rows],
                np.arange(len(rows) + 1),
            ),
            shape=(shape[1], len(rows)),
        )
        return np.asarray(scatter @ self.following(rows))[None]

    @cached_property
    def _terms(self) -> sparse.csr_array:
        """Their terms as patterns × (surveys · labels): sums are linear in the items."""
        L, rows = self.surveys.shape[1], self.shared
        columns = self.survey[rows, None].astype(np.int64) * L + np.arange(L)
        entries = self.chance[rows, None] * self.following(rows)
        return sparse.csr_array(
            (entries.ravel(), (np.repeat(self.pattern[rows], L), columns.ravel())),
            shape=(self.patterns, len(self.surveys) * L),
        )
