"""Combiners that look at the survey's own answers: the most common, their shares, their mean."""

from typing import ClassVar, Literal

import numpy as np

from headcount.data import Labels
from headcount.equivalence.combiners.grammar import Combiner, Floats, Ints, Others, Produces
from headcount.equivalence.combiners.reference import shares_of_most_common
from headcount.errors import OptionError
from headcount.frozen import frozen


@frozen
class Plurality(Combiner):
    """The most common label. Ties share its weight: the expectation of a coin flip.

    With no answers: the commonest label of all items (`empty="commonest"`), or every label
    equally (`empty="uniform"`, the paper's convention).
    """

    name: str = "plurality"
    produces: Produces = "labels"
    empty: Literal["commonest", "uniform"] = "uniform"
    summary: ClassVar[str] = "most common label, ties shared; no answers: the commonest of all"

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Shares (R, L) of the most common labels."""
        del labels
        shares = shares_of_most_common(surveys)
        if not self.learns(0):
            return shares
        commonest = shares_of_most_common((others.items @ others.shares())[None])
        return np.where(surveys.any(axis=1, keepdims=True), shares, commonest)

    def learns(self, raters: int) -> bool:
        """Only the commonest label of all depends on the items."""
        return self.empty == "commonest" and raters == 0


@frozen
class Frequency(Combiner):
    """The share of each label among the answers.

    With no answers: every label equally (`empty="uniform"`, the paper's text) or the label
    shares over all items (`empty="overall"`, what the paper's package does).
    """

    name: str = "frequency"
    produces: Produces = "probabilities"
    empty: Literal["uniform", "overall"] = "uniform"
    summary: ClassVar[str] = "share of each label; no answers: every label equally, or overall"

    def __post_init__(self) -> None:
        if self.empty not in ("uniform", "overall"):
            raise OptionError(
                f'frequency starts from empty="uniform" or empty="overall", not {self.empty!r}.'
            )

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Probabilities (R, L)."""
        raters = surveys.sum(axis=1, keepdims=True)
        if self.empty == "overall":
            empty = others.items @ others.shares() / others.items.sum()
        else:
            empty = np.full(labels.n, 1 / labels.n)
        chances: Floats = np.where(raters > 0, surveys / np.maximum(raters, 1), empty)
        return chances

    def learns(self, raters: int) -> bool:
        """Only the overall shares depend on the items."""
        return self.empty == "overall" and raters == 0


@frozen
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
