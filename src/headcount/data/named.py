"""Who said what about the items of a study, one by one."""

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from headcount.data.answers import Column
from headcount.frozen import frozen

Ints = NDArray[np.int64]


@frozen
class Named:
    """Who said what about the items of a study: (R,) codes of first answers.

    `item` counts in the rows of `Study.judged`, `raters` (m,) names those who rated any of them.
    `by` has every column of groups of raters, coded (R,).
    """

    item: Ints
    rater: Ints
    label: Ints
    raters: NDArray[np.object_]
    by: dict[str, Column] = field(default_factory=dict)

    @property
    def n_raters(self) -> int:
        """How many raters rated any of the items."""
        return len(self.raters)
