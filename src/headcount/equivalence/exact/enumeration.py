"""Every survey of every pattern, level by level, without look-ups.

A survey is built by adding answers in label order, so each has one path: its id is the id of
the survey it grew from and the label added, and its chance that of the shorter one times a
ratio of small whole numbers. Forgetting another answer is a step back along one path and
forward along another, so neighbours are found by indexing too.
"""

from collections.abc import Iterator

import numpy as np

from headcount.equivalence.exact.level import Counts, Floats, Ints, Level, SmallInts
from headcount.frozen import frozen


def count_surveys(counts: Ints, most: int) -> Floats:
    """How many surveys of 0..`most` answers each pattern has, shape (G, most + 1).

    Coefficients of Π_ℓ (1 + x + … + x^c_ℓ), as floats: they outgrow integers.
    """
    ways = np.zeros((len(counts), most + 1))
    ways[:, 0] = 1
    for given in counts.T:
        # Multiplying by 1 + … + x^c is a running sum less the same sum c + 1 places back.
        running = np.cumsum(ways, axis=1)
        back = np.arange(most + 1) - given[:, None] - 1
        earlier = np.take_along_axis(running, np.maximum(back, 0), axis=1)
        ways = running - np.where(back >= 0, earlier, 0)
    return ways


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
