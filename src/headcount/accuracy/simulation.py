"""How far the estimate falls from the truth, by simulation where its assumptions hold."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from headcount.accuracy import algebra
from headcount.accuracy.bins import fill_bins
from headcount.accuracy.expected import (
    FEW_PATTERNS,
    MOST_PATTERNS,
    Floats,
    Ints,
    all_patterns,
    cell_chances,
    even_errors,
    pattern_chances,
    pattern_total,
)

_BLOCK = 4_000_000
"""Numbers held at once while simulating."""


@dataclass(frozen=True)
class Setting:
    """Raters of equal accuracy, errors spread evenly; base rates drawn anew where None."""

    raters: int
    n_labels: int
    rater_accuracy: float
    base_rates: Floats | None = None


def errors(setting: Setting, system: float, cases: int, *, runs: int, seed: int) -> Floats:
    """Estimated minus true accuracy of a system, (runs,); NaN where there was no estimate.

    A run draws its base rates (uniform numbers, normalised, unless set), then its cases.
    Equal arguments give equal errors, whatever else was simulated before.
    """
    rng = np.random.default_rng([seed, cases, round(system * 1e9)])
    many = pattern_total(setting.raters, setting.n_labels)
    if many > MOST_PATTERNS or many > max(FEW_PATTERNS, cases):
        estimates = [_one_run(rng, setting, system, cases) for _ in range(runs)]
        return np.array(estimates) - system
    patterns = all_patterns(setting.raters, setting.n_labels)
    chances = pattern_chances(patterns, setting.rater_accuracy)
    done = [
        _estimates(patterns, _drawn(rng, setting, chances, system, cases, size))
        for size in _blocks(runs, patterns.size)
    ]
    return np.concatenate(done) - system


def _blocks(runs: int, size: int) -> Iterator[int]:
    most = max(1, _BLOCK // size)
    for start in range(0, runs, most):
        yield min(most, runs - start)


def _drawn(
    rng: np.random.Generator,
    setting: Setting,
    chances: Floats,
    system: float,
    cases: int,
    runs: int,
) -> Floats:
    """Cases of each pattern with each answer, (runs, G, L + 1)."""
    n = setting.n_labels
    cells = cell_chances(
        chances, _base_rates(rng, setting, runs), even_errors(np.full(runs, system), n)
    )
    flat = cells.reshape(runs, -1)
    drawn = rng.multinomial(cases, flat / flat.sum(axis=1, keepdims=True)).reshape(cells.shape)
    return np.concatenate([drawn, np.zeros((*drawn.shape[:2], 1))], axis=2)


def _one_run(rng: np.random.Generator, setting: Setting, system: float, cases: int) -> float:
    """One run case by case, for when there are too many patterns to list."""
    n = setting.n_labels
    truth = rng.choice(n, size=cases, p=_base_rates(rng, setting, 1)[0])
    confusion = even_errors(np.array([setting.rater_accuracy]), n)[0]
    counts = rng.multinomial(setting.raters, confusion[truth]).astype(np.int64)
    slip = rng.integers(1, n, size=cases)
    answer = np.where(rng.random(cases) < system, truth, (truth + slip) % n)
    answers = np.zeros((1, cases, n + 1))
    answers[0, np.arange(cases), answer] = 1
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
