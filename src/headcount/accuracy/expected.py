"""What raters and a system of known quality produce, as chances of patterns and answers."""

from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_PATTERNS = 20_000
FEW_PATTERNS = 1_000
"""Past the first number of patterns cases are drawn one by one, past the second if they are
fewer than the patterns."""


def pattern_total(raters: int, n_labels: int) -> int:
    """How many ways there are for `raters` ratings to divide among the labels."""
    return comb(raters + n_labels - 1, n_labels - 1)


def listable_raters(raters: int, n_labels: int) -> int:
    """As many of `raters`, at least two, as keep the patterns few."""
    while raters > 2 and pattern_total(raters, n_labels) > FEW_PATTERNS:
        raters -= 1
    return raters


def all_patterns(raters: int, n_labels: int) -> Ints:
    """Every label-count vector that sums to `raters`, (G, L), in lexicographic order."""
    if n_labels == 1:
        return np.array([[raters]], dtype=np.int64)
    parts = [
        np.column_stack([np.full(len(rest), first), rest])
        for first in range(raters + 1)
        for rest in [all_patterns(raters - first, n_labels - 1)]
    ]
    return np.concatenate(parts).astype(np.int64)


def even_errors(accuracy: Floats, n_labels: int) -> Floats:
    """Confusion matrices (S, L, L) with this accuracy and errors spread evenly."""
    wrong = ((1 - accuracy) / (n_labels - 1))[:, None, None]
    right = accuracy[:, None, None] - wrong
    matrix: Floats = wrong + right * np.eye(n_labels)
    return matrix


def pattern_chances(patterns: Ints, accuracy: float) -> Floats:
    """Chance of each pattern for each true label, (L, G), raters erring evenly."""
    raters, n = int(patterns[0].sum()), patterns.shape[1]
    orders = gammaln(raters + 1) - gammaln(patterns + 1).sum(axis=1)
    wrong = np.log(max((1 - accuracy) / (n - 1), 1e-300))
    right = np.log(max(accuracy, 1e-300))
    chances: Floats = np.exp(orders + patterns.T * right + (raters - patterns.T) * wrong)
    normalised: Floats = chances / chances.sum(axis=1, keepdims=True)
    return normalised


def cell_chances(patterns: Floats, base_rates: Floats, system: Floats) -> Floats:
    """Chance of each pattern with each answer of the system, (S, G, L).

    `patterns` (L, G) as `pattern_chances` gives them, `base_rates` (S, L), `system` (S, L, L)
    the chance of each answer (last axis) for each true label.
    """
    truth_and_answer = base_rates[:, :, None] * system
    cells: Floats = np.matmul(patterns.T[None], truth_and_answer)
    return cells
