"""Right more often, not only agreeing more: what label accuracies add, and labels alone do not."""

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from headcount.arrays import Floats, Ints
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.plan.choice import Choice
from headcount.plan.pilot_moments import agreeing


@frozen
class Identified:
    """How well the difference in right answers is known, as standard errors.

    `given` with the label accuracy that was given, `learnt` if the accuracies where one
    classifier alone is right had to be learnt from the same labels (None: they cannot be).
    """

    given: float
    learnt: float | None


def agreement_to_right(label_accuracy: float, labels: int) -> float:
    """What a point of agreement is in points of right answers.

    Where labels are right with probability q whichever classifier is right, and wrong ones are
    spread evenly, people agree more by q − (1−q)/(L−1) for each share more of right answers.

    >>> round(agreement_to_right(0.8, 2), 6)
    1.666667
    """
    lift = label_accuracy - (1 - label_accuracy) / (labels - 1)
    if not 0 < label_accuracy <= 1 or lift <= 0:
        raise OptionError(
            f"label_accuracy is above {1 / labels:.3g}, better than guessing, and at most 1; "
            f"it was {label_accuracy:g}."
        )
    return 1 / lift


def learnt_error(
    first: Ints, labels: Ints, items: int, label_accuracy: float, gap: float
) -> float | None:
    """The standard error of the difference in right answers with label accuracies unknown.

    On items where the two differ (two labels), `first` of `labels` labels side with the first:
    a mixture π·Bin(q_a) + (1−π)·Bin(1−q_b). Inverting its Fisher information for (π, q_a, q_b)
    at q_a = q_b = `label_accuracy` gives the error of π and of the difference d(2π − 1). None
    where three labels an item are too rare to tell.
    """
    apart = len(first) / items
    # At the very edges the information about one of the three would be zero or endless.
    share = float(np.clip((gap / apart + 1) / 2, 0.01, 0.99))
    q = float(np.clip(label_accuracy, 0.51, 0.999))
    information = np.zeros((3, 3))
    for n, how_many in zip(*np.unique(labels, return_counts=True), strict=True):
        k = np.arange(n + 1)
        ours, theirs = _binomial(k, n, q), _binomial(k, n, 1 - q)
        slope = np.stack(
            [
                ours - theirs,
                share * ours * (k / q - (n - k) / (1 - q)),
                (1 - share) * theirs * ((n - k) / q - k / (1 - q)),
            ]
        )
        information += how_many * (slope / (share * ours + (1 - share) * theirs)) @ slope.T
    # Beyond this the three cannot be told apart: the inverse would be rounding.
    if np.linalg.cond(information) > 1e9:
        return None
    of_share = float(np.linalg.inv(information)[0, 0])
    of_apart = apart * (1 - apart) / items
    return float(np.sqrt((2 * apart) ** 2 * of_share + (2 * share - 1) ** 2 * of_apart))


def identified(
    choice: Choice,
    counts: Ints,
    decisions: Ints,
    sizes: Ints | None,
    label_accuracy: float,
    leader: int,
    rival: int,
) -> Identified:
    """How well right answers are known with the accuracy given, and would be without."""
    mean, sd = choice.difference(leader, rival)
    if counts.shape[1] != 2:
        return Identified(sd, None)
    rows = np.repeat(np.arange(len(counts)), 1 if sizes is None else sizes)
    rows = rows[decisions[rows, leader] != decisions[rows, rival]]
    labels = counts[rows].sum(axis=1)
    first = (agreeing(counts[rows], decisions[rows][:, [leader]])[:, 0] * labels).round()
    learnt = learnt_error(
        first.astype(np.int64), labels, choice.moments.items, label_accuracy, mean
    )
    return Identified(sd, learnt)


def _binomial(k: Ints, n: int, q: float) -> Floats:
    """The chance of k events in n trials of chance q each."""
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(np.exp(ways + xlogy(k, q) + xlog1py(n - k, -q)))
