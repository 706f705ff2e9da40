"""All surveys of k raters of every pattern, enumerated level by level or drawn.

A survey is built by adding answers in label order, so each has one path: its id is the id of
the survey it grew from and the label added, and its chance that of the shorter one times a
ratio of small whole numbers. Forgetting another answer is a step back along one path and
forward along another, so neighbours are found by indexing too.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.arrays import Floats, Ints
from headcount.data import group_rows
from headcount.errors import OptionError
from headcount.frozen import frozen

SmallInts = NDArray[np.int32]
Counts = NDArray[np.signedinteger]

Which = slice | NDArray[Any]


@frozen
class Level:
    """The surveys of `raters` = k answers: R rows (pattern, survey), U distinct surveys.

    `pattern` (R,) and `survey` (R,) index the patterns and `surveys` (U, L), the answers.
    `chance` (R,) is P(y | c), the chance that k answers drawn from the pattern are this
    survey; `weight` (R,) the row's share of its pattern: the chance, unless surveys are drawn.
    `left` (L, R) are the answers that the survey left over; the label to predict is the next
    one drawn from them, or has the shares `targets` (G, L) of another pool, or the chances
    `aims` (R, L) of each label to be the plurality of several next ones. `smaller` (L, R) is the
    row, one level down, of the survey that forgot one answer of each label (−1: none), or None
    where nobody asks. `patterns` is how many patterns there are. Where surveys are drawn,
    `order` (R, n) are the labels in the order in which each row's item answers; the survey is
    the first k.
    """

    raters: int
    patterns: int
    pattern: SmallInts
    survey: SmallInts
    surveys: Counts
    chance: Floats
    weight: Floats
    left: Counts
    targets: Floats | None = None
    aims: Floats | None = None
    smaller: SmallInts | None = None
    order: SmallInts | None = None

    @property
    def drawn(self) -> bool:
        """Whether the surveys are a random sample of all there are."""
        return self.order is not None

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.pattern)

    def following(self, rows: Which) -> Floats:
        """The chance of each label to be the one to predict, for some rows: (r, L)."""
        if self.aims is not None:
            aims: Floats = self.aims[rows]
            return aims
        if self.targets is not None:
            shares: Floats = self.targets[self.pattern[rows]]
            return shares
        left: Floats = np.ascontiguousarray(self.left[:, rows].T, dtype=np.float64)
        left *= self._scale[rows, None]
        return left

    @cached_property
    def _scale(self) -> Floats:
        scale: Floats = 1 / np.maximum(self.left.sum(axis=0, dtype=np.int64), 1)
        return scale

    @cached_property
    def shared(self) -> Ints:
        """Rows whose survey another pattern could have given too."""
        often = np.bincount(self.survey, minlength=len(self.surveys))
        return np.flatnonzero(often[self.survey] > 1)

    @cached_property
    def alone(self) -> Ints:
        """Rows whose survey no other pattern could have given."""
        often = np.bincount(self.survey, minlength=len(self.surveys))
        return np.flatnonzero(often[self.survey] == 1)

    def sums(self, items: Floats) -> Floats:
        """Σ over items of chance · following for each shared survey: (B, G) give (B, U, L)."""
        rows, shape = self.shared, (len(items), *self.surveys.shape)
        if len(items) > 1:
            return np.asarray(self._terms.T @ items.T).T.reshape(shape)
        # One entry a row, in the row's own column: no sorting, whole label vectors added.
        scatter = sparse.csc_array(
            (
                items[0][self.pattern[rows]] * self.chance[rows],
                self.survey[rows],
                np.arange(len(rows) + 1),
            ),
            shape=(shape[1], len(rows)),
        )
        return np.asarray(scatter @ self.following(rows))[None]

    @cached_property
    def _terms(self) -> sparse.csr_array:
        """Their terms as patterns × (surveys · labels): sums are linear in the items."""
        L, rows = self.surveys.shape[1], self.shared
        columns = self.survey[rows, None].astype(np.int64) * L + np.arange(L)
        entries = self.chance[rows, None] * self.following(rows)
        return sparse.csr_array(
            (entries.ravel(), (np.repeat(self.pattern[rows], L), columns.ravel())),
            shape=(self.patterns, len(self.surveys) * L),
        )


def levels(
    counts: Ints, most: int, *, targets: Floats | None = None, neighbours: bool = False
) -> Iterator[Level]:
    """The levels 0..`most` of patterns `counts` (G, L), each with at least `most` answers.

    The next answer comes from what the survey left over, or has the shares `targets` (G, L)
    of another pool. `neighbours` asks for each level's `smaller`.
    """
    small: Counts = counts.astype(np.int16) if counts.max(initial=0) < 2**15 - 1 else counts
    answers = counts.sum(axis=1)
    state = _start(small, neighbours)
    for raters in range(most + 1):
        chance = np.exp(state.log_chance)
        yield Level(
            raters=raters,
            patterns=len(counts),
            pattern=state.pattern,
            survey=state.survey,
            surveys=state.surveys,
            chance=chance,
            weight=chance,
            left=state.left,
            targets=targets,
            smaller=state.smaller,
        )
        if raters < most:
            state = _grown(state, answers, raters)


@frozen
class _State:
    """Rows of one level, ordered by the label they were given last; see `Level` for names.

    Of the rows and of the surveys, the first `rows_to[ℓ]` and `surveys_to[ℓ]` have a last
    label of at most ℓ: those that may be given an ℓ next. `children[ℓ]` (R₋₁ + 1,) are the rows
    that the rows of the level below became by that, −1 where none; None where nobody asks.
    """

    pattern: SmallInts
    survey: SmallInts
    surveys: Counts
    left: Counts
    log_chance: Floats
    rows_to: Ints
    surveys_to: Ints
    smaller: SmallInts | None
    children: list[SmallInts]


def _start(counts: Counts, neighbours: bool) -> _State:
    G, L = counts.shape
    return _State(
        pattern=np.arange(G, dtype=np.int32),
        survey=np.zeros(G, dtype=np.int32),
        surveys=np.zeros((1, L), dtype=counts.dtype),
        left=np.ascontiguousarray(counts.T),
        log_chance=np.zeros(G),
        rows_to=np.full(L, G),
        surveys_to=np.ones(L, dtype=np.int64),
        smaller=np.full((L, G), -1, dtype=np.int32) if neighbours else None,
        children=[],
    )


@frozen
class _Block:
    """The rows that end in one label: the rows they grew from, and their surveys from `first`."""

    label: int
    first: int
    parent: Ints
    survey: SmallInts
    surveys: Counts


def _grown(state: _State, answers: Ints, raters: int) -> _State:
    """The next level: every row with one more answer, of its last label or a later one."""
    log = np.log(np.maximum(np.arange(answers.max(initial=0) + 2), 1))
    step = log[raters + 1] - log[answers - raters]
    blocks = [*_blocks(state)]
    sizes = np.array([len(block.parent) for block in blocks])
    rows_to, surveys_to = np.cumsum(sizes), np.cumsum([len(block.surveys) for block in blocks])
    parent = np.concatenate([block.parent for block in blocks])
    pattern, left = state.pattern[parent], state.left[:, parent]
    log_chance = state.log_chance[parent] + step[pattern]
    for block, end, size in zip(blocks, rows_to, sizes, strict=True):
        mine = slice(end - size, end)
        given = block.surveys[block.survey - block.first, block.label]
        log_chance[mine] += log[left[block.label, mine]] - log[given]
        left[block.label, mine] -= 1
    neighbours = state.smaller is not None
    return _State(
        pattern=pattern,
        survey=np.concatenate([block.survey for block in blocks]),
        surveys=np.concatenate([block.surveys for block in blocks]),
        left=left,
        log_chance=log_chance,
        rows_to=rows_to,
        surveys_to=surveys_to,
        smaller=_smaller(state, blocks, rows_to) if neighbours else None,
        children=_children(state, blocks, rows_to) if neighbours else [],
    )


def _blocks(state: _State) -> Iterator[_Block]:
    before = 0
    for label in range(len(state.left)):
        parent = np.flatnonzero(state.left[label, : state.rows_to[label]] > 0)
        grew_from = state.survey[parent]
        taken = np.zeros(state.surveys_to[label], dtype=bool)
        taken[grew_from] = True
        number = np.cumsum(taken, dtype=np.int32) + np.int32(before - 1)
        surveys = state.surveys[np.flatnonzero(taken)]
        surveys[:, label] += 1
        yield _Block(label, before, parent, number[grew_from], surveys)
        before += len(surveys)


def _smaller(state: _State, blocks: list[_Block], rows_to: Ints) -> SmallInts:
    """Rows of the surveys that forgot an answer: back from the parent, forward by its label."""
    assert state.smaller is not None
    out = np.full((len(blocks), rows_to[-1]), -1, dtype=np.int32)
    for block, end in zip(blocks, rows_to, strict=True):
        mine = slice(end - len(block.parent), end)
        out[block.label, mine] = block.parent
        for label in range(block.label if state.children else 0):
            out[label, mine] = state.children[block.label][state.smaller[label][block.parent]]
    return out


def _children(state: _State, blocks: list[_Block], rows_to: Ints) -> list[SmallInts]:
    children = []
    for block, end in zip(blocks, rows_to, strict=True):
        child = np.full(len(state.pattern) + 1, -1, dtype=np.int32)
        child[block.parent] = np.arange(end - len(block.parent), end, dtype=np.int32)
        children.append(child)
    return children


# (Pattern, survey) pairs that are enumerated: some seconds and under a gigabyte.
MOST_SURVEYS = 40_000_000

# The number of labels that the budget is counted for.
_LABELS = 10

# Drawn survey × pattern × label comparisons at each k.
_WORK = 100_000_000


@frozen
class Budget:
    """How much to enumerate before drawing.

    At most `surveys` (pattern, survey) pairs in all, and an eighth of them at one k, are
    enumerated (with more than ten labels fewer, as each costs more). From the first k past
    that, `draws` surveys of k raters are drawn instead, by default what takes about a second.
    """

    surveys: int = MOST_SURVEYS
    draws: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.surveys < 1:
            raise OptionError(f"max_surveys is at least 1; it was {self.surveys!r}.")

    def exact_to(self, at_each_k: Floats, n_labels: int) -> int:
        """The largest k up to which all surveys are enumerated; k = 0 always is."""
        limit = self.surveys * min(1.0, _LABELS / n_labels)
        fits = (np.cumsum(at_each_k) <= limit) & (at_each_k <= max(limit / 8, 1))
        fits[0] = True
        return int(np.argmin(fits)) - 1 if not fits.all() else len(fits) - 1

    def draws_for(self, counts: Ints) -> int:
        """How many surveys to draw at each k, from so many patterns and labels."""
        if self.draws is not None:
            return self.draws
        return int(np.clip(_WORK // counts.size, 1000, 20_000))


def drawn_levels(
    counts: Ints,
    sizes: Ints,
    first: int,
    most: int,
    budget: Budget,
    *,
    targets: Floats | None = None,
) -> Iterator[Level]:
    """Levels `first`..`most` of drawn surveys.

    Items are spread evenly over the data (systematic sampling); each answers one rater after
    the other, so that the surveys of k + 1 raters hold those of k and the curve is smooth.
    """
    rng = np.random.default_rng([budget.seed, 2])
    n_draws, n_items = budget.draws_for(counts), int(sizes.sum())
    places = (np.arange(n_draws) + rng.random()) * (n_items / n_draws)
    pattern = np.searchsorted(np.cumsum(sizes), places, side="right").astype(np.int32)
    order = _orders(counts[pattern], most, rng)
    for raters in range(first, most + 1):
        drawn = prefix(order, raters, counts.shape[1])
        distinct = group_rows(drawn)
        yield Level(
            raters=raters,
            patterns=len(counts),
            pattern=pattern,
            survey=distinct.of_row.astype(np.int32),
            surveys=drawn[distinct.first],
            chance=np.ones(n_draws),
            weight=n_items / (n_draws * sizes[pattern]),
            left=np.ascontiguousarray((counts[pattern] - drawn).T),
            targets=targets,
            order=order,
        )


def prefix(order: SmallInts, raters: int, n_labels: int) -> Ints:
    """The first `raters` answers of each row as a survey, (R, L)."""
    said = order[:, :raters]
    return np.stack([(said == label).sum(axis=1) for label in range(n_labels)], axis=1)


def _orders(counts: Ints, most: int, rng: np.random.Generator) -> SmallInts:
    """The first `most` answers of each row of counts, drawn one after the other."""
    left, rows = counts.copy(), np.arange(len(counts))
    order = np.empty((len(counts), most), dtype=np.int32)
    for place in range(most):
        reach = np.cumsum(left, axis=1)
        order[:, place] = (rng.random((len(counts), 1)) * reach[:, -1:] >= reach).sum(axis=1)
        left[rows, order[:, place]] -= 1
    return order
