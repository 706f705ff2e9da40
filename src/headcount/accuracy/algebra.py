"""From agreement to the truth: rater accuracy, base rates, truth probabilities.

Every function works on patterns (distinct label-count vectors, `counts` (G, L)) and takes
the number of items behind each pattern as `weights` (B, G): a row is a data set, so the data
themselves and all their bootstrap samples go through the same lines at once. NaN stands for
"no value" in here; it never leaves the room.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SURE = 1 - 1e-12
"""The highest rater accuracy that Bayes' rule is given: at 1 a single slip would be impossible."""

TIED = 1e-9
"""Probabilities closer than this are equal: they differ by rounding only."""


def pair_counts(counts: Ints) -> tuple[Ints, Ints]:
    """Pairs of ratings that agree and all pairs, within one item of each pattern, (G,) each."""
    ratings = counts.sum(axis=1)
    return (counts * (counts - 1)).sum(axis=1) // 2, ratings * (ratings - 1) // 2


def pairwise_agreement(counts: Ints, weights: Floats) -> Floats:
    """Share of pairs of ratings of the same item that agree, (B,); NaN without any pair."""
    agreeing, pairs = pair_counts(counts)
    return _ratio(weights @ agreeing.astype(float), weights @ pairs.astype(float))


def kappa_from_agreement(agreement: Floats, n_labels: int) -> Floats:
    """Agreement beyond the chance of 1/N."""
    chance = 1 / n_labels
    return (agreement - chance) / (1 - chance)


def agreement_from_accuracy(accuracy: Floats, n_labels: int) -> Floats:
    """How often two raters of this accuracy agree when their errors are spread evenly."""
    return accuracy**2 + (1 - accuracy) ** 2 / (n_labels - 1)


def accuracy_from_agreement(agreement: Floats, n_labels: int) -> Floats:
    """Rater accuracy P_c, the larger root; NaN where agreement is below chance (no real root)."""
    n = n_labels
    square = ((n - 1) * agreement - (n - 1) / n) / n
    # 1/N agreement computed in floating point may fall a hair below it.
    square = np.where((square < 0) & (square > -1e-15), 0.0, square)
    with np.errstate(invalid="ignore"):
        root: Floats = 1 / n + np.sqrt(square)
    return root


def label_shares(counts: Ints, weights: Floats) -> Floats:
    """Share of ratings that say each label, (B, L)."""
    said = weights @ counts.astype(float)
    return _ratio(said, said.sum(axis=1, keepdims=True))


def raw_base_rates(shares: Floats, accuracy: Floats) -> Floats:
    """Base rates that explain `shares` (B, L) at rater accuracy (B,); may be negative.

    NaN where the raters do no better than chance: their ratings say nothing of the truth.
    """
    n = shares.shape[1]
    above_chance = (n * accuracy - 1)[:, None]
    return _ratio((n - 1) * shares - 1 + accuracy[:, None], above_chance, TIED)


def clipped_base_rates(raw: Floats) -> Floats:
    """Base rates with negative values at zero, renormalised."""
    positive = np.maximum(raw, 0)
    clipped: Floats = positive / positive.sum(axis=1, keepdims=True)
    return clipped


def truth_probabilities(counts: Ints, base_rates: Floats, accuracy: Floats) -> Floats:
    """Bayes' rule with independent raters, (B, G, L).

    A rating for the label is `P_c (N−1) / (1−P_c)` times as likely where the label is true
    as where it is not, whatever the other label, so only the label's own count matters.
    """
    n = counts.shape[1]
    capped = np.minimum(accuracy, SURE)
    with np.errstate(divide="ignore"):
        evidence = np.log(capped * (n - 1) / (1 - capped))
        score = np.log(base_rates)[:, None, :] + evidence[:, None, None] * counts[None]
    score -= score.max(axis=2, keepdims=True)
    np.exp(score, out=score)
    truth: Floats = score / score.sum(axis=2, keepdims=True)
    return truth


def top_labels(truth: Floats, base_rates: Floats) -> Floats:
    """Which label is most probable, as weights (B, G, L) that sum to one over the labels.

    Of equally probable labels the one with the higher base rate is kept; labels equal in
    that too share the weight, so that no answer depends on the order of the labels.
    """
    best = truth >= truth.max(axis=2, keepdims=True) - TIED
    prior = np.where(best, base_rates[:, None, :], -1.0)
    kept = best & (prior >= prior.max(axis=2, keepdims=True) - TIED)
    share: Floats = kept / np.maximum(kept.sum(axis=2, keepdims=True), 1)
    return share


def _ratio(top: Floats, bottom: Floats, least: float = 0.0) -> Floats:
    """The ratio, NaN where bottom is not above `least`."""
    known = bottom > least
    ratio: Floats = np.where(known, top / np.where(known, bottom, 1.0), np.nan)
    return ratio
