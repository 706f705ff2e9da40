"""What every scorer is: facts about itself, and one call on weighted rows."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.data import Labels
from headcount.frozen import frozen
from headcount.metrics.task import Task

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Prediction = NDArray[Any]

Takes = Literal["labels", "probabilities", "numbers"]
"""What a prediction can be: (R,) label positions, (R, L) probabilities, or (R,) numbers."""


@frozen
class Scorer(ABC):
    """A metric as a function of weighted (prediction, label) rows; higher is always better.

    `takes` is the kind of prediction it is fed; `bounds` are the least and the greatest value
    it can have (None: no such bound); `about` says in a few words what it measures;
    `undefined` says when it has no value; `hard_too` tells whether certain predictions
    (probabilities of 0 and 1) are a fair input to one that takes probabilities; a
    `scale_free` scorer counts the smallest difference between predictions in full, so equal
    surveys must get equal predictions (leaving each item out would rank them backwards);
    `calibrated` tells that classifiers are to be calibrated before, by default, though it
    scores labels fairly; `reads_order` that the labels' order has a meaning to it.
    A `decomposable` scorer is the weighted mean of a score for each row (see `RowScorer`).
    """

    name: str
    takes: Takes
    about: str
    bounds: tuple[float | None, float | None]
    undefined: str = "the rows have no weight"
    hard_too: bool = False
    scale_free: bool = False
    calibrated: bool = False
    reads_order: bool = False
    decomposable: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = True

    @property
    def bounded(self) -> bool:
        """Whether it has both a least and a greatest value."""
        return None not in self.bounds

    def __call__(
        self,
        prediction: Prediction,
        label: Ints,
        weight: Floats,
        *,
        labels: Labels,
        positive: int | None = None,
        clip: float | None = None,
    ) -> Any:
        """The score of the rows.

        `label` (R,) holds positions in `labels`. One vector of weights (R,) gives a float,
        many of them (B, R) an array (B,). NaN stands for undefined; `undefined` says why.
        `positive` is the position of the positive label where the user named one: by default
        the last of two labels, and none among more. `clip` is the least probability that
        enters a logarithm, by default 0.04 / L.
        """
        weights = np.asarray(weight, dtype=np.float64)
        scores = self.compute(
            np.asarray(prediction),
            np.asarray(label),
            np.atleast_2d(weights),
            Task(labels, positive, clip),
        )
        return float(scores[0]) if weights.ndim == 1 else scores

    @abstractmethod
    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The score under each of many weight vectors: `weight` (B, R) gives (B,)."""


def ratio(part: Floats, whole: Floats) -> Floats:
    """Part by whole, NaN where the whole is nothing."""
    out = np.full(np.broadcast_shapes(part.shape, whole.shape), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out
