"""How far the estimate falls from the truth, by simulation where its assumptions hold.

What raters and a system of known quality produce are chances of patterns and answers, from
which whole data sets are drawn at once.
"""

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import gammaln

from headcount.accuracy.algebra import accuracy_of_answers
from headcount.arrays import Floats, Ints
from headcount.frozen import frozen
from headcount.plan import even_errors

# Numbers held at once while simulating.
_BLOCK = 4_000_000

# Patterns past which items are drawn one by one: listing them would take longer.
MOST_PATTERNS = 20_000

# The same where items are fewer than the patterns.
FEW_PATTERNS = 1_000


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
    # The stream hangs on the setting alone, so that a search gives what a single question would.
    rng = np.random.default_rng([seed, items, round(system * 1e9)])
    if _one_by_one(setting, items):
        estimates = [_one_run(rng, setting, system, items) for _ in range(runs)]
        return np.array(estimates) - system
    patterns = all_patterns(setting.raters, setting.n_labels)
    chances = pattern_chances(patterns, setting.rater_accuracy)
    done = [
        accuracy_of_answers(patterns, _drawn(rng, setting, chances, system, items, size))
        for size in _blocks(runs, patterns.size)
    ]
    return np.concatenate(done) - system


def _one_by_one(setting: Setting, items: int) -> bool:
    """Whether items are drawn one by one, since there are more patterns than are listed."""
    many = pattern_total(setting.raters, setting.n_labels)
    return many > MOST_PATTERNS or many > max(FEW_PATTERNS, items)


def most_items(setting: Setting, runs: int, numbers: int) -> float:
    """How many items can be simulated with no more than so many numbers drawn.

    Listed patterns cost the same for any number of items, items one by one a row of labels each.
    """
    each = runs * (setting.n_labels + 1)
    many = pattern_total(setting.raters, setting.n_labels)
    if many <= MOST_PATTERNS and many * each <= numbers:
        return math.inf
    return min(numbers // each, max(FEW_PATTERNS, many) - 1 if many <= MOST_PATTERNS else math.inf)


def pattern_total(raters: int, n_labels: int) -> int:
    """How many ways there are for `raters` ratings to divide among the labels."""
    return math.comb(raters + n_labels - 1, n_labels - 1)


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

    `patterns` (L, G) as `pattern_chances` gives them, `base_rates` (S, L), `system` (L, L)
    the chance of each answer (last axis) for each true label.
    """
    truth_and_answer = base_rates[:, :, None] * system[None]
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
    cells = cell_chances(chances, _base_rates(rng, setting, runs), even_errors(system, n))
    flat = cells.reshape(runs, -1)
    drawn = rng.multinomial(items, flat / flat.sum(axis=1, keepdims=True)).reshape(cells.shape)
    return np.concatenate([drawn, np.zeros((*drawn.shape[:2], 1))], axis=2)


def _one_run(rng: np.random.Generator, setting: Setting, system: float, items: int) -> float:
    """One run item by item, for when there are too many patterns to list."""
    n = setting.n_labels
    truth = rng.choice(n, size=items, p=_base_rates(rng, setting, 1)[0])
    confusion = even_errors(setting.rater_accuracy, n)
    counts = rng.multinomial(setting.raters, confusion[truth]).astype(np.int64)
    slip = rng.integers(1, n, size=items)
    answer = np.where(rng.random(items) < system, truth, (truth + slip) % n)
    answers = np.zeros((1, items, n + 1))
    answers[0, np.arange(items), answer] = 1
    return float(accuracy_of_answers(counts, answers)[0])


def _base_rates(rng: np.random.Generator, setting: Setting, runs: int) -> Floats:
    if setting.base_rates is not None:
        return np.repeat(setting.base_rates[None], runs, axis=0)
    drawn = rng.random((runs, setting.n_labels))
    rates: Floats = drawn / drawn.sum(axis=1, keepdims=True)
    return rates
