"""A combiner's predictions for whole levels, in many samples of items at once."""

from dataclasses import dataclass, field

import numpy as np

from headcount.equivalence.combiners import AnonymousBayes, Others
from headcount.equivalence.combiners.abc import predict_with_depth
from headcount.equivalence.exact.bayes import Predicted, predict_level
from headcount.equivalence.exact.level import Floats, Level
from headcount.equivalence.exact.setup import Setup


@dataclass
class Predictor:
    """Predicts level after level, in order: a level may fall back on the one below.

    `items` (B, G) says how many items have each pattern in each of B samples, and `copies`
    (B, G) how many of them to leave out when predicting for one of them.
    """

    setup: Setup
    items: Floats
    copies: Floats
    _before: Predicted | None = field(default=None, init=False)

    def __call__(self, level: Level) -> Predicted:
        """Predictions (B, R, L) or (B, R); B is 1 where they are the same in all samples."""
        combiner = self.setup.combiner
        if not combiner.learns(level.raters):
            return Predicted(self._myopic(level), None)
        if isinstance(combiner, AnonymousBayes):
            if level.drawn:
                return self._bayes_of_drawn(level)
            self._before = predict_level(level, self.items, self.copies, self._before)
            return self._before
        surveys = level.surveys[level.survey].astype(np.int64)
        each = [
            combiner(surveys, self.setup.others(level, items, left_out), labels=self.setup.labels)
            for items, left_out in zip(self.items, self.copies, strict=True)
        ]
        return Predicted(np.stack(each), None)

    def _myopic(self, level: Level) -> Floats:
        """The same for every item with that survey, whatever the sample."""
        nobody = np.zeros(len(level.surveys), dtype=np.int64)
        others = Others(self.setup.counts, self.setup.sizes, nobody, nobody.astype(np.float64))
        surveys = level.surveys.astype(np.int64)
        said = self.setup.combiner(surveys, others, labels=self.setup.labels)
        return said[level.survey][None]

    def _bayes_of_drawn(self, level: Level) -> Predicted:
        surveys = level.surveys[level.survey].astype(np.int64)
        each = [
            predict_with_depth(surveys, self.setup.others(level, items, left_out))
            for items, left_out in zip(self.items, self.copies, strict=True)
        ]
        forgotten = np.stack([depth for _, depth in each]).astype(np.int32)
        return Predicted(np.stack([chances for chances, _ in each]), forgotten)
