"""Accuracy with gold: the true labels of a random sample of the items.

Gold alone gives an honest interval. The ratings of all items sharpen it: wherever they can
guess on which items the system is wrong, the guess takes its part of the variance away, and
gold keeps it unbiased. Gold also says how far the span without gold can be trusted: how often
people are all misled.
"""

import numpy as np
from scipy.special import betaincinv

from headcount.accuracy.ballots import ballots
from headcount.accuracy.powered import (
    Floats,
    Ints,
    Powered,
    ends,
    items_for,
    powered_mean,
    student,
    wilson,
)
from headcount.accuracy.profile import STRENGTHS
from headcount.accuracy.shared_errors import class_chances, climb, starting_model
from headcount.frozen import frozen
from headcount.sameness import as_good, exceeds, neither_end, varies

TRUST = 1.0
"""A guess is a chance of being right, so its slope is 1 unless gold says otherwise: one error
that it did or did not foresee is as much evidence."""

SURE = 0.9
"""Ratings point to a label where it has at least this probability given them."""


@frozen
class GoldAccuracy:
    """Accuracy by gold and ratings together, and by gold alone (`alone`, with its ends).

    `ratio` is the variance of the first over that of the second: at .5, the ratings are worth
    as much gold again.
    """

    value: float
    low: float
    high: float
    alone: float
    alone_low: float
    alone_high: float
    n_gold: int
    n_items: int
    slope: float
    ratio: float

    def items_for(self, width: float, *, confidence: float = 0.95) -> int:
        """How many gold items would narrow this to ± `width`."""
        return items_for(
            width, self.value, self.ratio, confidence=confidence, all_items=self.n_items
        )


def gold_accuracy(
    right: Floats,
    guess: Floats,
    gold: Ints,
    *,
    strata: Ints | None = None,
    cluster: Ints | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> GoldAccuracy:
    """Accuracy over items like these, from gold on a random sample of them.

    Parameters
    ----------
    right : (n,) array
        Whether the system is right on each gold item.
    guess : (N,) array
        For every item the chance that the system is right (`right_chances`), or anything
        else that goes with it.
    gold : (n,) array
        Which of the N items have gold.
    strata : (N,) array, optional
        How items were divided before gold was drawn at random within each part.
    cluster : (n,) array, optional
        The cluster that each gold item comes from.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> guess = rng.beta(4, 1, size=2000)
    >>> right = rng.random(2000) < guess
    >>> gold = rng.choice(2000, size=100, replace=False)
    >>> found = gold_accuracy(right[gold], guess, gold)
    >>> found.high - found.low < found.alone_high - found.alone_low
    True
    """
    y = np.asarray(right, dtype=float)
    found = powered_mean(
        y,
        np.asarray(guess, dtype=float),
        gold,
        strata=strata,
        cluster=cluster,
        trust=TRUST,
        seed=seed,
    )
    if not neither_end(found.value):
        found = found.unsharpened()
    alone = _interval(found.unsharpened(), len(y), confidence)
    sharp = _interval(found, len(y), confidence)
    if exceeds(sharp[1] - sharp[0], alone[1] - alone[0]):
        found, sharp = found.unsharpened(), alone
    return GoldAccuracy(
        value=found.value,
        low=sharp[0],
        high=sharp[1],
        alone=found.alone,
        alone_low=alone[0],
        alone_high=alone[1],
        n_gold=len(y),
        n_items=len(guess),
        slope=found.slope,
        ratio=found.ratio,
    )


def truth_chances(
    counts: Ints, weight: Floats | None = None, *, dependences: Floats = STRENGTHS
) -> Floats:
    """The chance of each label being true of each item, (n, L), by the ratings alone.

    From latent classes fitted to the ratings without any system's answers, at the dependence
    that fits best.
    """
    data = ballots([counts], weight, None)
    strengths = np.repeat(dependences[None], counts.shape[1], axis=0)
    models, reached = climb(data, starting_model(data, strengths))
    best = models.pick(np.array([int(np.argmax(reached))]))
    chances: Floats = class_chances(data, best)[data.row, :, 0]
    return chances


def right_chances(truth: Floats, answer: Ints) -> Floats:
    """The chance that the system is right on each item, (n,): `truth` (n, L) at its answer.

    An answer outside the labels is never right.
    """
    padded = np.concatenate([truth, np.zeros((len(truth), 1))], axis=1)
    right: Floats = padded[np.arange(len(truth)), np.minimum(answer, truth.shape[1])]
    return right


@frozen
class Misled:
    """The share of items on which people are misled together, seen on gold.

    On `wrong` of `sure` gold items whose ratings point clearly to a label, that label is not
    gold's; the ratings themselves would leave a share `expected` of those wrong.
    """

    share: float
    low: float
    high: float
    sure: int
    wrong: int
    expected: float


def misled_share(chances: Floats, gold: Ints, *, confidence: float = 0.95) -> Misled | None:
    """How often clear ratings are clearly wrong: the x of a span, measured.

    `chances` (n, L) of each label given the ratings of the gold items, `gold` (n,) their true
    labels. None where no item is clear. The interval is Clopper and Pearson's for the wrong
    ones, less what was expected.
    """
    top = chances.argmax(axis=1)
    best = chances[np.arange(len(top)), top]
    clear = as_good(best, SURE)
    sure = int(clear.sum())
    if sure == 0:
        return None
    wrong = int((top != gold)[clear].sum())
    expected = float((1 - best[clear]).mean())
    part = sure / len(gold)
    tail = (1 - confidence) / 2
    low = float(betaincinv(wrong, sure - wrong + 1, tail)) if wrong else 0.0
    high = float(betaincinv(wrong + 1, sure - wrong, 1 - tail)) if wrong < sure else 1.0

    def excess(share: float) -> float:
        return max(share - expected, 0.0) * part

    return Misled(excess(wrong / sure), excess(low), excess(high), sure, wrong, expected)


def _interval(found: Powered, n: int, confidence: float) -> tuple[float, float]:
    """A share's interval; with all right or all wrong, that of so many items."""
    quantile = student(confidence, found.freedom)
    if not varies(found.variance):
        return wilson(found.value, n, quantile)
    return ends(found.value, found.variance, skew=found.skew, quantile=quantile, share=True)
