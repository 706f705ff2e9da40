"""The most common answer; ties share."""

from dataclasses import dataclass
from typing import ClassVar

from headcount.data import Labels
from headcount.equivalence.combiners.grammar import Combiner, Floats, Ints, Others, Produces


@dataclass(frozen=True)
class Plurality(Combiner):
    """The most common label. Ties share its weight: the expectation of a coin flip."""

    name: str = "plurality"
    produces: Produces = "labels"
    summary: ClassVar[str] = "most common label, ties shared; no answers: every label equally"

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Shares (R, L) of the most common labels."""
        del others, labels
        return shares_of_most_common(surveys)


def shares_of_most_common(counts: Ints) -> Floats:
    """One, shared equally by the largest entries of each row."""
    top = counts == counts.max(axis=-1, keepdims=True)
    shares: Floats = top / top.sum(axis=-1, keepdims=True)
    return shares
