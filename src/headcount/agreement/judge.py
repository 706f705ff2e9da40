"""A classifier among people: does it agree with a person as two people agree with each other?"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.agreement.weighted import pair_credit
from headcount.frozen import frozen

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOTHING_TO_COMPARE = "no item has two ratings and an answer, so there is nothing to compare"


@frozen(eq=False)
class JudgeAmongPeople:
    """Means over items, for every draw (B,): the classifier with a person, two people with each
    other, and the first less the second. NaN where no item could be compared.
    """

    classifier: Floats
    people: Floats

    @property
    def difference(self) -> Floats:
        """How much better the classifier agrees with a person than another person does."""
        return np.asarray(self.classifier - self.people)


def judge_among_people(
    counts: Ints, answers: ArrayLike, times: NDArray[np.integer], weights: Floats
) -> JudgeAmongPeople:
    """Compare on the same items, those with two ratings and an answer.

    Parameters
    ----------
    counts
        (G, L) label counts of each group of items.
    answers
        (G,) the classifier's label; −1 where it gave none (the group takes no part). Or (G, L)
        its chances of each label, for agreement in expectation.
    times
        (B, G) how often each group is drawn; the data themselves are one row of group sizes.
    weights
        (L, L) what two answers are worth together, identity for "the same".

    Notes
    -----
    On an item with counts c of n ratings and answer a, Σ_ℓ w_aℓ c_ℓ/n is what the classifier
    shares with a rater drawn at random, Σ_k c_k(Σ_ℓ w_kℓ c_ℓ − 1)/(n(n − 1)) what two raters
    share. Items count the same, so the difference is paired item by item.

    Examples
    --------
    >>> counts = np.array([[3, 0], [2, 1], [0, 3]])
    >>> found = judge_among_people(counts, [0, 0, 1], np.array([[10, 10, 10]]), np.eye(2))
    >>> found.classifier.round(3), found.people.round(3)
    (array([0.889]), array([0.778]))
    """
    given = np.asarray(answers)
    c = counts.astype(np.float64)
    n = c.sum(axis=1)
    if given.ndim == 1:
        chances = np.eye(counts.shape[1])[np.maximum(given, 0).astype(np.int64)]
        answered = given >= 0
    else:
        chances = given.astype(np.float64)
        answered = ~np.isnan(chances).any(axis=1)
    both = answered & (n > 1)
    with_person = ((chances @ weights) * c).sum(axis=1) / np.maximum(n, 1)
    drawn = times[:, both].astype(np.float64)
    total = drawn.sum(axis=1)
    size = np.where(total > 0, total, np.nan)
    return JudgeAmongPeople(
        classifier=np.asarray(drawn @ with_person[both] / size),
        people=np.asarray(drawn @ pair_credit(counts, weights)[both] / size),
    )
