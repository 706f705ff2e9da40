"""The items, grouped by all that is known of them: what raters and systems said."""

from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.accuracy.ballots import named_rows
from headcount.accuracy.dawid_skene import Rows
from headcount.arrays import Floats, Ints
from headcount.data import Design, Judged, Labels, Named, Spread, group_rows
from headcount.frozen import frozen

RaterModel = Literal["each", "shared"]


@frozen
class Items:
    """Items in J groups whose members are alike in everything the estimates look at.

    `counts` (G, L) are the distinct patterns and `pattern` (J,) each group's; `rows` the
    distinct rows of answers that latent classes are fitted to and `row` (J,) each group's;
    `answers` (C, J) the systems' answers, L where one is outside the labels; `size` (J,) how
    many items a group has; `group` (n,) the group of each row that was judged, and `ids` (n,) the
    items' names, none where rows are groups already. `people` are the answers that pairs are made
    of where, by how ratings were collected, not all of a pattern's are like people's.
    """

    labels: Labels
    ids: NDArray[np.object_]
    group: Ints
    size: Ints
    counts: Ints
    pattern: Ints
    rows: Rows
    row: Ints
    systems: tuple[str, ...]
    answers: Ints
    people: Spread | None = None

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return int(self.size.sum())

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return self.labels.n

    def by_pattern(self, weights: Floats) -> Floats:
        """Items of each pattern, (S, G), where `weights` (J, S) says how often a group counts."""
        return np.ascontiguousarray((self._patterns @ weights).T)

    def by_answer(self, system: int, weights: Floats) -> Floats:
        """Items of each pattern with each answer of a system, (S, G, L + 1)."""
        total = np.ascontiguousarray((self._cells[system] @ weights).T)
        return total.reshape(len(total), len(self.counts), self.n_labels + 1)

    @cached_property
    def _patterns(self) -> sparse.csr_array:
        """Ones where a group has a pattern, (G, J)."""
        return _gathering(self.pattern, len(self.counts))

    @cached_property
    def _cells(self) -> tuple[sparse.csr_array, ...]:
        """Ones where a group has a pattern and a system's answer, (G·(L + 1), J) each."""
        width = self.n_labels + 1
        size = len(self.counts) * width
        return tuple(_gathering(self.pattern * width + each, size) for each in self.answers)

    def with_system(self, system: int) -> tuple[Rows, Ints]:
        """The rows of answers with a system's as one more member's, and each group's row."""
        width = self.n_labels + int((self.answers[system] == self.n_labels).any())
        key = self.row * (self.n_labels + 1) + self.answers[system]
        groups = group_rows(key)
        raters, answer = np.divmod(key[groups.first], self.n_labels + 1)
        own = sparse.csr_matrix(
            (np.ones(len(answer)), (np.arange(len(answer)), answer)), shape=(len(answer), width)
        )
        said = sparse.hstack([self.rows.said[raters], own], format="csr")
        last = self.rows.member[-1] + 1
        member = np.concatenate([self.rows.member, np.full(width, last)])
        given = np.concatenate([self.rows.answer, np.arange(width)])
        return Rows(said, member, given, self.n_labels), groups.of_row


def group_items(judged: Judged, named: Named | None, design: Design | None = None) -> Items:
    """Group the items; by who said what where `named` is given, by counts otherwise."""
    n_labels = judged.labels.n
    patterns = group_rows(judged.counts)
    counts, pattern = judged.counts[patterns.first], patterns.of_row
    if named is None:
        rows, row = pattern_rows(counts), pattern
    else:
        rows, row = _answer_rows(named, len(judged.counts), n_labels)
    answers = answers_of(judged)
    groups = group_rows(pattern, row, *answers, size=judged.size)
    return Items(
        labels=judged.labels,
        ids=np.empty(0, dtype=object) if judged.items is None else judged.items,
        group=groups.of_row,
        size=groups.size,
        counts=counts,
        pattern=pattern[groups.first],
        rows=rows,
        row=row[groups.first],
        systems=tuple(classifier.name for classifier in judged.classifiers),
        answers=answers[:, groups.first],
        people=None if design is None else design.alike(counts),
    )


def answers_of(judged: Judged) -> Ints:
    """The label that each classifier decides for, (C, n); L is none of the labels."""
    n_labels, tops = judged.labels.n, [each.top() for each in judged.classifiers]
    answers = np.array([np.where(top < 0, n_labels, top) for top in tops], dtype=np.int64)
    return answers.reshape(len(tops), len(judged.counts))


def pattern_rows(counts: Ints) -> Rows:
    """Patterns as rows of one member who gave all the answers: raters without names."""
    n_labels = counts.shape[1]
    member, answer = np.zeros(n_labels, dtype=np.int64), np.arange(n_labels)
    return Rows(sparse.csr_matrix(counts.astype(float)), member, answer, n_labels)


def _answer_rows(named: Named, n_items: int, n_labels: int) -> tuple[Rows, Ints]:
    """Distinct rows of who said what, and each item's row."""
    n_raters = len(named.raters)
    column = named.rater * n_labels + named.label
    said, groups = named_rows(named.item, column, n_items, n_raters * n_labels)
    member = np.repeat(np.arange(n_raters), n_labels)
    return Rows(said, member, np.tile(np.arange(n_labels), n_raters), n_labels), groups.of_row


def _gathering(index: Ints, size: int) -> sparse.csr_array:
    """The table (size, J) that sums numbers (J, …) over those with the same `index` (J,)."""
    n = len(index)
    return sparse.csr_array((np.ones(n), (index, np.arange(n))), shape=(size, n))
