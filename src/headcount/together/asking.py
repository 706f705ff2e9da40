"""Whom to ask, on bare arrays: when to stop asking about an item, and what that costs and brings.

A state is the cell of the classifier's answer and the survey y of what people said so far. Stopping
there is worth what the best decision is; asking one more costs a price λ and leads on. By dynamic
programming over all surveys of up to K answers, exactly over all orders of an item's own answers:
the share of orders not yet stopped follows f[y + e_ℓ] += f[y] ask[y] (y_ℓ + 1)/(k + 1).
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.population import every_survey, label_scores
from headcount.together.survey_tables import SurveyTables, survey_after, survey_before

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Asks = NDArray[np.bool_]

Aim = Literal["agree", "bits", "cost"]

PRICES = np.concatenate([[0.0], np.geomspace(1e-5, 0.5, 40)])
"""Prices of a label that policies are made for, from the dearest policy to the cheapest."""


@frozen(eq=False)
class Payoff:
    """What a decision is worth: that a person agrees, bits, or less what a mistake costs.

    `costs` (L, L) has a row a decision and a column what a person says.
    """

    aim: Aim = "agree"
    costs: Floats | None = None

    def scores(self, q: Floats) -> Floats:
        """The score (…, L) against each answer of the best decision by predictions q (…, L)."""
        if self.aim == "bits":
            return label_scores(q, "cross_entropy")
        if self.costs is None:
            return label_scores(q, "agreement")
        found: Floats = -self.costs[self.decision(q)]
        return found

    def decision(self, q: Floats) -> Ints:
        """The best label to decide for (…,)."""
        if self.costs is None:
            best: Ints = q.argmax(axis=-1)
            return best
        cheapest: Ints = (q @ self.costs.T).argmin(axis=-1)
        return cheapest


@frozen(eq=False)
class Asking:
    """Whether to ask one more in each state: `asks` (B, R) for k = 0..K, nowhere at K."""

    asks: tuple[Asks, ...]
    price: float

    @property
    def most(self) -> int:
        """The most answers of one item."""
        return len(self.asks) - 1

    def reached(self, n_labels: int) -> list[Floats]:
        """The share of orders of each survey that is not stopped on the way, (B, R) for each k."""
        found = [np.ones((len(self.asks[0]), 1))]
        for k in range(self.most):
            going = found[k] * self.asks[k]
            before = survey_before(k, n_labels)
            share = every_survey(k + 1, n_labels) / (k + 1)
            found.append((going[:, before] * share).sum(axis=-1))
        return found


def asking_for(predictions: Sequence[Floats], payoff: Payoff, price: float) -> Asking:
    """The best policy at a price, by predictions (B, R, L) for k = 0..K."""
    most = len(predictions) - 1
    n_labels = predictions[0].shape[-1]
    value = _stopped(predictions[most], payoff)
    asks = [np.zeros(value.shape, dtype=bool)]
    for k in range(most - 1, -1, -1):
        on = (predictions[k] * value[:, survey_after(k, n_labels)]).sum(axis=-1) - price
        stopped = _stopped(predictions[k], payoff)
        # Where one more answer changes no decision it gains rounding at most, and is not asked.
        ask = on > stopped + _NOTHING
        asks.insert(0, ask)
        value = np.where(ask, on, stopped)
    return Asking(tuple(asks), price)


_NOTHING = 1e-12


def _stopped(q: Floats, payoff: Payoff) -> Floats:
    stopped: Floats = (q * payoff.scores(q)).sum(axis=-1)
    return stopped


@frozen(eq=False)
class Outcome:
    """What a policy costs and brings on parts of items: `labels` and `scores` (Q,) on average."""

    labels: Floats
    scores: Floats


def outcome_of(
    asking: Asking, predictions: Sequence[Floats], payoff: Payoff, tables: SurveyTables
) -> Outcome:
    """On items that nothing was learned from, `tables` with one fold."""
    reached = asking.reached(tables.n_labels)
    labels, scores = np.zeros(len(tables.pattern)), np.zeros(len(tables.pattern))
    for k, (share, ask) in enumerate(zip(reached, asking.asks, strict=True)):
        if not share.any():
            break
        chances = tables.chances(k)
        labels += (chances @ (share * ask).T)[tables.pattern, tables.cell]
        stopping = (share * ~ask)[..., None] * payoff.scores(predictions[k])
        scores += tables.score_of_parts(stopping[None], k)
    return Outcome(labels, scores)


def of_everyone(predictions: Floats, payoff: Payoff, tables: SurveyTables, k: int) -> Floats:
    """The score (Q,) of asking k people about every item."""
    return tables.score_of_parts(payoff.scores(predictions)[None], k)


@frozen(eq=False)
class Learned:
    """What was learned of a classifier on a part of the items: predictions with and without it."""

    predictions: tuple[Floats, ...]
    people: tuple[Floats, ...]

    def policies(self, payoff: Payoff, most: int) -> list[Asking]:
        """Different policies of up to `most` answers an item, the dearest first."""
        found: list[Asking] = []
        for price in PRICES:
            asking = asking_for(self.predictions[: most + 1], payoff, float(price))
            if not found or any(
                (one != other).any() for one, other in zip(asking.asks, found[-1].asks, strict=True)
            ):
                found.append(asking)
        return found
