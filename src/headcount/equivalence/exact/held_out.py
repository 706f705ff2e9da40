"""The label that everything is scored against: one held-out rater's, or the plurality of r."""

import math
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from scipy.special import gammaln

from headcount.equivalence.combiners.plurality import shares_of_most_common
from headcount.equivalence.exact.level import Counts, Floats, Ints, Level, Which

_CELLS = 4_000_000
"""Draws × rows worked on at once."""


@dataclass(frozen=True)
class HeldOut:
    """The chance of each label to be the one that a level's rows are scored against.

    `table` (R, L), or None where that is the next answer: worked out when asked for.
    """

    level: Level
    table: Floats | None

    def of(self, rows: Which) -> Floats:
        """For some rows of the level, (r, L)."""
        return self.level.following(rows) if self.table is None else self.table[rows]


def plurality_of(left: Counts, reference_raters: int) -> Floats:
    """The chance of each label to be the plurality of r answers drawn from `left` (R, L).

    Exact: every possible draw of r answers, each with its chance; ties share. Rows with the
    same answers are worked out once.
    """
    if reference_raters == 1:
        total = left.sum(axis=1, keepdims=True)
        shares: Floats = left / np.maximum(total, 1)
        return shares
    distinct, back = np.unique(left, axis=0, return_inverse=True)
    draws = possible_draws(left.shape[1], reference_raters)
    winners = shares_of_most_common(draws)
    out = np.empty(distinct.shape)
    step = max(1, _CELLS // len(draws))
    for start in range(0, len(distinct), step):
        part = distinct[start : start + step]
        out[start : start + step] = _chances(part, draws) @ winners
    return out[back.ravel()]


def possible_draws(n_labels: int, reference_raters: int) -> Ints:
    """Every way r answers can fall on the labels, shape (C(L + r − 1, r), L)."""
    chosen = np.array([*combinations_with_replacement(range(n_labels), reference_raters)])
    draws: Ints = (chosen[:, :, None] == np.arange(n_labels)).sum(axis=1)
    return draws


def n_possible_draws(n_labels: int, reference_raters: int) -> int:
    """How many there are."""
    return math.comb(n_labels + reference_raters - 1, reference_raters)


def _chances(left: Counts, draws: Ints) -> Floats:
    """P(z | d): the chance to draw z from what is left, shape (R, draws)."""
    most = int(left.sum(axis=1).max(initial=0))
    raters = int(draws[0].sum())
    a, b = np.arange(most + 1)[:, None], np.arange(raters + 1)
    choose = np.where(
        a >= b, np.exp(gammaln(a + 1) - gammaln(b + 1) - gammaln(np.maximum(a - b, 0) + 1)), 0.0
    )
    ways = np.ones((len(left), len(draws)))
    for label in range(left.shape[1]):
        ways *= choose[left[:, label, None], draws[:, label]]
    ways /= choose[left.sum(axis=1), raters][:, None]
    return ways
