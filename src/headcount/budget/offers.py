"""One way to spend the money, with everything that is known about it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.budget.bounds import (
    cramer_failure,
    cramer_items,
    hoeffding_failure,
    hoeffding_items,
    rivals_ruled_out,
)
from headcount.budget.pairing import Pairing, Strategy

Floats = NDArray[np.float64]

TOLERANCE = 0.05
"""The chance of a wrong winner that is allowed where no target says another."""


@dataclass(frozen=True)
class Offer:
    """A number of items and how each is labelled.

    `labels_per_item`, `labels` and `cost` are expectations for the adaptive strategy.
    `probability` that the best classifier comes first (a lower bound by the union bound with
    more than one rival), `tie` that the two compared end level (counted as a failure),
    `failure` one pair's exact chance of not picking the better one, `cramer` and `hoeffding`
    the bounds on 1 − probability. `items_cramer` and `items_hoeffding` are the items those
    bounds would ask for to reach the target, None without one or where they never do.
    `rivals` says how many rivals, each at least the margin behind, can be ruled out at once
    with the tolerance of the target (5 % without one): by "exact", "cramer", "hoeffding".
    """

    strategy: Strategy
    items: int
    labels_per_item: float
    labels: float
    cost: float
    probability: float
    tie: float
    failure: float
    cramer: float
    hoeffding: float
    items_cramer: int | None = None
    items_hoeffding: int | None = None
    rivals: dict[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form; whole numbers of labels as such."""
        out = {name: value for name, value in vars(self).items() if name != "strategy"}
        for name in ("labels_per_item", "labels"):
            if out[name] == int(out[name]):
                out[name] = int(out[name])
        out["rivals"] = dict(self.rivals)
        out["majority_of"] = self.strategy.majority_of
        out["adaptive"] = self.strategy.adaptive
        return out


def unit_cost(pairing: Pairing, strategy: Strategy, item_cost: float, label_cost: float) -> float:
    """The expected cost of one item with its labels."""
    labels = strategy.labels_per_item(pairing.labels, pairing.categories)
    return item_cost + label_cost * labels


def make_offer(
    pairing: Pairing,
    strategy: Strategy,
    items: int,
    *,
    item_cost: float,
    label_cost: float,
    rivals: int = 1,
    tolerance: float | None = None,
) -> Offer:
    """Everything about one number of items and one strategy."""
    step = pairing.step(strategy)
    ends = step.ends(items)
    per_item = strategy.labels_per_item(pairing.labels, pairing.categories)
    at_most = None if tolerance is None else tolerance / rivals
    ranked = rival_curves(pairing, strategy, np.array([float(items)]), tolerance or TOLERANCE)
    return Offer(
        strategy=strategy,
        items=items,
        labels_per_item=per_item,
        labels=items * per_item,
        cost=items * unit_cost(pairing, strategy, item_cost, label_cost),
        probability=max(0.0, 1.0 - rivals * float(ends.failure)) if rivals > 1 else float(ends.win),
        tie=float(ends.tie),
        failure=float(ends.failure),
        cramer=min(1.0, rivals * float(cramer_failure(*step, items))),
        hoeffding=min(1.0, rivals * float(hoeffding_failure(step.drift, items))),
        items_cramer=None if at_most is None else _whole(cramer_items(*step, at_most)),
        items_hoeffding=None if at_most is None else _whole(hoeffding_items(step.drift, at_most)),
        rivals={
            key: float(ranked[name][0])
            for key, name in (("exact", "exact"), ("cramer", "Cramér"), ("hoeffding", "Hoeffding"))
        },
    )


def failure_curves(pairing: Pairing, strategy: Strategy, items: Floats) -> dict[str, Floats]:
    """Log failure of one pair over numbers of items: exact, and by either bound."""
    step = pairing.step(strategy)
    tiny = 1e-300
    return {
        "exact": np.asarray(step.ends(items).log_failure),
        "Cramér": np.log(np.maximum(cramer_failure(*step, items), tiny)),
        "Hoeffding": np.log(np.maximum(hoeffding_failure(step.drift, items), tiny)),
    }


def rival_curves(
    pairing: Pairing, strategy: Strategy, items: Floats, tolerance: float
) -> dict[str, Floats]:
    """Rivals that can be ruled out over numbers of items: exact, and by either bound."""
    curves = failure_curves(pairing, strategy, items)
    return {name: rivals_ruled_out(curve, tolerance) for name, curve in curves.items()}


def _whole(items: Floats) -> int | None:
    return int(items) if np.isfinite(items) else None
