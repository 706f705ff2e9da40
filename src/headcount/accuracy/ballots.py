"""Ballots: what raters and a system said of each item, items with equal answers as one row."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.accuracy.staircase import Staircase, staircase
from headcount.data import Groups, group_rows
from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RATINGS_A_NUMBER = 15
"""Ratings for each number of a model that are enough to fit it well."""

MOST_CELLS = 15_000
"""Distinct rows × labels past which models are fitted to a random part of the items."""

MANY_STEPS = 30
"""Ratings of an item with one label past which they are not looked at one by one."""

FEW_CELLS = 10_000
"""Columns × steps up to which a table of them is quicker than its ones alone."""

FEW_COLUMNS = 12
"""Up to so many columns rows are compared as they are."""


@frozen
class Ballots:
    """D distinct rows of ratings and a system's answer.

    `steps` (D, C) is 1 where a row's member said a label more than m times; `column` (C,) is
    which (member, label) that is and `times` (C,) its m; `member` (K,) and `label` (K,) say
    what the K columns stand for; `given` (D, M) is how many members gave more than m answers.
    `answer` (D,) is the system's, `n_answers` of them possible (1: there is no system);
    `weight` (D,) the items behind each row, `row` (n,) each item's row. A system that shares
    errors with strength `coupling` has columns apart for the rows about its own answer, with m
    + κ in `times`.
    """

    steps: Floats | sparse.csr_matrix | Staircase
    column: Ints
    times: Floats
    member: Ints
    label: Ints
    given: Floats
    answer: Ints
    weight: Floats
    row: Ints
    n_labels: int
    n_answers: int
    coupling: float = 0.0

    @cached_property
    def _answered(self) -> Floats:
        """Ones where a row has the system's answer, (D, A)."""
        alike: Floats = (self.answer[:, None] == np.arange(self.n_answers)).astype(np.float64)
        return alike

    @cached_property
    def _told(self) -> Floats:
        """All that a row says, a column a row: its steps, answers given, and the system's."""
        told: Floats = np.concatenate([self.steps, self.given, self._answered], axis=1)
        return np.ascontiguousarray(told.T)

    @cached_property
    def _counted(self) -> Floats:
        """What is counted of a row, (D, A + C): the system's answer and its steps."""
        counted: Floats = np.concatenate([self._answered, self.steps], axis=1)
        return counted

    def summed(self, steps: Floats, given: Floats, answers: Floats) -> Floats:
        """Each row's sum (P, D) of numbers (C, P), (M, P) and (A, P) of all that it says."""
        if isinstance(self.steps, np.ndarray):
            found: Floats = np.concatenate([steps, given, answers]).T @ self._told
            return found
        rows, alike = self.given_alike
        apart = np.asarray(self.steps @ steps) + (rows @ given)[alike] + answers[self.answer]
        return np.ascontiguousarray(apart.T)

    def tallied(self, rows: Floats) -> tuple[Floats, Floats]:
        """Numbers of rows (P, D) added up by the system's answer (P, A) and by step (P, C)."""
        if isinstance(self.steps, np.ndarray):
            both = rows @ self._counted
            return both[:, : self.n_answers], both[:, self.n_answers :]
        numbers = np.ascontiguousarray(rows.T)
        if isinstance(self.steps, Staircase):
            return rows @ self._answered, self.steps.passed(numbers).T
        return rows @ self._answered, np.asarray(self.steps.T @ numbers).T

    def of_column(self, numbers: Floats) -> Floats:
        """Numbers (K, …) of each column, for each of its steps: (C, …)."""
        return numbers if self._once_each else numbers.take(self.column, axis=0)

    def by_column(self, numbers: Floats) -> Floats:
        """Numbers (C, P) of each step, added up by column: (K, P)."""
        return numbers if self._once_each else np.asarray(self._columns @ numbers)

    @cached_property
    def _once_each(self) -> bool:
        """Whether every column has one step, and the columns stand in their order."""
        return np.array_equal(self.column, np.arange(len(self.member)))

    @cached_property
    def _columns(self) -> Floats | sparse.csr_array:
        """Ones where a step belongs to a column, (K, C)."""
        shape = len(self.member), len(self.column)
        place = (self.column, np.arange(shape[1]))
        if shape[0] * shape[1] > FEW_CELLS:
            return sparse.csr_array((np.ones(shape[1]), place), shape)
        few = np.zeros(shape)
        few[place] = 1.0
        return few

    @cached_property
    def longest(self) -> float:
        """The most ratings that a row has."""
        return float(self.given.sum(axis=1).max(initial=0))

    @cached_property
    def given_alike(self) -> tuple[Floats, Ints]:
        """The different rows of `given`, and which of them each row has (D,)."""
        groups = rows_alike(self.given.astype(np.int64))
        return self.given[groups.first], groups.of_row

    @property
    def n_items(self) -> float:
        """How many items there are, by weight."""
        return float(self.weight.sum())


def ballots(
    members: list[Ints],
    weight: Floats | None,
    answer: Ints | None,
    n_answers: int = 1,
    *,
    coupling: float = 0.0,
) -> Ballots:
    """Group items with equal ratings and answers.

    `members` holds each member's counts (n, L): one entry where raters have no names, one a
    rater where they do. `answer` (n,) is the system's, at most `n_answers` − 1; `coupling` is
    how far it shares the raters' errors, 0 not at all, 1 like one more rater.
    """
    n, n_labels = members[0].shape
    said = np.zeros(n, dtype=np.int64) if answer is None else np.asarray(answer, dtype=np.int64)
    load = np.ones(n) if weight is None else np.asarray(weight, dtype=float)
    groups = rows_alike(np.column_stack([*members, said]))
    first, group = groups.first, groups.of_row
    total = np.bincount(group, weights=load, minlength=len(first)).astype(float)
    counts = np.column_stack(members)[first]
    own = np.tile(np.arange(n_labels), len(members)) == said[first][:, None]
    steps, column, times = _steps(counts, own if coupling else np.zeros_like(own), coupling)
    per_member = np.stack([counts[first].sum(axis=1) for counts in members], axis=1)
    most = int(per_member.max(initial=1))
    given = np.stack([(per_member > m).sum(axis=1) for m in range(most)], axis=1).astype(float)
    return Ballots(
        steps=steps,
        column=column,
        times=times,
        member=np.repeat(np.arange(len(members)), n_labels),
        label=np.tile(np.arange(n_labels), len(members)),
        given=given,
        answer=said[first],
        weight=total,
        row=group,
        n_labels=n_labels,
        n_answers=n_answers,
        coupling=coupling,
    )


def named_ballots(
    item: Ints, rater: Ints, said: Ints, n_items: int, n_raters: int, n_labels: int
) -> Ballots:
    """Ballots of raters with names, one answer each, and no system.

    Made without an items × raters table, so crowds of thousands fit.
    """
    used, place = np.unique(rater * n_labels + said, return_inverse=True)
    place = place.ravel()
    tokens = _tokens(len(used))[place]
    sums = np.zeros((n_items, 2), dtype=np.uint64)
    np.add.at(sums, item, tokens)
    groups = group_rows(sums.view(np.int64))
    first = np.zeros(n_items, dtype=bool)
    first[groups.first] = True
    kept = first[item]
    rows = groups.of_row[item[kept]]
    steps = sparse.csr_matrix(
        (np.ones(len(rows)), (rows, place[kept])), shape=(len(groups), len(used))
    )
    return Ballots(
        steps=steps if _thin(steps.shape, steps.nnz) else steps.toarray(),
        column=used,
        times=np.zeros(len(used)),
        member=np.repeat(np.arange(n_raters), n_labels),
        label=np.tile(np.arange(n_labels), n_raters),
        given=np.bincount(rows, minlength=len(groups)).astype(float)[:, None],
        answer=np.zeros(len(groups), dtype=np.int64),
        weight=groups.size.astype(np.float64),
        row=groups.of_row,
        n_labels=n_labels,
        n_answers=1,
    )


def thinned(counts: Ints, answer: Ints | None, size: Floats, *, seed: int) -> Floats:
    """How many items of each row to take, (n,): all, or a random part where rows are too many.

    Never so few that a confusion matrix could not be fitted to them. Weights that are no
    numbers of items go as they are.
    """
    n_labels = counts.shape[1]
    if counts.size <= MOST_CELLS:
        return size
    cells = len(group_rows(counts, *([] if answer is None else [answer]))) * n_labels
    if cells <= MOST_CELLS or (size != np.floor(size)).any():
        return size
    items = int(size.sum())
    needed = RATINGS_A_NUMBER * n_labels**2 * items / max(float(size @ counts.sum(axis=1)), 1.0)
    taken = min(max(round(items * MOST_CELLS / cells), round(needed), 1), items)
    rng = np.random.default_rng([seed, 43])
    drawn = rng.multivariate_hypergeometric(size.astype(np.int64), taken, method="marginals")
    return drawn.astype(np.float64)


def _steps(
    counts: Ints, own: NDArray[np.bool_], coupling: float
) -> tuple[Floats | sparse.csr_matrix | Staircase, Ints, Floats]:
    """(D, C) indicators that a column was said more than m times, its column and its m.

    Rows whose system gave the column's label (`own`) have columns apart, with m + κ.
    """
    if counts.max(initial=1) > MANY_STEPS:
        stairs, on, apart = staircase(counts, own)
        return stairs, on, stairs.step + coupling * apart
    parts, column, times = [], [], []
    for m in range(int(counts.max(initial=1))):
        for mine, start in ((False, 0.0), (True, coupling)):
            said = (counts > m) & (own == mine)
            used = np.flatnonzero(said.any(axis=0))
            parts.append(said[:, used].astype(float))
            column.append(used)
            times.append(np.full(len(used), m + start))
    steps = np.concatenate(parts, axis=1)
    return (
        sparse.csr_matrix(steps) if _thin(steps.shape, int(np.count_nonzero(steps))) else steps,
        np.concatenate(column).astype(np.int64),
        np.concatenate(times),
    )


def _thin(shape: tuple[int, int], ones: int) -> bool:
    """Whether a table is large and mostly empty, so that its ones alone are quicker."""
    return shape[0] * shape[1] > 20_000 and ones < 0.1 * shape[0] * shape[1]


def rows_alike(table: Ints) -> Groups:
    """Groups of equal rows; wide rows are told apart by two 64-bit sums of random tokens."""
    if table.shape[1] <= FEW_COLUMNS:
        return group_rows(table)
    return group_rows((table.astype(np.uint64) @ _tokens(table.shape[1])).view(np.int64))


def _tokens(n: int) -> NDArray[np.uint64]:
    """Two random numbers for each of n columns, (n, 2), always the same."""
    return np.random.default_rng(0).integers(0, 2**63, size=(n, 2), dtype=np.uint64)
