"""To pick the better of two classifiers: how many items, and how many labels each?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.budget import checks
from headcount.budget.estimation import EstimationError, estimation_error
from headcount.budget.label_accuracy import LabelAccuracy
from headcount.budget.offers import Offer, failure_curves, make_offer, rival_curves, unit_cost
from headcount.budget.pairing import Pairing, Strategy
from headcount.budget.search import items_for_budget, items_for_failure
from headcount.budget.wording import assumption_lines, caution_lines, plan_tables, plan_verdict
from headcount.errors import OptionError
from headcount.results import Result, Table

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ComparisonPlan(Result):
    """Ways to spend the next labels on picking the better of two classifiers, and the best.

    `plans` holds an offer for each labelling strategy, `best` the one that reaches the highest
    probability (given a `budget`) or costs least (given a `target`). `estimating` answers the
    other question at the same cost: how well one classifier's own scores would be known.
    """

    pairing: Pairing
    plans: tuple[Offer, ...]
    best: Offer
    estimating: tuple[EstimationError, ...]
    budget: float | None
    target: float | None
    item_cost: float
    label_cost: float
    rivals: int = 1
    unreachable: tuple[Strategy, ...] = ()

    def verdict(self) -> str:
        """The best plan in a sentence."""
        return plan_verdict(self)

    def tables(self) -> tuple[Table, ...]:
        """The plans, and the other question beside them."""
        return plan_tables(self)

    def assumptions(self) -> tuple[str, ...]:
        """What the plan rests on."""
        return assumption_lines(self)

    def unchecked(self) -> tuple[str, ...]:
        """Cautions: assumptions that fail, even votes, strategies that never get there."""
        return caution_lines(self)

    def columns(self) -> dict[str, list[Any]]:
        """A row a plan."""
        rows = [plan.to_dict() for plan in self.plans]
        for row in rows:
            row |= {f"rivals_{by}": count for by, count in row.pop("rivals").items()}
        return {name: [row[name] for row in rows] for name in rows[0]}

    def to_dict(self) -> dict[str, Any]:
        """The inputs, `plans`, `best`, and `estimating`: the other question's standard errors."""
        pairing = self.pairing
        return {
            "accuracy": pairing.better,
            "margin": pairing.gap,
            "only_better_right": pairing.only_better,
            "only_worse_right": pairing.only_worse,
            "disagreement": pairing.disagreement,
            "label_accuracy": pairing.labels.to_dict(),
            "label_accuracy_if_better": pairing.labels_better.to_dict(),
            "label_accuracy_if_worse": pairing.labels_worse.to_dict(),
            "categories": pairing.categories,
            "budget": self.budget,
            "target": self.target,
            "item_cost": self.item_cost,
            "label_cost": self.label_cost,
            "rivals": self.rivals,
            "plans": [plan.to_dict() for plan in self.plans],
            "best": self.best.to_dict(),
            "unreachable": [strategy.name for strategy in self.unreachable],
            "estimating": [row.to_dict() for row in self.estimating],
            "warnings": list(self.unchecked()),
        }

    def probabilities(self, budgets: Floats) -> dict[Strategy, Floats]:
        """The probability of picking the better one for other budgets, for each strategy."""
        out = {}
        for strategy in self._strategies():
            step = self.pairing.step(strategy)
            cost = unit_cost(self.pairing, strategy, self.item_cost, self.label_cost)
            items = [items_for_budget([step], np.array([cost]), float(b))[0] for b in budgets]
            log_failure = failure_curves(self.pairing, strategy, np.array(items))["exact"]
            out[strategy] = np.maximum(0.0, 1.0 - self.rivals * np.exp(log_failure))
        return out

    def log_failures(self, strategy: Strategy, items: Floats) -> dict[str, Floats]:
        """Log failure of one pair over numbers of items: "exact", "Cramér", "Hoeffding"."""
        return failure_curves(self.pairing, strategy, items)

    def rivals_ranked(
        self, strategy: Strategy, budgets: Floats, tolerance: float = 0.05
    ) -> dict[str, Floats]:
        """Rivals that each budget rules out with this tolerance: exact and by either bound."""
        cost = unit_cost(self.pairing, strategy, self.item_cost, self.label_cost)
        items = np.maximum(np.floor(np.asarray(budgets) / cost * (1 + 1e-12)), 1)
        return rival_curves(self.pairing, strategy, items, tolerance)

    def _strategies(self) -> tuple[Strategy, ...]:
        return tuple(plan.strategy for plan in self.plans)


def plan_comparison(
    *,
    accuracy: float | None = None,
    margin: float | None = None,
    label_accuracy: float | LabelAccuracy | None = None,
    label_spread: float = 0.0,
    disagreement: float | None = None,
    worse_accuracy: float | None = None,
    better_if_worse_wrong: float | None = None,
    better_if_worse_right: float | None = None,
    label_accuracy_if_better: float | LabelAccuracy | None = None,
    label_accuracy_if_worse: float | LabelAccuracy | None = None,
    budget: float | None = None,
    target: float | None = None,
    labels_per_item: int | Sequence[int] | None = None,
    adaptive: bool | None = None,
    item_cost: float = 0.0,
    label_cost: float = 1.0,
    rivals: int = 1,
) -> ComparisonPlan:
    """Plan the labels for picking the better of two classifiers by their share of right answers.

    Either `accuracy` of the better one and the `margin` between them (independent errors, or
    with `disagreement`, the share of items on which they differ), or the correlated form:
    `worse_accuracy`, and the better one's accuracy where the worse is wrong and where it is
    right. `label_accuracy` is the chance that one label is right, or a `LabelAccuracy`
    distribution over items; `label_spread` makes it a Beta distribution with that standard
    deviation. `label_accuracy_if_better` and `_if_worse` are the accuracies on items that only
    the better, or only the worse, classifier gets right.

    Give a `budget` to get the highest probability, or a `target` probability to get the lowest
    cost. `labels_per_item` restricts the plans (default: 1, 3, 5, 7, 9 and the adaptive "a third
    label where two differ"). With several `rivals`, each at least the margin behind, the
    probability that the best comes first is a lower bound.

    >>> plan = plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.8, budget=300)
    >>> round(plan.best.probability, 6), plan.best.items
    (0.796984, 300)
    """
    pairing = _pairing(
        accuracy,
        margin,
        label_accuracy,
        label_spread,
        disagreement,
        (worse_accuracy, better_if_worse_wrong, better_if_worse_right),
        label_accuracy_if_better,
        label_accuracy_if_worse,
    )
    return plan_for_pairing(
        pairing,
        budget=budget,
        target=target,
        labels_per_item=labels_per_item,
        adaptive=adaptive,
        item_cost=item_cost,
        label_cost=label_cost,
        rivals=rivals,
    )


def plan_for_pairing(
    pairing: Pairing,
    *,
    budget: float | None = None,
    target: float | None = None,
    labels_per_item: int | Sequence[int] | None = None,
    adaptive: bool | None = None,
    item_cost: float = 0.0,
    label_cost: float = 1.0,
    rivals: int = 1,
) -> ComparisonPlan:
    """The plan for two classifiers whose joint behaviour is already known."""
    budget, target = checks.aim(budget, target)
    item_cost, label_cost = checks.costs(item_cost, label_cost)
    rivals = checks.rival_count(rivals)
    strategies = checks.strategies(labels_per_item, adaptive)
    steps = [pairing.step(strategy) for strategy in strategies]
    unit_costs = np.array([unit_cost(pairing, s, item_cost, label_cost) for s in strategies])
    if target is None:
        assert budget is not None
        items = items_for_budget(steps, unit_costs, budget)
    else:
        items = items_for_failure(steps, (1 - target) / rivals)
    possible = [(s, int(n)) for s, n in zip(strategies, items, strict=True) if 1 <= n < np.inf]
    if not possible:
        raise OptionError(_nothing_possible(budget, float(unit_costs.min())))
    offers = tuple(
        make_offer(
            pairing,
            strategy,
            n,
            item_cost=item_cost,
            label_cost=label_cost,
            rivals=rivals,
            tolerance=None if target is None else 1 - target,
        )
        for strategy, n in possible
    )
    best = min(offers, key=lambda o: (o.cost, o.labels) if target else (o.failure, o.labels))
    return ComparisonPlan(
        pairing=pairing,
        plans=offers,
        best=best,
        estimating=_estimating(pairing, strategies, budget or best.cost, item_cost, label_cost),
        budget=budget,
        target=target,
        item_cost=item_cost,
        label_cost=label_cost,
        rivals=rivals,
        unreachable=tuple(set_ for set_ in strategies if set_ not in dict(possible)),
    )


def _pairing(
    accuracy: float | None,
    margin: float | None,
    label_accuracy: float | LabelAccuracy | None,
    label_spread: float,
    disagreement: float | None,
    correlated: tuple[float | None, float | None, float | None],
    if_better: float | LabelAccuracy | None,
    if_worse: float | LabelAccuracy | None,
) -> Pairing:
    given = [value is not None for value in correlated]
    if any(given) and (accuracy is not None or margin is not None or disagreement is not None):
        raise OptionError(
            "give accuracy and margin, or worse_accuracy with better_if_worse_wrong and "
            "better_if_worse_right, not both."
        )
    if any(given) and not all(given):
        raise OptionError(
            "the correlated form needs worse_accuracy, better_if_worse_wrong and "
            "better_if_worse_right, all three."
        )
    if not any(given) and (accuracy is None or margin is None):
        raise OptionError(
            "give accuracy (of the better classifier) and margin (how much better it is)."
        )
    if label_accuracy is None and (if_better is None or if_worse is None):
        raise OptionError("give label_accuracy, the chance that a single label is right.")
    labels = (
        None
        if label_accuracy is None
        else checks.label_accuracy("label_accuracy", label_accuracy, label_spread)
    )
    better, worse = (
        labels if value is None else checks.label_accuracy(name, value, label_spread)
        for name, value in (
            ("label_accuracy_if_better", if_better),
            ("label_accuracy_if_worse", if_worse),
        )
    )
    assert better is not None
    assert worse is not None
    if all(given):
        return checks.correlated(*correlated, labels, better, worse)
    if disagreement is None and labels is not None and better is worse is labels:
        return checks.independent(accuracy, margin, labels)
    assert accuracy is not None
    assert margin is not None
    apart = accuracy + (accuracy - margin) - 2 * accuracy * (accuracy - margin)
    return checks.disagreeing(
        accuracy,
        margin,
        apart if disagreement is None else disagreement,
        labels,
        better,
        worse,
    )


def _estimating(
    pairing: Pairing,
    strategies: tuple[Strategy, ...],
    money: float,
    item_cost: float,
    label_cost: float,
) -> tuple[EstimationError, ...]:
    """The other question at the same cost, for each fixed number of labels that fits."""
    rows = []
    for strategy in strategies:
        items = int(money / (item_cost + label_cost * strategy.majority_of) * (1 + 1e-12))
        if not strategy.adaptive and items >= 1:
            rows.append(
                estimation_error(
                    pairing.better, pairing.labels, strategy, items, pairing.categories
                )
            )
    return tuple(rows)


def _nothing_possible(budget: float | None, cheapest: float) -> str:
    if budget is not None:
        return (
            f"budget {budget:g} does not pay for one item, which costs {cheapest:g} with its "
            "labels: raise the budget."
        )
    return (
        "no number of items reaches the target: with these label accuracies the worse classifier "
        "looks better on average (label_accuracy_if_worse is too far above "
        "label_accuracy_if_better)."
    )
