"""Raters who were asked again: their first answer, and the one they give most often."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.data import Answers
from headcount.deconvolution.totals import totals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Repeated:
    """Raters on items they were asked about at least twice, a row each.

    `item`, `first` and `modal` are (m,) codes: the item, the first answer, the most common
    one (−1 where two are equally common); `times` (m,) is how often the rater answered and
    `away` (m,) how many of those answers are not the modal one.
    """

    item: Ints
    first: Ints
    modal: Ints
    times: Ints
    away: Ints

    def take(self, rows: NDArray[np.bool_]) -> "Repeated":
        """Some of the rows."""
        return Repeated(
            self.item[rows],
            self.first[rows],
            self.modal[rows],
            self.times[rows],
            self.away[rows],
        )

    def counts(self, of: Ints, n_items: int, n_labels: int) -> Floats:
        """How many raters have each label on each item, (n_items, L); −1 counts for nobody."""
        known = of >= 0
        cell = self.item[known] * n_labels + of[known]
        return totals(cell, np.ones(len(cell)), n_items * n_labels).reshape(n_items, n_labels)

    def slip_rate(self) -> float | None:
        """How often an answer is not the modal one, among raters with three answers or more.

        Of two answers that differ nobody knows which is the slip, so pairs tell nothing here.
        """
        often = (self.times >= 3) & (self.modal >= 0)
        return float(self.away[often].sum() / self.times[often].sum()) if often.any() else None


def repeated(answers: Answers, n_labels: int, least: int = 2) -> Repeated:
    """The raters who answered the same item `least` times or more."""
    n_raters = max(len(answers.raters), 1)
    asked = answers.item * n_raters + answers.rater
    who, row = np.unique(asked, return_inverse=True)
    tally = totals(row * n_labels + answers.label, np.ones(len(row)), len(who) * n_labels)
    counts = tally.reshape(len(who), n_labels)
    top = counts.max(axis=1)
    alone = (counts == top[:, None]).sum(axis=1) == 1
    first = np.zeros(len(who), dtype=np.int64)
    initial = answers.occasion == 0
    first[row[initial]] = answers.label[initial]
    times = counts.sum(axis=1)
    everyone = Repeated(
        who // n_raters,
        first,
        np.where(alone, counts.argmax(axis=1), -1),
        times.astype(np.int64),
        (times - top).astype(np.int64),
    )
    return everyone.take(everyone.times >= least)
