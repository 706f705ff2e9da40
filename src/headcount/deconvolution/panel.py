"""Votes and flip rates together, and the classifiers seated before them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, Labels, Predictions, Ratings, judge
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.rates import FlipRates
from headcount.deconvolution.votes import Votes, as_shares
from headcount.door import positions
from headcount.errors import UnanswerableError
from headcount.stats import Bootstrap

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Panel:
    """The people's votes on every item, their flip rates, and how items are weighed."""

    ratings: Ratings = field(repr=False)
    votes: Votes = field(repr=False)
    flips: FlipRates = field(repr=False)
    by_ratings: bool
    plan: Bootstrap

    @property
    def labels(self) -> Labels:
        """The labels in order."""
        return self.ratings.labels

    @cached_property
    def jury(self) -> Jury:
        """All the people on all the items, a row an item."""
        return self.jury_of(self.votes.counts)

    def jury_of(self, counts: Floats) -> Jury:
        """The people with these votes (n, L): all of them, or a group."""
        total = counts.sum(axis=1)
        weight = total if self.by_ratings else np.ones(len(total))
        return Jury.of(as_shares(counts), weight, self.flips)

    def bench(self, predictions: Predictions | None, positive: str | None, unknown: str) -> "Bench":
        """The classifiers' answers by item of the votes; without predictions, nobody's."""
        n = len(self.votes.items)
        if predictions is None:
            return Bench((), np.ones(n, dtype=bool))
        judged = judge(self.ratings, predictions, positive=positive, unknown=unknown)
        assert judged.items is not None
        rows = positions(self.votes.items, judged.items)
        answered = rows >= 0
        if not answered.any():
            raise UnanswerableError(
                f"No item with enough ratings is answered by every classifier in "
                f"{predictions.name}: choose a smaller min_ratings, or check the item ids."
            )
        classifiers = tuple(classifier.take(rows) for classifier in judged.classifiers)
        return Bench(classifiers, answered, judged.notes)


@dataclass(frozen=True)
class Bench:
    """Classifiers on the items of the votes; what stands where `answered` is false is void."""

    classifiers: tuple[Classifier, ...]
    answered: Mask
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Session:
    """A jury with identical rows as one, and the classifiers on its rows.

    `judged` (G,) are the rows that are scored; the others only tell of flip rates.
    `beside` (G, …) is what else was asked to be kept apart, on the same rows.
    """

    jury: Jury
    classifiers: tuple[Classifier, ...]
    judged: Mask
    beside: Floats


def convene(jury: Jury, bench: Bench, judged: Mask, beside: Floats | None = None) -> Session:
    """Group identical rows; rows that nobody judges stay only where they tell of flip rates."""
    extra = np.zeros((len(judged), 0)) if beside is None else beside
    classifiers = bench.classifiers
    if jury.pooling is None and not judged.all():
        jury, extra = jury.take(judged), extra[judged]
        classifiers = tuple(each.take(judged) for each in classifiers)
        judged = judged[judged]
    outputs = [np.where(judged[:, None], each.outputs(), 0) for each in classifiers]
    grouped, first = jury.grouped(judged, extra, *outputs)
    return Session(
        grouped, tuple(each.take(first) for each in classifiers), judged[first], extra[first]
    )


def items_in(session: Session, rows: Mask) -> int:
    """How many items the rows of a session stand for."""
    return int(session.jury.size[rows].sum())


def renamed(classifiers: Sequence[Classifier], taken: Sequence[str]) -> tuple[Classifier, ...]:
    """Classifiers whose names clash with reserved ones get a mark, so that none is mistaken."""
    return tuple(
        replace(each, name=f"{each.name} (classifier)") if each.name in taken else each
        for each in classifiers
    )
