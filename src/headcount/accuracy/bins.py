"""The algebraic estimate: from truth probabilities to system accuracy, bin by bin.

Shapes as in `algebra`: B data sets, G patterns, L labels. A system's answers come as
`answers` (B, G, L + 1): items of each pattern for which it gave each label, and last those
for which it gave none of them (an error whatever the truth).
"""

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy import algebra
from headcount.accuracy.items import Items
from headcount.frozen import frozen

Floats = NDArray[np.float64]

N_BINS = 10
EDGES = np.arange(N_BINS + 1) / N_BINS
"""Bins (0, .1], (.1, .2] … (.9, 1] of the probability of the most probable label."""


@frozen
class Bins:
    """What the bins hold, (B, 10) each, lowest bin first; NaN where a bin is empty.

    `items`, the mean top probability `truth`, the share of answers equal to the most
    probable label `agreement`, and the system's `accuracy` (NaN too where the top
    probability is no better than a guess, so that agreement says nothing).
    """

    items: Floats
    truth: Floats
    agreement: Floats
    accuracy: Floats

    def overall(self) -> Floats:
        """Accuracy over the bins that have one, weighted by items, (B,)."""
        weight = np.where(np.isnan(self.accuracy), 0.0, self.items)
        total = weight.sum(axis=1)
        known = total > 0
        summed = (weight * np.nan_to_num(self.accuracy)).sum(axis=1)
        mean: Floats = np.where(known, summed / np.where(known, total, 1.0), np.nan)
        return mean


def bin_of(probability: Floats) -> NDArray[np.int64]:
    """The bin of each probability; an edge belongs to the bin below it."""
    place = np.ceil(np.nan_to_num(probability) * N_BINS - 1e-9).astype(np.int64) - 1
    return np.clip(place, 0, N_BINS - 1)


@frozen
class _Places:
    """Where the patterns fall, whoever answers: the bin of each pattern in each data set (B, G),
    and by bin (B, 10) the `items` and their mean top probability `truth`.
    """

    bins: NDArray[np.int64]
    items: Floats
    truth: Floats

    @classmethod
    def of(cls, truth: Floats, items: Floats) -> "_Places":
        """From the truth probabilities (B, G, L) and items (B, G) of each pattern."""
        best = truth.max(axis=2)
        bins = bin_of(best) + N_BINS * np.arange(len(best))[:, None]
        counted = _by_bin(bins, items)
        with np.errstate(invalid="ignore", divide="ignore"):
            return cls(bins, counted, _by_bin(bins, items * np.nan_to_num(best)) / counted)

    def filled(self, top: Floats, answers: Floats) -> Bins:
        """What the bins hold of one system."""
        n_labels = top.shape[2]
        agreeing = np.einsum("bgl,bgl->bg", top, answers[:, :, :n_labels])
        with np.errstate(invalid="ignore", divide="ignore"):
            agreement = _by_bin(self.bins, agreeing) / self.items
            unformed = _by_bin(self.bins, answers[:, :, n_labels]) / self.items
        accuracy = implied_accuracy(self.truth, agreement, unformed, n_labels)
        return Bins(self.items, self.truth, agreement, accuracy)


def fill_bins(truth: Floats, top: Floats, answers: Floats) -> Bins:
    """Items, truth and agreement by bin, and the accuracy they imply.

    `truth` (B, G, L) and `top` (B, G, L) as `algebra` gives them.
    """
    return _Places.of(truth, answers.sum(axis=2)).filled(top, answers)


def implied_accuracy(
    truth: Floats, agreement: Floats, unformed: Floats | float, n_labels: int
) -> Floats:
    """Accuracy P_s that makes a system agree this often, clipped to what is possible.

    `agreement = g·P_s + (1−g)(1−P_s−u)/(N−1)` with g the top label's probability and u
    (`unformed`) the share of answers outside the labels, which agree with nothing; u = 0
    is the paper's equation 3.
    """
    formed = 1 - unformed
    above_guess = n_labels * truth - 1
    known = above_guess > 1e-9
    accuracy = ((n_labels - 1) * agreement - (1 - truth) * formed) / np.where(
        known, above_guess, 1.0
    )
    possible: Floats = np.where(known, np.clip(accuracy, 0.0, formed), np.nan)
    return possible


@frozen
class Algebraic:
    """The estimates for S data sets: `agreement` (S,), `rater_accuracy` (S,), `base_rates`
    (S, L) before (`raw`) and after clipping, `truth` (S, G, L) and each system's bins.
    """

    agreement: Floats
    rater_accuracy: Floats
    raw_base_rates: Floats
    base_rates: Floats
    truth: Floats
    bins: tuple[Bins, ...]

    def kappa(self) -> Floats:
        """Agreement beyond the chance of 1/N, (S,)."""
        return algebra.kappa_from_agreement(self.agreement, self.base_rates.shape[1])

    def accuracy(self) -> Floats:
        """Each system's accuracy, (C, S)."""
        none = np.empty((0, len(self.agreement)))
        return np.array([each.overall() for each in self.bins]) if self.bins else none


def estimate(items: Items, weights: Floats) -> Algebraic:
    """Agreement, rater accuracy, base rates, truth, bins; `weights` (S, J) items of each group."""
    turned = np.ascontiguousarray(weights.T)
    counts, by_pattern = items.counts, items.by_pattern(turned)
    agreement = algebra.pairwise_agreement(counts, by_pattern)
    accuracy = algebra.accuracy_from_agreement(agreement, items.n_labels)
    raw = algebra.raw_base_rates(algebra.label_shares(counts, by_pattern), accuracy)
    base_rates = algebra.clipped_base_rates(raw)
    truth = algebra.truth_probabilities(counts, base_rates, accuracy)
    top, places = algebra.top_labels(truth, base_rates), _Places.of(truth, by_pattern)
    bins = tuple(
        places.filled(top, items.by_answer(system, turned)) for system in range(len(items.systems))
    )
    return Algebraic(agreement, accuracy, raw, base_rates, truth, bins)


def _by_bin(place: NDArray[np.int64], values: Floats) -> Floats:
    total = np.bincount(place.ravel(), weights=values.ravel(), minlength=len(place) * N_BINS)
    return total.reshape(len(place), N_BINS).astype(np.float64, copy=False)
