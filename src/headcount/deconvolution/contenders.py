"""Who is scored, and by what: classifiers and oracles as rows that scorers take, and scorers."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Classifier, Labels
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.slips import majority_shares
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.metrics import (
    CustomScorer,
    Ranks,
    Scorer,
    check_scorer,
    prediction_for,
    resolve_scorer,
)

Kind = Literal["classifier", "oracle", "soft_oracle", "majority"]
ScorerOption = str | Scorer | Callable[..., Any]
Scorers = ScorerOption | Sequence[ScorerOption] | None

DEFAULT_METRICS = ("accuracy", "precision", "recall", "f1", "auc", "cross_entropy")

# What is scored beside classifiers, for people to read.
SHOWN: dict[Kind, str] = {
    "oracle": "most raters' answer",
    "soft_oracle": "the raters' shares",
    "majority": "everyone's majority",
}


@frozen
class ByAnswer:
    """Rows of hard answers, those alike side by side.

    `answers` (A,) are the answers that are given, `order` (Q,) the rows sorted by them, and
    `rows` where each answer's are in that order.
    """

    answers: Ints
    order: Ints
    rows: tuple[slice, ...]

    @classmethod
    def of(cls, codes: Ints) -> "ByAnswer":
        """The rows that have the answers `codes` (Q,)."""
        answers, size = np.unique(codes, return_counts=True)
        ends = np.cumsum(size).tolist()
        rows = tuple(slice(a, b) for a, b in zip([0, *ends], ends, strict=False))
        return cls(answers.astype(np.int64), np.argsort(codes, kind="stable"), rows)


@frozen
class Contender:
    """A classifier, or something to compare it with, on the rows of a jury.

    `kind` says what it is, whatever its name: the paper's "oracle" says what most people
    said, its "soft_oracle" what share of them, and "majority" what most of another jury said.
    Row q of its outputs is about row `index[q]` of the jury and stands for `portion[q]` of
    it: an oracle shares an item between the labels that tie for the majority. `held` (3, G, L)
    are the labels held on those rows in the light of what it answered, at the flip rate and
    its bounds, where that was worked out.
    """

    kind: Kind
    outputs: Classifier
    index: Ints
    portion: Floats
    held: Floats | None = None

    @classmethod
    def classifier(
        cls, outputs: Classifier, kind: Kind = "classifier", held: Floats | None = None
    ) -> "Contender":
        """A classifier: one output a row."""
        n_rows = len(outputs.outputs())
        return cls(kind, outputs, np.arange(n_rows), np.ones(n_rows), held)

    @classmethod
    def oracle(cls, shares: Floats, kind: Kind = "oracle") -> "Contender":
        """Always the label that most people gave; it shares ties."""
        portions = majority_shares(shares)
        index, codes = np.nonzero(portions)
        return cls(kind, Classifier(SHOWN[kind], codes=codes), index, portions[index, codes])

    @classmethod
    def soft_oracle(cls, held: Floats) -> "Contender":
        """Says what share of people hold each label."""
        return cls.classifier(Classifier(SHOWN["soft_oracle"], probabilities=held), "soft_oracle")

    @property
    def name(self) -> str:
        """What it is called."""
        return self.outputs.name

    def hard_for(self, scorer: Scorer) -> bool:
        """Whether the scorer sees one of L answers, so that rows collapse to L × L cells."""
        return scorer.takes == "labels" or not self.outputs.soft

    def told(self, scorer: Scorer, labels: Labels) -> NDArray[np.generic]:
        """The outputs as the scorer takes them, a row each."""
        return prediction_for(self.outputs, scorer, labels)

    @cached_property
    def by_answer(self) -> ByAnswer:
        """Its rows by the label that it settles on."""
        return ByAnswer.of(self.outputs.top())

    @cached_property
    def row_scores(self) -> dict[str, Floats]:
        """Scores (Q, L) by scorer that were already worked out, for the next batch of weights."""
        return {}

    @cached_property
    def ranks(self) -> dict[int, Ranks]:
        """The ranks of the outputs by their probability of each label, likewise."""
        return {}


@frozen
class Part:
    """Rows of a jury, and who is scored on them: contenders know these rows only.

    `by_labels` tells that the rows were picked by what people said about them, as levels of
    disagreement are. Slips had a hand in that, so a correction that is right on average over
    all items is not right there, and the labels held item by item count.
    """

    rows: Ints
    contenders: tuple[Contender, ...]
    by_labels: bool = False


def part_of(
    jury: Jury,
    rows: NDArray[np.bool_],
    classifiers: Sequence[Classifier],
    *,
    soft: bool = False,
    held: Sequence[Floats | None] | None = None,
) -> Part:
    """The classifiers, the oracle and perhaps the soft one on some rows of the jury.

    `held` says that the rows were picked by their labels, and gives for each classifier the
    labels held (3, G, L) in the light of its answers, or None.
    """
    people = jury.take(rows)
    behind = [None] * len(classifiers) if held is None else held
    contenders = [
        Contender.classifier(outputs.take(rows), held=None if own is None else own[:, rows])
        for outputs, own in zip(classifiers, behind, strict=True)
    ]
    contenders.append(Contender.oracle(people.shares))
    if soft:
        contenders.append(Contender.soft_oracle(people.held()))
    return Part(np.flatnonzero(rows), tuple(contenders), held is not None)


@frozen
class ScoringRule:
    """A scorer with what it must be told: the positive label and the clip."""

    rule: Scorer
    labels: Labels
    positive: int | None = None
    clip: float | None = None

    @property
    def name(self) -> str:
        """What people call it: agreement with people's labels is accuracy here."""
        return "accuracy" if self.rule.name == "agreement" else self.rule.name

    @property
    def reads_labels(self) -> bool:
        """Whether the label that a classifier settles on is all it looks at."""
        return self.rule.takes == "labels"

    def on_average(self, contender: Contender) -> bool:
        """Whether it is a function of means over items, which may be corrected as means.

        Every scorer of weighted rows is. But weights below zero are beyond what can be asked
        of somebody else's function, and an oracle is picked by the very labels it is scored
        on: on average over items picked so, a correction for all items goes too far.
        """
        if contender.kind != "classifier":
            return False
        return contender.hard_for(self.rule) or not isinstance(self.rule, CustomScorer)

    def within_bounds(self, scores: Floats) -> Floats:
        """Scores cut to the least and the greatest value that the scorer can have."""
        low, high = self.rule.bounds
        kept: Floats = np.clip(
            scores, -np.inf if low is None else low, np.inf if high is None else high
        )
        return kept

    def __call__(self, prediction: NDArray[np.generic], label: Ints, weight: Floats) -> Floats:
        """The score under each of the weights (B, R)."""
        scores: Floats = self.rule(
            prediction,
            label,
            weight,
            labels=self.labels,
            positive=self.positive,
            clip=self.clip,
        )
        return scores


def chosen_scorers(
    asked: Scorers, labels: Labels, positive: str | None, clip: float | None
) -> tuple[ScoringRule, ...]:
    """The scorers asked for; all the usual ones by default."""
    if asked is None:
        asked = DEFAULT_METRICS
    wanted = (asked,) if isinstance(asked, str) or not isinstance(asked, Sequence) else asked
    code = None if positive is None else labels.positive(positive)
    named = {scorer.name: scorer for scorer in (resolve_scorer(each) for each in wanted)}
    scorers = tuple(ScoringRule(scorer, labels, code, clip) for scorer in named.values())
    if not scorers:
        raise OptionError("scorer names at least one scorer, such as 'accuracy'.")
    for scorer in scorers:
        check_scorer(scorer.rule, labels)
    return scorers
