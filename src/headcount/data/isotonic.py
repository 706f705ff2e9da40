"""Isotonic regression by pooling adjacent violators, weighted."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_SLOW_PASS = 0.98
"""Passes go on while each leaves at most this share of the blocks; then they walk."""


def isotonic_knots(x: Floats, y: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """The rising function nearest to y in weighted squares, at the distinct values of x.

    `x` must be sorted; equal values of it are pooled first. Between knots the function is
    meant to be straight and beyond them level, as `numpy.interp` reads it.
    """
    start = np.flatnonzero(np.r_[True, x[1:] != x[:-1]])
    total = np.add.reduceat(weight, start)
    sums = np.add.reduceat(weight * y, start)
    held = total > 0
    knots, total, sums = x[start][held], total[held], sums[held]
    return knots, rising_means(sums, total)


def rising_means(sums: Floats, weight: Floats) -> Floats:
    """Block means Σ sums / Σ weight, pooled until they rise; one for each entry.

    Every pass pools all runs of blocks that do not rise, with array operations. Where a pass
    pools few blocks (one low value behind a long rise would take a pass a block), the rest is
    done by one walk with a stack.
    """
    first = np.arange(len(sums), dtype=np.intp)
    n_entries = len(sums)
    while len(sums) > 1:
        means = sums / weight
        starts = np.flatnonzero(np.r_[True, means[1:] > means[:-1]])
        if len(starts) == len(sums):
            break
        slow = len(starts) > _SLOW_PASS * len(sums)
        first, sums, weight = _pooled(first, sums, weight, starts)
        if slow:
            first, sums, weight = _walked(first, sums, weight)
            break
    many = np.diff(np.r_[first, n_entries])
    fitted: Floats = np.repeat(sums / weight, many)
    return fitted


def _pooled(first: Ints, sums: Floats, weight: Floats, starts: Ints) -> tuple[Ints, Floats, Floats]:
    return first[starts], np.add.reduceat(sums, starts), np.add.reduceat(weight, starts)


def _walked(first: Ints, sums: Floats, weight: Floats) -> tuple[Ints, Floats, Floats]:
    """The classical single walk: a block that does not rise is pooled with the one before."""
    stack: list[tuple[int, float, float]] = []
    for at, total, many in zip(first.tolist(), sums.tolist(), weight.tolist(), strict=True):
        block = (at, total, many)
        while stack and stack[-1][1] * block[2] >= block[1] * stack[-1][2]:
            before = stack.pop()
            block = (before[0], before[1] + block[1], before[2] + block[2])
        stack.append(block)
    starts, totals, weights = zip(*stack, strict=True)
    return np.array(starts, dtype=np.intp), np.array(totals), np.array(weights)
