"""Labels an item against what they bring: people alone, alike or in turn, and with a classifier."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.results import Record, record
from headcount.together.asking import Asking, Learned, Payoff, outcome_of
from headcount.together.promise import Asker

Floats = NDArray[np.float64]

PEOPLE, IN_TURN, ALIKE, THRESHOLD, POLICY = WAYS = (
    "people alone",
    "people alone, as many as needed",
    "all items alike, with it",
    "one threshold on its confidence",
    "the policy",
)
"""The ways to spend labels that are compared."""


@record
class FrontierPoint(Record):
    """One way to spend so many `labels` an item, and the share who `agree` with what comes out."""

    way: str
    labels: float
    agree: float


def frontier(asker: Asker, payoff: Payoff, most: int) -> tuple[FrontierPoint, ...]:
    """Every way on the items that nothing was learned from, up to `most` labels an item."""
    weight = asker.judging.size / asker.judging.size.sum()
    learned = asker.learned
    n_cells = len(learned.predictions[0])
    found = [_point(PEOPLE, k, weight @ asker.everyone(payoff, k)) for k in range(most + 1)]
    alone = Learned(learned.people, learned.people)
    for way, of, cells in ((IN_TURN, alone, False), (POLICY, learned, True)):
        tables = asker.judging.tables(cells=cells)
        for asking in of.policies(payoff, most):
            got = outcome_of(asking, of.predictions, payoff, tables)
            found.append(_point(way, weight @ got.labels, weight @ got.scores))
    for k in range(most + 1):
        got = asker.outcome(_alike(learned, k, np.ones(n_cells, dtype=bool)), payoff)
        found.append(_point(ALIKE, weight @ got.labels, weight @ got.scores))
    return (*found, *_thresholds(asker, payoff, most, weight))


def _thresholds(asker: Asker, payoff: Payoff, most: int, weight: Floats) -> list[FrontierPoint]:
    """Ask k people where the classifier is less sure than a threshold, nobody elsewhere."""
    learned = asker.learned
    q = learned.predictions[0][:, 0]
    order = np.argsort((q * payoff.scores(q)).sum(axis=1), kind="stable")
    found = []
    for k in range(1, most + 1):
        for unsure in range(len(order) + 1):
            asked = np.zeros(len(order), dtype=bool)
            asked[order[:unsure]] = True
            got = asker.outcome(_alike(learned, k, asked), payoff)
            found.append(_point(THRESHOLD, weight @ got.labels, weight @ got.scores))
    return _best(found)


def _best(points: list[FrontierPoint]) -> list[FrontierPoint]:
    """Those that no cheaper one is as good as."""
    found: list[FrontierPoint] = []
    for each in sorted(points, key=lambda point: (point.labels, -point.agree)):
        if not found or each.agree > found[-1].agree:
            found.append(each)
    return found


def _alike(learned: Learned, k: int, asked: NDArray[np.bool_]) -> Asking:
    """Ask k people about every item of the cells that are `asked` (B,)."""
    asks = [np.repeat(asked[:, None], q.shape[1], axis=1) for q in learned.predictions[:k]]
    last = np.zeros(learned.predictions[k].shape[:2], dtype=bool)
    return Asking((*asks, last), 0.0)


def _point(way: str, labels: Any, agree: Any) -> FrontierPoint:
    return FrontierPoint(way, float(labels), float(agree))
