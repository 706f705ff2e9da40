"""The algebraic estimate of one system from bare counts, with a bootstrap interval over items."""

import numpy as np

from headcount.accuracy import algebra
from headcount.accuracy.algebra import Floats, Ints
from headcount.accuracy.bins import fill_bins
from headcount.sampling.intervals import tail_share

_BLOCK = 4_000_000
"""Numbers held at once; a batch of samples is cut to it."""


def algebraic_interval(
    counts: Ints,
    answer: Ints,
    weight: Floats | None,
    *,
    confidence: float,
    n_bootstrap: int,
    seed: int,
) -> tuple[float, float, float] | None:
    """Accuracy by the paper's algebra with the ends of its interval; None where it has none.

    `counts` (n, L) and `answer` (n,), L for an answer outside the labels. Samples without an
    estimate are left out of the percentiles.
    """
    n, n_labels = counts.shape
    patterns, pattern = np.unique(counts, axis=0, return_inverse=True)
    width = n_labels + 1
    cell = pattern.ravel() * width + answer
    used, group = np.unique(cell, return_inverse=True)
    load = np.ones(n) if weight is None else weight
    share = np.bincount(group.ravel(), weights=load)
    items = max(round(share.sum()), 2)
    rng = np.random.default_rng([seed, 31])

    def estimates(cells: Floats) -> Floats:
        answers = np.zeros((len(cells), len(patterns) * width))
        answers[:, used] = cells
        return _estimates(patterns, answers.reshape(len(cells), len(patterns), width))

    value = float(estimates(share[None].astype(float))[0])
    if not np.isfinite(value):
        return None
    batch = max(1, min(n_bootstrap, _BLOCK // (len(patterns) * width)))
    draws = [
        estimates(rng.multinomial(items, share / share.sum(), size=batch).astype(float))
        for _ in range(-(-n_bootstrap // batch))
    ]
    known = np.concatenate(draws)
    known = known[np.isfinite(known)]
    if len(known) < n_bootstrap / 2:
        return None
    tail = tail_share(confidence, items)
    low, high = np.quantile(known, [tail, 1 - tail])
    return value, min(float(low), value), max(float(high), value)


def algebraic_accuracy(patterns: Ints, cells: Floats) -> float:
    """Accuracy by the algebra, NaN where it has none: from patterns of counts (G, L) and the items
    of each with each answer, (G, L + 1).
    """
    return float(_estimates(patterns, cells[None])[0])


def _estimates(patterns: Ints, answers: Floats) -> Floats:
    """The algebra on (B, G, L + 1) cases of each pattern and answer, (B,)."""
    by_pattern = answers.sum(axis=2)
    agreement = algebra.pairwise_agreement(patterns, by_pattern)
    accuracy = algebra.accuracy_from_agreement(agreement, patterns.shape[1])
    raw = algebra.raw_base_rates(algebra.label_shares(patterns, by_pattern), accuracy)
    base_rates = algebra.clipped_base_rates(raw)
    truth = algebra.truth_probabilities(patterns, base_rates, accuracy)
    return fill_bins(truth, algebra.top_labels(truth, base_rates), answers).overall()
