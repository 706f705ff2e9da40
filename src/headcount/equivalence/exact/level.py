"""All surveys of k raters, of every pattern: the rows that the curve's point at k is made of."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Ints = NDArray[np.int64]
SmallInts = NDArray[np.int32]
Floats = NDArray[np.float64]
Counts = NDArray[np.signedinteger]


@dataclass(frozen=True)
class Level:
    """The surveys of `raters` = k answers: R rows (pattern, survey), U distinct surveys.

    `pattern` (R,) and `survey` (R,) index the patterns and `surveys` (U, L), the answers.
    `chance` (R,) is P(y | c), the chance that k answers drawn from the pattern are this
    survey; `weight` (R,) the row's share of its pattern: the chance, unless surveys are drawn.
    `following` (R, L) is the chance of each label to be the next answer, and `smaller` (R, L)
    the row, one level down, of the survey that forgot one answer of each label (−1: none),
    or None where nobody asks. `patterns` is how many patterns there are.
    """

    raters: int
    patterns: int
    pattern: SmallInts
    survey: SmallInts
    surveys: Counts
    chance: Floats
    weight: Floats
    following: Floats
    smaller: SmallInts | None = None
    drawn: bool = False

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.pattern)

    def sums(self, items: Floats) -> Floats:
        """Σ over items of chance · following for each survey: (B, G) items give (B, U, L)."""
        shape = (len(items), *self.surveys.shape)
        if len(items) > 1:
            return np.asarray(self._terms.T @ items.T).T.reshape(shape)
        # One entry a row, in the row's own column: no sorting, whole label vectors added.
        scatter = sparse.csc_array(
            (items[0][self.pattern] * self.chance, self.survey, np.arange(self.size + 1)),
            shape=(shape[1], self.size),
        )
        return np.asarray(scatter @ self.following)[None]

    @cached_property
    def _terms(self) -> sparse.csr_array:
        """Their terms as patterns × (surveys · labels): sums are linear in the items."""
        L = self.surveys.shape[1]
        columns = self.survey[:, None].astype(np.int64) * L + np.arange(L)
        entries = self.chance[:, None] * self.following
        rows = np.repeat(self.pattern, L)
        return sparse.csr_array(
            (entries.ravel(), (rows, columns.ravel())),
            shape=(self.patterns, len(self.surveys) * L),
        )
