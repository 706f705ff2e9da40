"""Who said what, coded: for what anonymous counts cannot tell."""

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen

Ints = NDArray[np.int64]


@frozen
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
