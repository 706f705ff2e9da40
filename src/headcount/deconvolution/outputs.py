"""What is being scored, as the rows that scorers take."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, Labels
from headcount.deconvolution.sharpen import majority_shares
from headcount.scorers import Scorer, prediction_for
from headcount.scorers.ranking import Ranks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ORACLE = "oracle"
SOFT_ORACLE = "soft oracle"


@dataclass(frozen=True)
class Contender:
    """A classifier, or an oracle, on the rows of a jury.

    Row q of its outputs is about row `index[q]` of the jury and stands for `portion[q]` of
    it: the oracle shares an item between the labels that tie for the majority.
    `own_truth` tells that the aggregated label is by definition what it says: the oracle's.
    """

    name: str
    outputs: Classifier
    index: Ints
    portion: Floats
    own_truth: bool = False

    @classmethod
    def classifier(cls, outputs: Classifier, n_rows: int) -> "Contender":
        """A classifier: one output a row."""
        return cls(outputs.name, outputs, np.arange(n_rows), np.ones(n_rows))

    @classmethod
    def oracle(cls, shares: Floats, name: str = ORACLE, *, own_truth: bool = True) -> "Contender":
        """Always the label that most people gave; it shares ties."""
        portions = majority_shares(shares)
        index, codes = np.nonzero(portions)
        return cls(name, Classifier(name, codes=codes), index, portions[index, codes], own_truth)

    @classmethod
    def soft_oracle(cls, primary: Floats) -> "Contender":
        """Knows what share of people hold each label, and says so."""
        return cls.classifier(Classifier(SOFT_ORACLE, probabilities=primary), len(primary))

    def hard_for(self, scorer: Scorer) -> bool:
        """Whether the scorer sees one of L answers, so that rows collapse to L × L cells."""
        return scorer.takes == "labels" or not self.outputs.soft

    @cached_property
    def row_scores(self) -> dict[str, Floats]:
        """Scores (Q, L) by metric that were already worked out, for the next batch of weights."""
        return {}

    @cached_property
    def ranks(self) -> dict[int, Ranks]:
        """The ranks of the outputs by their probability of each label, likewise."""
        return {}

    def told(self, scorer: Scorer, labels: Labels) -> NDArray[np.generic]:
        """The outputs as the scorer takes them, a row each."""
        return prediction_for(self.outputs, scorer, labels)
