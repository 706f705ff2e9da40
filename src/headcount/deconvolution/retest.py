"""Retests counted: how many pairs of answers by one person to one question, how many differ."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.data import Answers
from headcount.deconvolution.totals import totals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Evidence:
    """What each item tells about slips: `events` of `trials`, both (n,).

    For retests a trial is a pair of answers by one rater to one item and an event is a pair
    that differs; for matrix factorisation a trial is a rating and an event a wrong prediction.
    """

    events: Floats
    trials: Floats

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which items tell anything at all."""
        return self.trials > 0

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "Evidence":
        """The evidence of some of the items."""
        return Evidence(self.events[rows], self.trials[rows])


def retest_pairs(answers: Answers) -> Evidence:
    """Every pair of answers that one rater gave to one item, counted by item.

    Three answers make three pairs. The order of the answers does not matter.
    """
    n_items, n_raters = len(answers.items), max(len(answers.raters), 1)
    asked = answers.item * n_raters + answers.rater
    again = np.isin(asked, asked[answers.occasion > 0])
    asked, label = asked[again], answers.label[again]
    who, times = np.unique(asked, return_counts=True)
    n_labels = int(label.max(initial=0)) + 1
    same, same_times = np.unique(asked * n_labels + label, return_counts=True)
    pairs = totals(who // n_raters, _pairs(times), n_items)
    agreeing = totals(same // n_labels // n_raters, _pairs(same_times), n_items)
    return Evidence(pairs - agreeing, pairs)


def _pairs(times: Ints) -> Floats:
    return times * (times - 1) / 2
