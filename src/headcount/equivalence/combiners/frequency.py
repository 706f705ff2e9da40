"""The share of each answer."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from headcount.data import Labels
from headcount.equivalence.combiners.grammar import Combiner, Floats, Ints, Others, Produces
from headcount.errors import OptionError


@dataclass(frozen=True)
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
