"""What r held-out raters say in plurality: what surveys are scored on, and learn."""

import math
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from headcount.data import group_rows

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Counts = NDArray[np.signedinteger]

_CELLS = 4_000_000
"""Draws × rows worked on at once."""


def shares_of_most_common(counts: NDArray[Any]) -> Floats:
    """One, shared equally by the largest entries of each row."""
    top = counts == counts.max(axis=-1, keepdims=True)
    shares: Floats = top / top.sum(axis=-1, keepdims=True)
    return shares


def plurality_of(left: Counts, reference_raters: int) -> Floats:
    """The chance of each label to be the plurality of r answers drawn from `left` (R, L).

    Exact: every possible draw of r answers, each with its chance; ties share. Rows with the
    same answers are worked out once; of a row with fewer than r, all answers are drawn.
    """
    if reference_raters == 1:
        total = left.sum(axis=1, keepdims=True)
        shares: Floats = left / np.maximum(total, 1)
        return shares
    groups = group_rows(left)
    distinct = left[groups.first]
    enough = distinct.sum(axis=1) >= reference_raters
    draws = possible_draws(left.shape[1], reference_raters)
    winners = shares_of_most_common(draws)
    out = shares_of_most_common(distinct)
    rows = np.flatnonzero(enough)
    step = max(1, _CELLS // len(draws))
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        out[part] = _chances(distinct[part], draws) @ winners
    return out[groups.of_row]


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
