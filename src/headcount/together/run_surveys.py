"""Several answers of one judge on an item, on bare arrays: what m of its runs say.

An item's runs are `answers` (n, L + 1): how often each label came, and in the last column what is
no label. Any m of them are a survey of the judge, as people's are of people; everything is exact
over all choices of m, so that which run came first never matters.
"""

from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, group_rows
from headcount.frozen import frozen
from headcount.population import every_survey
from headcount.together.survey_tables import chances_of_surveys

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

Keeping = Literal["majority", "mean", "kept"]
"""What is kept of m runs: the commonest label, the mean level, or how often each label came."""

_MOST_STATES = 5_000_000
"""(Pattern, survey) pairs of one number of runs up to which they are worked out."""

_HALF = 0.5
"""Added to each label's count: of two runs that agree it does not follow that all would."""


@frozen(eq=False)
class RunStates:
    """What m runs may say: items' `row` (Z,), labels' counts `said` (Z, L), `chance` (Z,)."""

    row: Ints
    said: Ints
    chance: Floats

    @classmethod
    def of(cls, answers: Ints, runs: int) -> "RunStates | None":
        """Of `runs` runs, all of them where an item has fewer; None where they are too many."""
        n_labels = answers.shape[1] - 1
        groups = group_rows(answers)
        patterns = answers[groups.first]
        whole = patterns.sum(axis=1) <= runs
        few = np.flatnonzero(~whole)
        if len(few) * comb(runs + n_labels, runs) > _MOST_STATES:
            return None
        row, said, chance = [np.flatnonzero(whole)], [patterns[whole]], [np.ones(whole.sum())]
        if len(few):
            chances = chances_of_surveys(patterns[few], runs)
            of, survey = np.nonzero(chances > 0)
            row.append(few[of])
            said.append(every_survey(runs, n_labels + 1)[survey])
            chance.append(chances[of, survey])
        of_pattern = np.concatenate(row)
        order = np.argsort(of_pattern, kind="stable")
        start = np.searchsorted(of_pattern[order], np.arange(len(patterns) + 1))
        number = np.diff(start)[groups.of_row]
        rows = np.repeat(np.arange(len(answers)), number)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(number) - number, number)
        at = order[np.repeat(start[groups.of_row], number) + within]
        # What is no label tells as much as not asking: counts of labels are kept.
        return cls(rows, np.concatenate(said)[at][:, :n_labels], np.concatenate(chance)[at])

    def kept_as(self, keeping: Keeping) -> tuple[Ints, Classifier, Floats]:
        """What is kept of them, as rows, one classifier's answers, and the chance of each (Z',).

        Of labels that came equally often each is the commonest with the same chance.
        """
        n_labels, usable = self.said.shape[1], self.said.sum(axis=1)
        if keeping == "kept":
            said = self.said + _HALF
            said = said / said.sum(axis=1, keepdims=True)
            return self.row, Classifier("", probabilities=said), self.chance
        if keeping == "mean":
            levels = self.said @ np.arange(n_labels) / np.maximum(usable, 1)
            mean = np.where(usable > 0, levels, (n_labels - 1) / 2)
            codes = np.clip(np.rint(mean), 0, n_labels - 1).astype(np.int64)
            return self.row, Classifier("", codes=codes, scores=mean), self.chance
        top = (self.said == self.said.max(axis=1, keepdims=True)) & (usable > 0)[:, None]
        state, code = np.nonzero(np.column_stack([top, usable == 0]))
        shared = self.chance / np.maximum(top.sum(axis=1), 1)
        codes = np.where(code == n_labels, -1, code)
        return self.row[state], Classifier("", codes=codes), shared[state]


def flips_within(answers: Ints) -> Floats:
    """How often two runs that gave labels differ on each item (n,); NaN of fewer than two.

    >>> flips_within(np.array([[2, 1, 0], [3, 0, 1], [1, 0, 0]])).round(3).tolist()
    [0.667, 0.0, nan]
    """
    said = answers[:, :-1]
    n = said.sum(axis=1)
    alike = (said * (said - 1)).sum(axis=1)
    found: Floats = np.full(len(said), np.nan)
    np.divide(n * (n - 1) - alike, n * (n - 1), out=found, where=n > 1)
    return found


def flips_between(first: Ints, second: Ints) -> Floats:
    """How often a run of one variant differs from one of another on each item (n,).

    >>> flips_between(np.array([[2, 1, 0]]), np.array([[1, 0, 0]])).round(3).tolist()
    [0.333]
    """
    one, other = first[:, :-1], second[:, :-1]
    pairs = one.sum(axis=1) * other.sum(axis=1)
    found: Floats = np.full(len(one), np.nan)
    np.divide(pairs - (one * other).sum(axis=1), pairs, out=found, where=pairs > 0)
    return found
