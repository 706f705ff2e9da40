"""The mean of numeric answers."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from headcount.data import Labels
from headcount.equivalence.combiners.grammar import Combiner, Floats, Ints, Others, Produces
from headcount.errors import OptionError


@dataclass(frozen=True)
class Mean(Combiner):
    """The mean of the labels as numbers; with no answers, the mean over the other items."""

    name: str = "mean"
    produces: Produces = "numbers"
    summary: ClassVar[str] = "mean of numeric labels; no answers: mean of the other items"

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Numbers (R,)."""
        values = self._values(labels)
        raters = surveys.sum(axis=1)
        means: Floats = surveys @ values / np.maximum(raters, 1)
        if (raters > 0).all():
            return means
        return np.where(raters > 0, means, others.average(others.shares() @ values))

    def learns(self, raters: int) -> bool:
        """Only the prediction from no answers depends on the other items."""
        return raters == 0

    def check(self, labels: Labels) -> None:
        """Labels must be numbers."""
        self._values(labels)

    def _values(self, labels: Labels) -> Floats:
        if labels.values is None:
            raise OptionError(
                "combiner='mean' needs labels that are numbers; these are "
                f"{labels.listing(4)}: choose 'plurality', 'frequency' or 'abc'."
            )
        return labels.values
