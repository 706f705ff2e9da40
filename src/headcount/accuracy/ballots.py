"""Ballots: what raters and a system said of each item, items with equal answers as one row."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
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

    steps: Floats | sparse.csr_matrix
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
    first, group = _distinct(np.column_stack([*members, said]))
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


def _steps(
    counts: Ints, own: NDArray[np.bool_], coupling: float
) -> tuple[Floats | sparse.csr_matrix, Ints, Floats]:
    """(D, C) indicators that a column was said more than m times, its column and its m.

    Rows whose system gave the column's label (`own`) have columns apart, with m + κ.
    """
    parts, column, times = [], [], []
    for m in range(int(counts.max(initial=1))):
        for mine, start in ((False, 0.0), (True, coupling)):
            said = (counts > m) & (own == mine)
            used = np.flatnonzero(said.any(axis=0))
            parts.append(said[:, used].astype(float))
            column.append(used)
            times.append(np.full(len(used), m + start))
    steps = np.concatenate(parts, axis=1)
    many = steps.size > 20_000 and (steps != 0).mean() < 0.1
    return (
        sparse.csr_matrix(steps) if many else steps,
        np.concatenate(column).astype(np.int64),
        np.concatenate(times),
    )


def _distinct(table: Ints) -> tuple[Ints, Ints]:
    """First row of each group of equal rows, and each row's group.

    Two 64-bit sums of random tokens tell rows apart without sorting wide rows.
    """
    rng = np.random.default_rng(0)
    tokens = rng.integers(0, 2**63, size=(table.shape[1], 2), dtype=np.int64).astype(np.uint64)
    key = (table.astype(np.uint64) @ tokens).view(np.dtype([("a", "u8"), ("b", "u8")])).ravel()
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group.ravel()
