"""What every scorer is: facts about itself, one call on weighted rows, and what it must know."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Labels
from headcount.errors import OptionError
from headcount.frozen import frozen

Prediction = NDArray[Any]


@frozen
class Task:
    """The labels, the position of the positive one where the user named it, and the clip.

    `clip=None` is 0.04 / L: the paper's 0.02 for two labels.
    """

    labels: Labels
    positive: int | None = None
    clip: float | None = None

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return self.labels.n

    @property
    def focus(self) -> int | None:
        """The one label a two-sided scorer looks at, or None to average over all of them."""
        if self.positive is None and self.labels.n == 2:
            return 1
        return self.positive

    @cached_property
    def epsilon(self) -> float:
        """The clip in use."""
        return clip_for(self.labels.n, self.clip)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The labels as numbers; refuses labels that are not."""
        if self.labels.values is None:
            raise OptionError(
                f"Numbers are needed, but the labels are not numbers ({self.labels.listing()}): "
                "use a scorer and a combiner for labels, or recode the labels as numbers."
            )
        return self.labels.values

    @cached_property
    def levels(self) -> NDArray[np.float64]:
        """The labels' numbers where these rise with the labels; refuses labels in another order."""
        values = self.values
        if not (np.diff(values) > 0).all():
            raise OptionError(
                f"The labels' numbers must rise in their order ({self.labels.listing()}): give "
                "them so with order=."
            )
        return values


def clip_for(n_labels: int, clip: float | None = None) -> float:
    """The clip ε in use: the one given, or 0.04 / L.

    >>> clip_for(2)
    0.02
    """
    if clip is None:
        return 0.04 / n_labels
    if isinstance(clip, bool) or not 0 < clip < 1 / n_labels:
        raise OptionError(
            f"clip is the least probability a prediction may give a label: with {n_labels} labels "
            f"a number above 0 and below {1 / n_labels:.3g}; it was {clip!r}."
        )
    return float(clip)


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
