"""The algebra: from agreement to the truth, and from the truth to a system's accuracy.

Every function works on patterns (distinct label-count vectors, `counts` (G, L)) and takes
the number of items behind each pattern as `weights` (B, G): a row is a data set, so the data
themselves and all their bootstrap samples go through the same lines at once. A system's answers
come as (B, G, L + 1): items of each pattern for which it gave each label, and last those for
which it gave none of them (an error whatever the truth). NaN stands for "no value" in here; it
never leaves the room.
"""

from collections.abc import Iterable

import numpy as np

from headcount.accuracy.items import Items
from headcount.arrays import Floats, Ints
from headcount.data import Spread
from headcount.frozen import frozen

# The highest rater accuracy that Bayes' rule is given: at 1 a single slip would be impossible.
SURE = 1 - 1e-12

# Probabilities closer than this are equal: they differ by rounding only.
TIED = 1e-9


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
    # A label of base rate 0 has no chance, whatever was said: log 0 is meant.
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


# As many bins as the paper has.
N_BINS = 10

# Bins (0, .1], (.1, .2] … (.9, 1] of the probability of the most probable label.
EDGES = np.arange(N_BINS + 1) / N_BINS


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
        # Bins that say nothing have no say: the mean is of the others, as in the paper.
        weight = np.where(np.isnan(self.accuracy), 0.0, self.items)
        total = weight.sum(axis=1)
        known = total > 0
        summed = (weight * np.nan_to_num(self.accuracy)).sum(axis=1)
        mean: Floats = np.where(known, summed / np.where(known, total, 1.0), np.nan)
        return mean


def bin_of(probability: Floats) -> Ints:
    """The bin of each probability; an edge belongs to the bin below it."""
    # .1 + .2 lies a hair above .3 and belongs to the bin of .3.
    place = np.ceil(np.nan_to_num(probability) * N_BINS - 1e-9).astype(np.int64) - 1
    return np.clip(place, 0, N_BINS - 1)


@frozen
class PatternBins:
    """Where the patterns fall, whoever answers: the bin of each pattern in each data set (B, G),
    and by bin (B, 10) the `items` and their mean top probability `truth`.
    """

    bins: Ints
    items: Floats
    truth: Floats

    @classmethod
    def of(cls, truth: Floats, items: Floats) -> "PatternBins":
        """From the truth probabilities (B, G, L) and items (B, G) of each pattern."""
        best = truth.max(axis=2)
        bins = bin_of(best) + N_BINS * np.arange(len(best))[:, None]
        counted = _by_bin(bins, items)
        with np.errstate(invalid="ignore", divide="ignore"):
            return cls(bins, counted, _by_bin(bins, items * np.nan_to_num(best)) / counted)

    def filled(self, top: Floats, answers: Floats) -> Bins:
        """What the bins hold of one system; `top` (B, G, L) as `top_labels` gives it."""
        n_labels = top.shape[2]
        agreeing = np.einsum("bgl,bgl->bg", top, answers[:, :, :n_labels])
        with np.errstate(invalid="ignore", divide="ignore"):
            agreement = _by_bin(self.bins, agreeing) / self.items
            unformed = _by_bin(self.bins, answers[:, :, n_labels]) / self.items
        accuracy = implied_accuracy(self.truth, agreement, unformed, n_labels)
        return Bins(self.items, self.truth, agreement, accuracy)


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
        return kappa_from_agreement(self.agreement, self.base_rates.shape[1])

    def accuracy(self) -> Floats:
        """Each system's accuracy, (C, S)."""
        none = np.empty((0, len(self.agreement)))
        return np.array([each.overall() for each in self.bins]) if self.bins else none


def estimate(items: Items, weights: Floats) -> Algebraic:
    """Agreement, rater accuracy, base rates, truth, bins; `weights` (S, J) items of each group."""
    turned = np.ascontiguousarray(weights.T)
    systems = range(len(items.systems))
    answers = (items.by_answer(system, turned) for system in systems)
    return estimate_patterns(items.counts, items.by_pattern(turned), answers, items.people)


def estimate_patterns(
    counts: Ints, weights: Floats, answers: Iterable[Floats], people: Spread | None = None
) -> Algebraic:
    """The same from the items of each pattern, (S, G), and each system's answers (S, G, L + 1).

    `people` are the answers that agreement and shares are of, where not all ratings are. Why asking
    stopped is no matter to Bayes' rule.
    """
    pairs, often = (counts, weights)
    if people is not None:
        pairs, often = people.first, people.times(weights)
    agreement = pairwise_agreement(pairs, often)
    accuracy = accuracy_from_agreement(agreement, counts.shape[1])
    raw = raw_base_rates(label_shares(pairs, often), accuracy)
    base_rates = clipped_base_rates(raw)
    truth = truth_probabilities(counts, base_rates, accuracy)
    top, places = top_labels(truth, base_rates), PatternBins.of(truth, weights)
    bins = tuple(places.filled(top, each) for each in answers)
    return Algebraic(agreement, accuracy, raw, base_rates, truth, bins)


def accuracy_of_answers(counts: Ints, answers: Floats) -> Floats:
    """One system's accuracy, (S,), from its answers to items of each pattern (S, G, L + 1)."""
    return estimate_patterns(counts, answers.sum(axis=2), [answers]).bins[0].overall()


def _by_bin(place: Ints, values: Floats) -> Floats:
    total = np.bincount(place.ravel(), weights=values.ravel(), minlength=len(place) * N_BINS)
    return total.reshape(len(place), N_BINS).astype(np.float64, copy=False)
