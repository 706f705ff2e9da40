"""The cases, grouped by all that is known of them: what raters and systems said."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.accuracy.latent import Rows
from headcount.data import Judged, Labels, Ratings
from headcount.door import positions

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
RaterModel = Literal["each", "shared"]


@dataclass(frozen=True)
class Named:
    """Who said what about the cases: (R,) codes; `raters` (m,) names those who rated any."""

    case: Ints
    rater: Ints
    label: Ints
    raters: NDArray[np.object_]


@dataclass(frozen=True)
class Cases:
    """Cases in J groups whose members are alike in everything the estimates look at.

    `counts` (G, L) are the distinct patterns and `pattern` (J,) each group's; `rows` the
    distinct rows of answers that latent classes are fitted to and `row` (J,) each group's;
    `answers` (C, J) the systems' answers, L where one is outside the labels; `cases` (J,) how
    many cases a group has; `group` (n,) the group of each case of `items` (n,).
    """

    labels: Labels
    items: NDArray[np.object_]
    group: Ints
    cases: Ints
    counts: Ints
    pattern: Ints
    rows: Rows
    row: Ints
    systems: tuple[str, ...]
    answers: Ints

    @property
    def n_cases(self) -> int:
        """How many cases there are."""
        return int(self.cases.sum())

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return self.labels.n

    def by_pattern(self, weights: Floats) -> Floats:
        """Cases of each pattern, (S, G), where `weights` (S, J) says how often a group counts."""
        return _summed(self.pattern, len(self.counts), weights)

    def by_answer(self, system: int, weights: Floats) -> Floats:
        """Cases of each pattern with each answer of a system, (S, G, L + 1)."""
        width = self.n_labels + 1
        cell = self.pattern * width + self.answers[system]
        total = _summed(cell, len(self.counts) * width, weights)
        return total.reshape(len(weights), len(self.counts), width)

    def with_system(self, system: int) -> tuple[Rows, Ints]:
        """The rows of answers with a system's as one more member's, and each group's row."""
        width = self.n_labels + int((self.answers[system] == self.n_labels).any())
        key = self.row * (self.n_labels + 1) + self.answers[system]
        distinct, row = np.unique(key, return_inverse=True)
        raters, answer = np.divmod(distinct, self.n_labels + 1)
        own = sparse.csr_matrix(
            (np.ones(len(answer)), (np.arange(len(answer)), answer)), shape=(len(answer), width)
        )
        said = sparse.hstack([self.rows.said[raters], own], format="csr")
        last = self.rows.member[-1] + 1
        member = np.concatenate([self.rows.member, np.full(width, last)])
        given = np.concatenate([self.rows.answer, np.arange(width)])
        return Rows(said, member, given, self.n_labels), row.ravel()


def group_cases(judged: Judged, named: Named | None) -> Cases:
    """Group the cases; by who said what where `named` is given, by counts otherwise."""
    assert judged.items is not None
    n_labels = judged.labels.n
    counts, pattern = np.unique(judged.counts, axis=0, return_inverse=True)
    pattern = pattern.ravel()
    if named is None:
        rows, row = pattern_rows(counts), pattern
    else:
        rows, row = _answer_rows(named, len(judged.items), n_labels)
    tops = [classifier.top() for classifier in judged.classifiers]
    answers = np.array([np.where(top < 0, n_labels, top) for top in tops], dtype=np.int64)
    answers = answers.reshape(len(tops), len(judged.items))
    first, group = _ranked([pattern, row, *answers])
    return Cases(
        labels=judged.labels,
        items=judged.items,
        group=group,
        cases=np.bincount(group, minlength=len(first)),
        counts=counts,
        pattern=pattern[first],
        rows=rows,
        row=row[first],
        systems=tuple(classifier.name for classifier in judged.classifiers),
        answers=answers[:, first],
    )


def all_rated(ratings: Ratings) -> Judged:
    """Every rated case, with no classifier to judge."""
    counted = ratings.item_counts()
    one_each = np.ones(len(counted.items), dtype=np.int64)
    return Judged(ratings.labels, counted.counts, one_each, (), counted.items)


def who_said_what(ratings: Ratings, items: NDArray[np.object_]) -> Named | None:
    """First answers on `items` by named raters, or None where raters have no names."""
    if not ratings.named:
        return None
    first = ratings.answers().first()
    case = positions(first.items, items)[first.item]
    kept = case >= 0
    seen, rater = np.unique(first.rater[kept], return_inverse=True)
    return Named(case[kept], rater.ravel(), first.label[kept], first.raters[seen])


def pattern_rows(counts: Ints) -> Rows:
    """Patterns as rows of one member who gave all the answers: raters without names."""
    n_labels = counts.shape[1]
    member, answer = np.zeros(n_labels, dtype=np.int64), np.arange(n_labels)
    return Rows(sparse.csr_matrix(counts.astype(float)), member, answer, n_labels)


def _answer_rows(named: Named, n_cases: int, n_labels: int) -> tuple[Rows, Ints]:
    """Distinct rows of who said what, and each case's row."""
    column = named.rater * n_labels + named.label
    n_columns = len(named.raters) * n_labels
    order = np.argsort(named.case, kind="stable")
    # Two 64-bit sums of random tokens tell rows apart without an items × raters matrix.
    tokens = np.random.default_rng(0).integers(0, 2**64, size=(n_columns, 2), dtype=np.uint64)
    starts = np.searchsorted(named.case[order], np.arange(n_cases))
    sums = np.add.reduceat(tokens[column[order]], starts, axis=0)
    first, row = _ranked([sums[:, 0], sums[:, 1]])
    new = np.full(n_cases, -1)
    new[first] = np.arange(len(first))
    kept = new[named.case] >= 0
    said = sparse.csr_matrix(
        (np.ones(int(kept.sum())), (new[named.case[kept]], column[kept])),
        shape=(len(first), n_columns),
    )
    member = np.repeat(np.arange(len(named.raters)), n_labels)
    answer = np.tile(np.arange(n_labels), len(named.raters))
    return Rows(said, member, answer, n_labels), row


def _ranked(keys: list[NDArray[np.integer]]) -> tuple[Ints, Ints]:
    """Cases alike in all keys as groups in the order of the keys: first case and (n,) group."""
    _, group = np.unique(keys[0], return_inverse=True)
    for key in keys[1:]:
        values, code = np.unique(key, return_inverse=True)
        _, group = np.unique(group.ravel() * len(values) + code.ravel(), return_inverse=True)
    group = group.ravel()
    first = np.unique(group, return_index=True)[1]
    return first, group


def _summed(index: Ints, size: int, weights: Floats) -> Floats:
    """Sums of `weights` (S, J) over the groups with the same index, (S, size)."""
    gather = sparse.csr_matrix(
        (np.ones(len(index)), (index, np.arange(len(index)))), shape=(size, len(index))
    )
    total: Floats = np.ascontiguousarray((gather @ weights.T).T)
    return total
