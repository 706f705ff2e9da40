"""How far the estimate falls from the truth, by simulation where its assumptions hold.

What raters and a system of known quality produce are chances of patterns and answers, from
which whole data sets are drawn at once.
"""

from collections.abc import Iterator
from math import comb

import numpy as np
from scipy.special import gammaln

from headcount.accuracy import algebra
from headcount.accuracy.algebra import Floats, Ints
from headcount.accuracy.bins import fill_bins
from headcount.frozen import frozen

_BLOCK = 4_000_000
"""Numbers held at once while simulating."""

MOST_PATTERNS = 20_000
FEW_PATTERNS = 1_000
"""Past the first number of patterns items are drawn one by one, past the second if they are
fewer than the patterns."""


@frozen
class Setting:
    """Raters of equal accuracy, errors spread evenly; base rates drawn anew where None."""

    raters: int
    n_labels: int
    rater_accuracy: float
    base_rates: Floats | None = None


def errors(setting: Setting, system: float, items: int, *, runs: int, seed: int) -> Floats:
    """Estimated minus true accuracy of a system, (runs,); NaN where there was no estimate.

    A run draws its base rates (uniform numbers, normalised, unless set), then its items.
    Equal arguments give equal errors, whatever else was simulated before.
    """
    rng = np.random.default_rng([seed, items, round(system * 1e9)])
    many = pattern_total(setting.raters, setting.n_labels)
    if many > MOST_PATTERNS or many > max(FEW_PATTERNS, items):
        estimates = [_one_run(rng, setting, system, items) for _ in range(runs)]
        return np.array(estimates) - system
    patterns = all_patterns(setting.raters, setting.n_labels)
    chances = pattern_chances(patterns, setting.rater_accuracy)
    done = [
        _estimates(patterns, _drawn(rng, setting, chances, system, items, size))
        for size in _blocks(runs, patterns.size)
    ]
    return np.concatenate(done) - system


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


def _blocks(runs: int, size: int) -> Iterator[int]:
    most = max(1, _BLOCK // size)
    for start in range(0, runs, most):
        yield min(most, runs - start)


def _drawn(
    rng: np.random.Generator,
    setting: Setting,
    chances: Floats,
    system: float,
    items: int,
    runs: int,
) -> Floats:
    """Items of each pattern with each answer, (runs, G, L + 1)."""
    n = setting.n_labels
    cells = cell_chances(
        chances, _base_rates(rng, setting, runs), even_errors(np.full(runs, system), n)
    )
    flat = cells.reshape(runs, -1)
    drawn = rng.multinomial(items, flat / flat.sum(axis=1, keepdims=True)).reshape(cells.shape)
    return np.concatenate([drawn, np.zeros((*drawn.shape[:2], 1))], axis=2)


def _one_run(rng: np.random.Generator, setting: Setting, system: float, items: int) -> float:
    """One run item by item, for when there are too many patterns to list."""
    n = setting.n_labels
    truth = rng.choice(n, size=items, p=_base_rates(rng, setting, 1)[0])
    confusion = even_errors(np.array([setting.rater_accuracy]), n)[0]
    counts = rng.multinomial(setting.raters, confusion[truth]).astype(np.int64)
    slip = rng.integers(1, n, size=items)
    answer = np.where(rng.random(items) < system, truth, (truth + slip) % n)
    answers = np.zeros((1, items, n + 1))
    answers[0, np.arange(items), answer] = 1
    return float(_estimates(counts, answers)[0])


def _base_rates(rng: np.random.Generator, setting: Setting, runs: int) -> Floats:
    if setting.base_rates is not None:
        return np.repeat(setting.base_rates[None], runs, axis=0)
    drawn = rng.random((runs, setting.n_labels))
    rates: Floats = drawn / drawn.sum(axis=1, keepdims=True)
    return rates


def _estimates(patterns: Ints, answers: Floats) -> Floats:
    """The algebraic estimate of each run's system accuracy, (runs,)."""
    by_pattern = answers.sum(axis=2)
    n = patterns.shape[1]
    accuracy = algebra.accuracy_from_agreement(algebra.pairwise_agreement(patterns, by_pattern), n)
    raw = algebra.raw_base_rates(algebra.label_shares(patterns, by_pattern), accuracy)
    base_rates = algebra.clipped_base_rates(raw)
    truth = algebra.truth_probabilities(patterns, base_rates, accuracy)
    return fill_bins(truth, algebra.top_labels(truth, base_rates), answers).overall()
