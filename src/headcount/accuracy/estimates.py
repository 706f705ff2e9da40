"""The algebraic estimate on grouped cases, for the data and for bootstrap samples alike."""

from dataclasses import dataclass

import numpy as np

from headcount.accuracy import algebra
from headcount.accuracy.bins import Bins, fill_bins
from headcount.accuracy.cases import Cases, Floats


@dataclass(frozen=True)
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


def estimate(cases: Cases, weights: Floats) -> Algebraic:
    """Agreement, rater accuracy, base rates, truth, bins; `weights` (S, J) cases of each group."""
    counts, by_pattern = cases.counts, cases.by_pattern(weights)
    agreement = algebra.pairwise_agreement(counts, by_pattern)
    accuracy = algebra.accuracy_from_agreement(agreement, cases.n_labels)
    raw = algebra.raw_base_rates(algebra.label_shares(counts, by_pattern), accuracy)
    base_rates = algebra.clipped_base_rates(raw)
    truth = algebra.truth_probabilities(counts, base_rates, accuracy)
    top = algebra.top_labels(truth, base_rates)
    bins = tuple(
        fill_bins(truth, top, cases.by_answer(system, weights))
        for system in range(len(cases.systems))
    )
    return Algebraic(agreement, accuracy, raw, base_rates, truth, bins)
