"""Ways to pick the better of two classifiers, as a result."""

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.frozen import frozen
from headcount.plan import comparison_words as words
from headcount.plan.costs import Costs
from headcount.plan.estimation import EstimationError
from headcount.plan.pairing import Contest
from headcount.plan.step import Step, Strategy, items_for_budget
from headcount.plan.walk import (
    cramer_failure,
    hoeffding_failure,
    rivals_ruled_out,
)
from headcount.results import Result, Table, record

Floats = NDArray[np.float64]
Labels = int | str
StepLike = Step | tuple[float, float]


@frozen
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
    `rate` is Cramér's rate for a unit of money: how much certainty it buys in the long run.
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
    rate: float
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


@record
class ComparisonPlan(Result):
    """Ways to spend the next labels on picking the better of two classifiers, and the best.

    Attributes
    ----------
    pairing : Contest
        The two classifiers and their labels as given.
    plans : tuple of Offer
        An offer for each way to label: `items`, `labels`, `cost`, `probability`, `tie`.
    best : Offer
        The one that reaches the highest probability (given a budget) or costs least (given a
        target).
    estimating : tuple of EstimationError
        The other question at the same cost: how well one classifier's own scores would be known.
    budget, target : float or None
        What may be spent, or the probability to reach.
    costs : Costs
        What a label and an item cost.
    rivals : int
        How many others the best one is to be told from.
    unreachable : tuple of Strategy
        Ways to label that never reach the target.

    Examples
    --------
    >>> import headcount as hc
    >>> plan = hc.plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.8, budget=300)
    >>> [(offer.strategy.name, offer.items) for offer in plan.plans[:3]]
    [('1', 300), ('2, a 3rd on a tie', 129), ('3', 100)]
    """

    pairing: Contest
    plans: tuple[Offer, ...]
    best: Offer
    estimating: tuple[EstimationError, ...]
    budget: float | None
    target: float | None
    costs: Costs
    rivals: int = 1
    unreachable: tuple[Strategy, ...] = ()

    def verdict(self) -> str:
        """The best plan in a sentence, and why it is the best."""
        return words.verdict(self)

    def why(self) -> str:
        """Why so many labels an item and not another number."""
        return words.why(self)

    def tables(self) -> tuple[Table, ...]:
        """The plans, and the other question beside them."""
        return words.tables(self)

    def assumptions(self) -> tuple[str, ...]:
        """What the plan rests on."""
        return words.assumptions(self)

    def unchecked(self) -> tuple[str, ...]:
        """Cautions: assumptions that fail, even votes, strategies that never get there."""
        return words.cautions(self)

    def columns(self) -> dict[str, list[Any]]:
        """A row a plan."""
        rows = [plan.to_dict() for plan in self.plans]
        for row in rows:
            row |= {f"rivals_{by}": count for by, count in row.pop("rivals").items()}
        return {name: [row[name] for row in rows] for name in rows[0]}

    def to_dict(self) -> dict[str, Any]:
        """The inputs, `plans`, `best`, and `estimating`: the other question's standard errors."""
        return {
            **self.pairing.to_dict(),
            "budget": self.budget,
            "target": self.target,
            "item_cost": self.costs.item,
            "label_cost": self.costs.label,
            "rivals": self.rivals,
            "plans": [plan.to_dict() for plan in self.plans],
            "best": self.best.to_dict(),
            "why": self.why(),
            "labels_where_they_differ": self.labels_where_they_differ,
            "unreachable": [strategy.name for strategy in self.unreachable],
            "estimating": [row.to_dict() for row in self.estimating],
            "warnings": list(self.unchecked()),
        }

    @property
    def labels_where_they_differ(self) -> float | None:
        """Labels of the best plan that can matter: what both say is known before any label."""
        apart = self.pairing.disagreement
        return None if apart is None else self.best.labels * apart

    def probabilities(self, budgets: Floats) -> dict[Strategy, Floats]:
        """The probability of picking the better one for other budgets, for each way to label.

        Parameters
        ----------
        budgets : ndarray
            (B,) amounts to spend.

        Returns
        -------
        dict of Strategy to ndarray
            (B,) probabilities.

        Examples
        --------
        >>> import headcount as hc
        >>> plan = hc.plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.8, budget=300)
        >>> plan.probabilities(np.array([300, 3000]))[plan.best.strategy].round(3).tolist()
        [0.797, 0.997]
        """
        out = {}
        for strategy in (plan.strategy for plan in self.plans):
            steps = [self.pairing.step(strategy)] * len(budgets)
            units = np.full(len(budgets), self._unit(strategy))
            items = items_for_budget(steps, units, budgets)
            failure = np.exp(self.log_failures(strategy, items)["exact"])
            out[strategy] = np.maximum(0.0, 1.0 - self.rivals * failure)
        return out

    def losses(self, budgets: Floats) -> dict[Strategy, Floats]:
        """What choosing is expected to lose for other budgets, for each way to label.

        Parameters
        ----------
        budgets : ndarray
            (B,) amounts to spend.

        Returns
        -------
        dict of Strategy to ndarray
            (B,) losses, as shares of right answers.

        Notes
        -----
        The margin times the chance that another one is chosen; ending level counts as that. With
        several rivals an upper bound, if each is just the margin behind.

        Examples
        --------
        >>> import headcount as hc
        >>> plan = hc.plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.8, budget=300)
        >>> plan.losses(np.array([300, 3000]))[plan.best.strategy].round(4).tolist()
        [0.0102, 0.0001]
        """
        found = self.probabilities(budgets)
        return {strategy: self.pairing.gap * (1 - each) for strategy, each in found.items()}

    def log_failures(self, strategy: Strategy, items: Floats) -> dict[str, Floats]:
        """Log failure of one pair over numbers of items.

        Parameters
        ----------
        strategy : Strategy
            How each item is labelled.
        items : ndarray
            (B,) numbers of items.

        Returns
        -------
        dict of str to ndarray
            (B,) natural logarithms: "exact", "Cramér", "Hoeffding".

        Examples
        --------
        >>> import headcount as hc
        >>> plan = hc.plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.8, budget=300)
        >>> log = plan.log_failures(plan.best.strategy, np.array([300]))["exact"]
        >>> round(1 - float(np.exp(log[0])), 3)
        0.797
        """
        return log_failures_of(self.pairing.step(strategy), items)

    def rivals_ranked(
        self, strategy: Strategy, budgets: ArrayLike, tolerance: float = 0.05
    ) -> dict[str, Floats]:
        """Rivals that each budget rules out with this tolerance: exact and by either bound.

        Parameters
        ----------
        strategy : Strategy
            How each item is labelled.
        budgets : array_like
            (B,) amounts to spend.
        tolerance : float
            The chance that is allowed of any rival coming out ahead.

        Returns
        -------
        dict of str to ndarray
            (B,) numbers of rivals, each at least the margin behind.

        Examples
        --------
        >>> import headcount as hc
        >>> plan = hc.plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.8, budget=300)
        >>> plan.rivals_ranked(plan.best.strategy, [3000])["exact"].tolist()
        [17.0]
        """
        affordable = np.floor(np.asarray(budgets) / self._unit(strategy) * (1 + 1e-12))
        curves = self.log_failures(strategy, np.maximum(affordable, 1))
        return {name: rivals_ruled_out(curve, tolerance) for name, curve in curves.items()}

    def _unit(self, strategy: Strategy) -> float:
        return self.costs.of(self.pairing.labels_each(strategy))


def log_failures_of(step: Step, items: Floats) -> dict[str, Floats]:
    """Log failure of one pair over numbers of items, exact and by either bound."""
    tiny = 1e-300
    return {
        "exact": np.asarray(step.ends(items).log_failure),
        "Cramér": np.log(np.maximum(cramer_failure(*step, items), tiny)),
        "Hoeffding": np.log(np.maximum(hoeffding_failure(step.drift, items), tiny)),
    }
