"""Ballots: what raters and a system said of each item, items with equal answers as one row."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.arrays import Floats, Ints
from headcount.data import Groups, group_rows
from headcount.frozen import frozen


@frozen
class Staircase:
    """A table (D, C) of ones and zeros whose columns lie in flights, one for each label.

    A row that said a label 150 times has 150 ones beside each other: their sum with a column of
    numbers is one number of its running sums. So a product costs as many numbers as there are
    labels, and not as there are ratings.

    `flight` (C,) and `step` (C,) say where each column lies; `ends` (D, flights × steps) has a
    one at the last step that a row takes in a flight.
    """

    flight: Ints
    step: Ints
    ends: sparse.csr_array

    def __matmul__(self, numbers: Floats) -> Floats:
        """The table times numbers (C, W)."""
        n_steps = int(self.step.max()) + 1
        running = np.zeros((self.ends.shape[1] // n_steps, n_steps, numbers.shape[1]))
        running[self.flight, self.step] = numbers
        np.cumsum(running, axis=1, out=running)
        product: Floats = self.ends @ running.reshape(-1, numbers.shape[1])
        return product

    def passed(self, numbers: Floats) -> Floats:
        """The turned table times numbers (D, W): each step sums over rows that get so far."""
        n_steps = int(self.step.max()) + 1
        ended = (self.ends.T @ numbers).reshape(-1, n_steps, numbers.shape[1])
        passed = np.cumsum(ended[:, ::-1], axis=1)[:, ::-1]
        product: Floats = passed[self.flight, self.step]
        return product


def staircase(counts: Ints, own: NDArray[np.bool_]) -> tuple[Staircase, Ints, NDArray[np.bool_]]:
    """The staircase of counts (D, K), the column of each of its C steps, and whether it is `own`.

    Rows that are `own` (D, K) in a column have a flight apart.
    """
    n_rows, n_columns = counts.shape
    n_steps = int(counts.max(initial=1))
    flight_of = np.arange(n_columns) + n_columns * own
    n_flights = int(flight_of.max()) // n_columns * n_columns + n_columns
    longest = np.zeros(n_flights, dtype=np.int64)
    np.maximum.at(longest, flight_of, counts)
    flight = np.repeat(np.arange(n_flights), longest)
    step = np.arange(len(flight)) - np.repeat(np.cumsum(longest) - longest, longest)
    row, column = np.nonzero(counts)
    place = flight_of[row, column] * n_steps + counts[row, column] - 1
    ends = sparse.csr_array((np.ones(len(row)), (row, place)), shape=(n_rows, n_flights * n_steps))
    return Staircase(flight, step, ends), flight % n_columns, flight >= n_columns


# Ratings for each number of a model that are enough to fit it well.
RATINGS_A_NUMBER = 15

# Distinct rows × labels past which models are fitted to a random part of the items.
MOST_CELLS = 15_000

# Ratings of an item with one label past which they are not looked at one by one.
MANY_STEPS = 30

# Columns × steps up to which a table of them is quicker than its ones alone.
FEW_CELLS = 10_000

# Up to so many columns rows are compared as they are.
FEW_COLUMNS = 12


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


def named_rows(
    item: Ints, column: Ints, n_items: int, n_columns: int
) -> tuple[sparse.csr_matrix, Groups]:
    """Distinct rows (D, n_columns) of who said what, and which row each item has.

    `column` (R,) counts in raters and labels. Two 64-bit sums of random tokens tell rows apart
    without an items × raters table, so crowds of thousands fit.
    """
    sums = np.zeros((n_items, 2), dtype=np.uint64)
    np.add.at(sums, item, _tokens(n_columns)[column])
    groups = group_rows(sums)
    first = np.zeros(n_items, dtype=bool)
    first[groups.first] = True
    kept = first[item]
    place = (groups.of_row[item[kept]], column[kept])
    said = sparse.csr_matrix((np.ones(len(place[0])), place), shape=(len(groups), n_columns))
    return said, groups


def named_ballots(
    item: Ints, rater: Ints, said: Ints, n_items: int, n_raters: int, n_labels: int
) -> Ballots:
    """Ballots of raters with names, one answer each, and no system."""
    columns = n_raters * n_labels
    steps, groups = named_rows(item, rater * n_labels + said, n_items, columns)
    return Ballots(
        steps=steps if _thin(steps.shape, steps.nnz) else steps.toarray(),
        column=np.arange(columns),
        times=np.zeros(columns),
        member=np.repeat(np.arange(n_raters), n_labels),
        label=np.tile(np.arange(n_labels), n_raters),
        given=np.asarray(steps.sum(axis=1)),
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
    return np.random.default_rng(0).integers(0, 2**64, size=(n, 2), dtype=np.uint64)


@frozen(eq=False)
class Answered:
    """Distinct rows of what raters and one classifier said: each rater's `counts` (G, L), the
    classifier's `answer` (G,), the `size` (G,) items that have them, and each item's `row` (n,).
    """

    counts: list[Ints]
    answer: Ints
    size: Floats
    row: Ints


@frozen(eq=False)
class Members:
    """Each rater's answers as `counts` (n, L) of the same items."""

    counts: list[Ints]

    @cached_property
    def _alike(self) -> Groups:
        """Items with the same answers, for all classifiers together."""
        return rows_alike(np.column_stack(self.counts))

    @cached_property
    def _distinct(self) -> list[Ints]:
        return [each[self._alike.first] for each in self.counts]

    def with_answers(self, answer: Ints) -> Answered:
        """With a classifier's answer (n,) to each item."""
        width = int(answer.max(initial=0)) + 1
        cell = self._alike.of_row * width + answer
        size = np.bincount(cell, minlength=len(self._alike) * width)
        used = np.flatnonzero(size)
        place = np.empty(len(size), dtype=np.int64)
        place[used] = np.arange(len(used))
        raters, said = np.divmod(used, width)
        counts = [each[raters] for each in self._distinct]
        return Answered(counts, said, size[used].astype(np.float64), place[cell])
