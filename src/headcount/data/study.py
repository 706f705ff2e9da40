"""Ratings and predictions met once: what every method is handed, and nothing is read twice."""

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data.judged import Judged, everything_rated, judge, judge_grouped
from headcount.data.labels import Labels
from headcount.data.predictions import Predictions
from headcount.data.ratings import Ratings
from headcount.door import positions
from headcount.errors import OptionError

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Named:
    """Who said what about the items of a study: (R,) codes of first answers.

    `item` counts in the rows of `Study.judged`, `raters` (m,) names those who rated any of them.
    """

    item: Ints
    rater: Ints
    label: Ints
    raters: NDArray[np.object_]

    @property
    def n_raters(self) -> int:
        """How many raters rated any of the items."""
        return len(self.raters)


@dataclass(frozen=True)
class Study:
    """What people said, what classifiers said, and where they meet.

    Made once and handed to every method: the join, the groups and who said what are worked
    out when first asked for and kept. `positive` and `unknown` say what bare numbers and
    answers outside the labels mean. `library` is the frame library the data came in.
    """

    ratings: Ratings
    predictions: Predictions | None = None
    positive: str | None = None
    unknown: str = "error"
    library: str = "pyarrow"

    @property
    def labels(self) -> Labels:
        """The labels in order."""
        return self.ratings.labels

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return () if self.predictions is None else self.predictions.names

    @cached_property
    def judged(self) -> Judged:
        """A row an item: those that every classifier answered, all where there is no classifier."""
        if self.predictions is None:
            return everything_rated(self.ratings)
        return judge(self.ratings, self.predictions, positive=self.positive, unknown=self.unknown)

    @cached_property
    def groups(self) -> Judged:
        """The same in groups alike in counts and answers, joined where the ratings are counted.

        No id is looked at unless the items were already met one by one.
        """
        if self.predictions is None or "judged" in vars(self):
            return self.judged.grouped()
        return judge_grouped(
            self.ratings, self.predictions, positive=self.positive, unknown=self.unknown
        )

    @cached_property
    def named(self) -> Named | None:
        """First answers on the judged items by named raters; None where raters have no names."""
        if not self.ratings.named:
            return None
        assert self.judged.items is not None
        first = self.ratings.answers().first()
        item = positions(first.items, self.judged.items)[first.item]
        kept = item >= 0
        seen, rater = np.unique(first.rater[kept], return_inverse=True)
        return Named(item[kept], rater.ravel(), first.label[kept], first.raters[seen])

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed, merged and left out, one sentence each."""
        met = self.groups if "groups" in vars(self) else self.judged
        return tuple(dict.fromkeys((*met.notes, *self.ratings.notes)))


def as_study(
    ratings: Any,
    predictions: Any = None,
    *,
    positive: str | None = None,
    unknown: str = "error",
) -> Study:
    """A study from whatever a user hands over: a Study, Ratings, a frame or a path.

    A study goes as it is, and was told then what its answers mean.
    """
    if isinstance(ratings, Study):
        if predictions is not None:
            raise OptionError("A Study holds its predictions already: leave predictions out.")
        return ratings
    people = as_ratings(ratings)
    machines = None if predictions is None else as_predictions(predictions)
    return Study(people, machines, positive, unknown, _library(ratings, predictions))


def as_ratings(given: Any) -> Ratings:
    """Ratings from Ratings, a path or a frame."""
    if isinstance(given, Study):
        return given.ratings
    if isinstance(given, Ratings):
        return given
    if isinstance(given, str | os.PathLike):
        return Ratings.read(given)
    return Ratings.from_frame(given)


def as_predictions(given: Any) -> Predictions:
    """Predictions from Predictions, a path or a frame."""
    if isinstance(given, Predictions):
        return given
    if isinstance(given, str | os.PathLike):
        return Predictions.read(given)
    return Predictions.from_frame(given)


def _library(*given: Any) -> str:
    """The library of the first frame among what was given; Arrow where there is none."""
    for each in given:
        module = type(each).__module__.partition(".")[0]
        if module in ("pandas", "polars"):
            return module
        kept: str | None = getattr(each, "library", None)
        if kept is not None:
            return kept
    return "pyarrow"
