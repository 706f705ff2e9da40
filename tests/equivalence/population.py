"""Data without sampling noise: every pattern with its expected number of items.

With the patterns of a model in their exact shares, and so many items that leaving one out
changes nothing, the engine must return the model's own curve.
"""

import numpy as np
from scipy.stats import binom

RUNNING_EXAMPLE = ((0.8, 0.7), (0.5, 0.1), (0.1, 0.2))
"""(chance of the positive label, share of items) of each state."""

SAYS_POSITIVE = {0.8: 0.9, 0.5: 0.5, 0.1: 0.05}
"""How often the paper's hard classifier gives the positive label, by state."""

MANY = 1e13


def patterns(states, raters):
    """Counts (G, 2) and their numbers of items for a binary model of states."""
    positives = np.arange(raters + 1)
    share = sum(weight * binom.pmf(positives, raters, p) for p, weight in states)
    return np.column_stack([raters - positives, positives]), np.rint(share * MANY).astype(np.int64)


def outputs(states, raters, says_positive):
    """Groups of (counts, hard answer) in their exact shares: counts, answer, items."""
    rows = []
    for answer in (0, 1):
        for positives in range(raters + 1):
            share = sum(
                weight
                * binom.pmf(positives, raters, p)
                * (says_positive[p] if answer else 1 - says_positive[p])
                for p, weight in states
            )
            rows.append((raters - positives, positives, answer, round(share * MANY)))
    table = np.array(rows, dtype=np.int64)
    return table[:, :2], table[:, 2], table[:, 3]


def information_curve(states, most):
    """−H(Y_{k+1} | Y_1..Y_k) in bits for k = 0..most, by summing over what k raters say."""
    curve = []
    for k in range(most + 1):
        total = 0.0
        for positives in range(k + 1):
            joint = np.array([weight * binom.pmf(positives, k, p) for p, weight in states])
            next_positive = joint @ [p for p, _ in states]
            for chance in (next_positive, joint.sum() - next_positive):
                total += chance * np.log2(chance / joint.sum())
        curve.append(total)
    return np.array(curve)
