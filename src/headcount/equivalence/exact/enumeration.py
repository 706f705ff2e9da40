"""Every survey of every pattern, level by level, without look-ups.

A survey is built by adding answers in label order, so each has one path: its id is the id of
the survey it grew from and the label added, and its chance that of the shorter one times a
ratio of small whole numbers. Forgetting another answer is a step back along one path and
forward along another, so neighbours are found by indexing too.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from headcount.equivalence.exact.level import Counts, Floats, Ints, Level, SmallInts


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
    state = _start(small)
    for raters in range(most + 1):
        left = small[state.pattern] - state.surveys[state.survey]
        yield _level(raters, small, state, left, targets)
        if raters < most:
            state = _grown(small, state, left, raters, neighbours)


@dataclass(frozen=True)
class _State:
    """Rows of one level and the paths they came by; see `Level` for the names."""

    pattern: SmallInts
    survey: SmallInts
    surveys: Counts
    last: Ints
    log_chance: Floats
    smaller: SmallInts | None
    children: SmallInts | None


def _start(counts: Counts) -> _State:
    G, L = counts.shape
    none = np.full((G, L), -1, dtype=np.int32)
    return _State(
        pattern=np.arange(G, dtype=np.int32),
        survey=np.zeros(G, dtype=np.int32),
        surveys=np.zeros((1, L), dtype=counts.dtype),
        last=np.zeros(1, dtype=np.int64),
        log_chance=np.zeros(G),
        smaller=none,
        children=None,
    )


def _grown(counts: Counts, state: _State, left: Counts, raters: int, neighbours: bool) -> _State:
    """The next level: every row with one more answer, of its last label or a later one."""
    L = counts.shape[1]
    allowed = (left > 0) & (np.arange(L) >= state.last[state.survey][:, None])
    parent, label = np.nonzero(allowed)
    path = state.survey[parent].astype(np.int64) * L + label
    taken = np.zeros(len(state.surveys) * L, dtype=bool)
    taken[path] = True
    paths = np.flatnonzero(taken)
    number = np.cumsum(taken, dtype=np.int32) - np.int32(1)
    surveys = state.surveys[paths // L]
    surveys[np.arange(len(paths)), paths % L] += 1
    survey, pattern = number[path], state.pattern[parent]
    answers = counts.sum(axis=1, dtype=np.int64)
    log = np.log(np.maximum(np.arange(answers.max(initial=0) + 1), 1))
    log_chance = state.log_chance[parent] + log[left[parent, label]] - log[surveys[survey, label]]
    log_chance += (log[raters + 1] - log[answers - raters])[pattern]
    smaller = children = None
    if neighbours:
        children = np.full((len(left) + 1, L), -1, dtype=np.int32)
        children[parent, label] = np.arange(len(parent), dtype=np.int32)
        smaller = _smaller(state, parent, label)
    return _State(pattern, survey, surveys, paths % L, log_chance, smaller, children)


def _smaller(state: _State, parent: Ints, label: Ints) -> SmallInts:
    """Rows of the surveys that forgot an answer: back from the parent, forward by `label`."""
    assert state.smaller is not None
    back = state.smaller[parent]
    if state.children is not None:
        back = state.children[back, label[:, None]]
    back[np.arange(len(parent)), label] = parent
    return back


def _level(
    raters: int, counts: Counts, state: _State, left: Counts, targets: Floats | None
) -> Level:
    chance = np.exp(state.log_chance)
    if targets is None:
        over = np.maximum(counts.sum(axis=1, dtype=np.int64) - raters, 1)
        following = left / over[state.pattern][:, None]
    else:
        following = targets[state.pattern]
    return Level(
        raters=raters,
        patterns=len(counts),
        pattern=state.pattern,
        survey=state.survey,
        surveys=state.surveys,
        chance=chance,
        weight=chance,
        following=following,
        smaller=state.smaller,
    )
