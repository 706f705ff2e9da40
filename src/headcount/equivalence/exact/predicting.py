"""A combiner's predictions for whole levels, in many samples of items at once."""

from dataclasses import dataclass, field

import numpy as np

from headcount.equivalence.combiners import AnonymousBayes, Others
from headcount.equivalence.combiners.abc import predict_with_depth
from headcount.equivalence.exact.bayes import Predicted, predict_level
from headcount.equivalence.exact.drawing import prefix
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
    _drawn_before: Predicted | None = field(default=None, init=False)

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
        """Drawn surveys forget one answer in every way there is, and then the last ones.

        All smaller surveys would be too many to try. The rows are the same at every k, so one
        that was not seen even so takes over what it had with one answer less.
        """
        assert level.order is not None
        before = self._drawn_before or self._below_the_first(level)
        self._drawn_before = self._one_more(level, level.raters, before)
        return self._drawn_before

    def _below_the_first(self, level: Level) -> Predicted:
        """What the drawn rows had at every smaller k, as far as one of them needs it."""
        nothing = np.full((1, level.size, self.setup.labels.n), np.nan)
        before = Predicted(nothing, np.full((1, level.size), -1, dtype=np.int32))
        for raters in range(level.raters):
            before = self._one_more(level, raters, before)
        return before

    def _one_more(self, level: Level, raters: int, before: Predicted) -> Predicted:
        assert level.order is not None
        assert before.forgotten is not None
        surveys = prefix(level.order, raters, self.setup.labels.n)
        others = self.setup.others(level, self.items[0], self.copies[0])
        chances, depth = predict_with_depth(surveys, others, deepest=1)
        found = depth >= 0
        deeper = np.where(before.forgotten[0] >= 0, before.forgotten[0] + 1, -1)
        return Predicted(
            np.where(found[:, None], chances, before.chances[0])[None],
            np.where(found, depth, deeper).astype(np.int32)[None],
        )
