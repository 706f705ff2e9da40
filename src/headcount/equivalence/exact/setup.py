"""A power curve's question on bare arrays."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Labels
from headcount.equivalence.combiners import Combiner, Others, plurality_of
from headcount.equivalence.exact.level import Floats, Ints, Level
from headcount.equivalence.exact.scoring import Scoring
from headcount.frozen import frozen
from headcount.metrics import Scorer


@frozen
class Setup:
    """Patterns, and what to do with them.

    `counts` (G, L) and `sizes` (G,): the distinct label counts and how many items have each
    (parts of an item, too, where patterns are divided).
    `most` is the largest survey; every pattern has at least `most` answers, and
    `reference_raters` more to hold out, unless these come from `experts` (G, L), the counts
    of another pool.
    """

    counts: Ints
    sizes: NDArray[Any]
    most: int
    labels: Labels
    combiner: Combiner
    scorer: Scorer
    positive: int | None = None
    clip: float | None = None
    reference_raters: int = 1
    experts: Ints | None = None

    @property
    def targets(self) -> Floats | None:
        """The chances of each label in the other pool, (G, L), or None where there is one pool."""
        return None if self.experts is None else plurality_of(self.experts, self.reference_raters)

    @property
    def scoring(self) -> Scoring:
        """The scorer with what it must know."""
        return Scoring(self.scorer, self.labels, self.positive, self.clip)

    def aimed(self, level: Level) -> Level:
        """A level with the label that its rows are scored against, and learn to predict."""
        if self.reference_raters == 1 or self.experts is not None:
            return level
        return replace(level, aims=plurality_of(level.left.T, self.reference_raters))

    def copies(self, samples: Floats) -> Floats:
        """How many copies of a drawn item to leave out of each bootstrap sample, shape (B, G).

        A copy drawn from a group of g items that was drawn m times is accompanied, on
        average, by (m − 1) / g more copies of the same item.
        """
        alone = 1 + (samples - 1) / self.sizes
        return np.where(samples > 0, alone, 0.0)

    def others(self, level: Level, items: Floats, copies: Floats) -> Others:
        """What a combiner may learn from in one sample: `items` and `copies` (G,)."""
        own: NDArray[np.int64] = level.pattern.astype(np.int64)
        return Others(self.counts, items, own, copies[own], self.targets, self.reference_raters)
