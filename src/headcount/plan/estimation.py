"""The other question: not which classifier is better, but how good one is.

For picking the better one, one label an item is best. For *estimating* it is not: these are the
standard errors that the same money buys, label by label. All are exact; each estimate is a mean
over items of a function h of the labels of one item, so its error is sd(h)/√n.
"""

import numpy as np

from headcount.arrays import Floats
from headcount.frozen import frozen
from headcount.plan.label_accuracy import LabelAccuracy
from headcount.plan.labelling import Strategy


@frozen
class EstimationError:
    """What `items` items with these labels tell about one classifier, at one cost.

    `accuracy`: standard error of its accuracy, corrected for a known label accuracy.
    `accuracy_uncorrected`: root mean square error, bias included, of the plain share of
    majority labels it agrees with.
    `agreement`: standard error of the share of people who agree with it.
    `distance`: standard error of the mean squared distance between its answer and the people's
    distribution, the simplest distributional score; None with fewer than two labels, where no
    unbiased estimate exists.
    """

    labels_per_item: int
    items: int
    accuracy: float
    accuracy_uncorrected: float
    agreement: float
    distance: float | None


def estimation_error(
    accuracy: float, labels: LabelAccuracy, strategy: Strategy, items: int, n_labels: int = 2
) -> EstimationError:
    """The errors for one number of labels an item."""
    m = strategy.majority_of
    right, wrong = labels.majority_parts(m, n_labels)
    slip = wrong / (n_labels - 1)
    observed = accuracy * right + (1 - accuracy) * slip
    plain = np.sqrt(observed * (1 - observed) / items)
    agreeing = agreeing_counts(accuracy, labels, m, n_labels)
    k = np.arange(m + 1)
    return EstimationError(
        labels_per_item=m,
        items=items,
        accuracy=float(plain / (right - slip)),
        accuracy_uncorrected=float(np.hypot(plain, observed - accuracy)),
        agreement=_standard_error(k / m, agreeing, items),
        distance=(
            None
            if m < 2
            else _standard_error((m - k) * (m - k - 1) / (m * (m - 1)), agreeing, items)
        ),
    )


def agreeing_counts(accuracy: float, labels: LabelAccuracy, m: int, n_labels: int = 2) -> Floats:
    """P(k of m labels of an item agree with the classifier), k = 0..m.

    Right: the labels that are right agree. Wrong: of the labels that are wrong, those that
    chose its wrong label, one in n_labels − 1.
    """
    counts = labels.right_counts(m)
    same_slip = LabelAccuracy.same(1 / (n_labels - 1))
    when_wrong = np.zeros(m + 1)
    for wrong in range(m + 1):
        when_wrong[: wrong + 1] += counts[m - wrong] * same_slip.right_counts(wrong)
    return np.asarray(accuracy * counts + (1 - accuracy) * when_wrong)


def _standard_error(statistic: Floats, chances: Floats, items: int) -> float:
    mean = float(statistic @ chances)
    around = statistic - mean
    return float(np.sqrt((around * around) @ chances / items))
