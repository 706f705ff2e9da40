"""Assumptions judged by how far the answer moves when they are given up.

Each is a nested model of the ratings and one system's answers: fitted with and without the
assumption, twice the difference of the log-likelihoods is a χ². A large sample rejects any
assumption, so rejection alone is not called a violation: the accuracy must also move by a
share of what its interval leaves open anyway.
"""

import math
from dataclasses import replace

import numpy as np
from scipy.special import chdtrc, ndtri

from headcount.accuracy.ascent import Held
from headcount.accuracy.ballots import Ballots, Floats, Ints, ballots, thinned
from headcount.accuracy.profile import swept
from headcount.accuracy.shared_errors import Model, climb, starting_model
from headcount.frozen import frozen

EVEN, INDEPENDENT, EQUAL = (
    "errors spread evenly",
    "raters err independently",
    "raters equally good",
)
"""The assumptions, by name."""

DOUBT = 0.01
"""A difference as large comes up in fewer than this share of data sets where all is as assumed."""

MOVES = 0.25
"""Share of the interval's half-width by which the answer must move: a bias of a quarter of it
(half a standard error) brings an interval of 95 % down to 92 %, one of half of it to 83 %."""


@frozen
class Assumption:
    """A likelihood-ratio test and what it does to the answer.

    `held` and `freed` are the accuracy with and without the assumption; `moved` is their
    distance over the interval's half-width.
    """

    name: str
    statistic: float
    freedom: int
    p_value: float
    held: float
    freed: float
    moved: float

    @property
    def rejected(self) -> bool:
        """Whether the data speak against it."""
        return self.p_value < DOUBT

    @property
    def violated(self) -> bool:
        """Whether they do and it matters to the answer."""
        return self.rejected and self.moved >= MOVES


def even_errors(
    data: Ballots,
    free: Model,
    reached: float,
    half_width: float,
    weight: Floats | None = None,
) -> Assumption:
    """Are raters right with one chance whatever the truth, and wrong labels all alike?

    With two labels this is sensitivity equal to specificity: one degree of freedom, which
    three ratings an item are enough to test. `free` is the fitted model with free error rates
    and `reached` its log-likelihood; `weight` (D,) are the items behind each row, the ballots'
    own where None.
    """
    n = data.n_labels
    start = starting_model(data, np.zeros((n, 1)), weight)
    load = None if weight is None else weight[None]
    even, below = climb(data, start, held=Held(even=True, weight=load))
    held, freed = float(even.accuracy()[0]), float(free.accuracy()[0])
    gain, freedom = reached - float(below[0]), n * (n - 1) - 1
    return judged(EVEN, gain, freedom, held, freed, half_width)


def rater_assumptions(counts: Ints, size: Floats, *, seed: int = 0) -> tuple[Assumption, ...]:
    """Even and independent errors judged by the ratings alone: the answer is how often they are
    right, and what is open of it anyway what so many items leave open.

    `counts` (G, L) are patterns of ratings, `size` (G,) the items that have each.
    """
    n = counts.shape[1]
    size = thinned(counts, None, size, seed=seed)
    data = ballots([counts[size > 0]], size[size > 0], None)
    models, reached = climb(data, starting_model(data, swept(n)))
    even, below = climb(data, starting_model(data, np.zeros((n, 1))), held=Held(even=True))
    sound = models.recognised() | ~models.recognised()[0]
    best = int(np.argmax(np.where(sound, reached, -np.inf)))
    right = _rater_accuracy(models)
    free = float(right[0])
    half = float(ndtri(0.975)) * math.sqrt(max(free * (1 - free), 1e-6) / data.n_items)
    gain = float(reached[0] - below[0])
    return (
        judged(EVEN, gain, n * (n - 1) - 1, float(_rater_accuracy(even)[0]), free, half),
        independent_errors(float(reached[best] - reached[0]), free, float(right[best]), half),
    )


def _rater_accuracy(model: Model) -> Floats:
    """How often a rating is right, (S,), in models of ratings without a system."""
    n = model.joint.shape[0]
    own = model.chances[np.arange(n), np.arange(n)]
    right: Floats = (model.joint.sum(axis=1) * own).sum(axis=0)
    return right


def judged(
    name: str, gain: float, freedom: int, held: float, freed: float, half_width: float
) -> Assumption:
    """The test from the `gain` in log-likelihood that `freedom` more numbers bring."""
    statistic = 2 * max(float(gain), 0.0)
    return Assumption(
        name=name,
        statistic=statistic,
        freedom=freedom,
        p_value=float(chdtrc(freedom, statistic)),
        held=held,
        freed=freed,
        moved=abs(held - freed) / max(half_width, 1e-12),
    )


def independent_errors(gain: float, held: float, freed: float, half_width: float) -> Assumption:
    """Do raters err independently given the truth?

    Independence is the end of a scale (a correlation cannot be told to be below nothing), so
    half of the chance lies on no gain at all and the p-value is half of the χ²'s.
    """
    test = judged(INDEPENDENT, gain, 1, held, freed, half_width)
    return replace(test, p_value=test.p_value / 2 if gain > 0 else 1.0)
