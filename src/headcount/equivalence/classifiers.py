"""The scores of classifiers against held-out raters, on bare arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.exact.scoring import Rows, Scoring

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ScoredGroups:
    """A classifier on groups of items, ready to be scored in any sample of them.

    `prediction` has a row a group, in the form the scorer takes; `held_out` (H, L) is the
    chance of each label to be the one it is scored against.
    """

    scoring: Scoring
    prediction: NDArray[Any]
    held_out: Floats

    def scores(self, draws: NDArray[np.integer]) -> Floats:
        """Scores (B,) in samples that hold each group `draws` (B, H) times."""
        group, label = np.nonzero(self.held_out > 0)
        share = self.held_out[group, label]
        if self.scoring.scorer.decomposable:
            each = self.scoring.rows(self.prediction[group], label)
            mean = np.bincount(group, weights=each * share, minlength=len(self.held_out))
            total: Floats = draws @ mean / draws.sum(axis=1)
            return total
        rows = Rows(self.prediction[group], label, share, group)
        return self.scoring.of_rows(rows, draws)
