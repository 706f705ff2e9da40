"""Ways to pick the better of two classifiers, as a result."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats
from headcount.plan.contest import Contest, JointPairing, Pairing
from headcount.plan.estimation import EstimationError
from headcount.plan.labelling import Costs, Strategy
from headcount.plan.walk import (
    Step,
    cramer_failure,
    hoeffding_failure,
    items_for_budget,
    rivals_ruled_out,
)
from headcount.results import Cell, Record, Result, Table, hidden, record
from headcount.sameness import as_good

NOT_FOR = (
    "This answers which classifier is better by the share of its answers that are right. It is "
    "not the plan for estimating one classifier's accuracy or for scores of whole label "
    "distributions"
)


@record
class Offer(Record):
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

    strategy: Strategy = hidden()
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

    also = ("majority_of", "adaptive")

    @property
    def majority_of(self) -> int:
        """How many labels an item decide, at most."""
        return self.strategy.majority_of

    @property
    def adaptive(self) -> bool:
        """Whether the last label is asked for only where the others differ."""
        return self.strategy.adaptive

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form; whole numbers of labels as such."""
        out = super().to_dict()
        for name in ("labels_per_item", "labels"):
            if out[name] == int(out[name]):
                out[name] = int(out[name])
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

    pairing: Contest = hidden()
    plans: tuple[Offer, ...]
    best: Offer
    estimating: tuple[EstimationError, ...]
    budget: float | None
    target: float | None
    costs: Costs = hidden()
    rivals: int = 1
    unreachable: tuple[Strategy, ...] = hidden(default=())

    also = (
        "given",
        "item_cost",
        "label_cost",
        "why",
        "labels_where_they_differ",
        "never_there",
        "unchecked",
    )
    named: ClassVar[Mapping[str, str]] = {"never_there": "unreachable", "unchecked": "warnings"}
    unfolded = ("given",)

    def verdict(self) -> str:
        """The best plan in a sentence."""
        best, others = self.best, [offer for offer in self.plans if offer is not self.best]
        what = "the better one" if self.rivals == 1 else f"the best of {self.rivals + 1}"
        bound = "" if self.rivals == 1 else "at least "
        sentence = (
            f"Label {best.items:,} items, {labels_each(best)}: {what} comes first with probability "
            f"{bound}{chance(best.probability)} at a cost of {money(best.cost)}"
        )
        if not others:
            return sentence + "."
        second = foremost(others, by_cost=self.target is not None)
        if self.target is None:
            return (
                f"{sentence}; the next best, {second.items:,} items with {labels_each(second)}, "
                f"gives {chance(second.probability)}."
            )
        return (
            f"{sentence}; the next cheapest, {second.items:,} items with {labels_each(second)}, "
            f"costs {money(second.cost)}."
        )

    def why(self) -> str:
        """Why the best plan has so many labels an item: a theorem, biased labels or costs."""
        best = self.best
        if len(self.plans) + len(self.unreachable) == 1:
            return "It is the only way to label that was asked for."
        one = self.pairing.step(Strategy(1)).drift
        if best.strategy.majority_of == 1:
            if _theorem_holds(self):
                return (
                    "One label an item is best: with two labels, no worse where the better "
                    "classifier is right, further labels on an item buy less than further items."
                )
            return f"One label an item is best of those compared: {_compared(self)}."
        if one <= 0:
            return (
                f"Single labels favour the worse classifier, which errs as people do; votes of "
                f"{best.strategy.majority_of} outvote those errors. Of those compared: "
                f"{_compared(self)}."
            )
        dearer = self.costs.item > 0
        because = (
            f"an item costs as much as {self.costs.item / self.costs.label:g} labels"
            if (dearer and self.costs.label)
            else ("only items cost" if dearer else "labels err in the worse classifier's favour")
        )
        return f"More labels an item win because {because}; of those compared: {_compared(self)}."

    def tables(self) -> tuple[Table, ...]:
        """The plans, and the other question beside them."""
        return (_offers_table(self), *([_estimating_table(self)] if self.estimating else []))

    def assumptions(self) -> tuple[str, ...]:
        """What the plan rests on."""
        elsewhere = ": those are in the second table." if self.estimating else "."
        lines = [NOT_FOR + elsewhere, self.why(), *_about_labels(self)]
        if self.pairing.disagreement is not None:
            lines.append(
                f"The classifiers differ on {100 * self.pairing.disagreement:.3g} % of the items, "
                "and what they say is known before any label: labels on those items alone, about "
                f"{self.labels_where_they_differ:,.0f} of the {self.best.labels:,.0f}, tell as "
                "much."
            )
        lines.append("Ending level counts as a failure.")
        if self.rivals > 1:
            lines.append(
                f"All {self.rivals} rivals are at least the margin behind; the probability is a "
                "lower bound (union bound over the rivals)."
            )
        return tuple(lines)

    def unchecked(self) -> tuple[str, ...]:
        """Assumptions that fail, even votes, strategies that never get there."""
        lines = []
        if isinstance(self.pairing, Pairing):
            lines += _of_pairing(self, self.pairing)
        elif self.pairing.n_labels is not None and self.pairing.step(Strategy(1)).drift <= 0:
            lines.append(
                "A single label prefers the worse classifier on average, which errs as people do: "
                "no number of singly labelled items picks the better one."
            )
        if self.unreachable:
            names = ", ".join(strategy.name for strategy in self.unreachable)
            reason = (
                "cost more than the budget" if self.target is None else "never reach the target"
            )
            lines.append(f"Numbers of labels an item left out, because they {reason}: {names}.")
        return tuple(lines)

    def columns(self) -> dict[str, list[Any]]:
        """A row a plan."""
        rows = [plan.to_dict() for plan in self.plans]
        for row in rows:
            row |= {f"rivals_{by}": count for by, count in row.pop("rivals").items()}
        return {name: [row[name] for row in rows] for name in rows[0]}

    @property
    def given(self) -> dict[str, Any]:
        """What was given about the classifiers and their labels."""
        return self.pairing.to_dict()

    @property
    def item_cost(self) -> float:
        """What an item costs."""
        return self.costs.item

    @property
    def label_cost(self) -> float:
        """What a label costs."""
        return self.costs.label

    @property
    def never_there(self) -> tuple[str, ...]:
        """The names of ways to label that never reach the target."""
        return tuple(strategy.name for strategy in self.unreachable)

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


def foremost(offers: Sequence[Offer], *, by_cost: bool) -> Offer:
    """The cheapest or the surest offer; of equals, which votes can be, the one of fewest labels."""
    measured = [offer.cost if by_cost else offer.failure for offer in offers]
    least = min(measured)
    equals = [
        offer
        for offer, measure in zip(offers, measured, strict=True)
        if as_good(least, measure, scale=least)
    ]
    return min(equals, key=lambda offer: offer.labels)


def log_failures_of(step: Step, items: Floats) -> dict[str, Floats]:
    """Log failure of one pair over numbers of items, exact and by either bound."""
    # Below it a double has no logarithm; the exact failure is one throughout, and goes on.
    tiny = 1e-300
    return {
        "exact": np.asarray(step.ends(items).log_failure),
        "Cramér": np.log(np.maximum(cramer_failure(*step, items), tiny)),
        "Hoeffding": np.log(np.maximum(hoeffding_failure(step.drift, items), tiny)),
    }


def _theorem_holds(plan: ComparisonPlan) -> bool:
    pairing = plan.pairing
    return (
        isinstance(pairing, Pairing)
        and pairing.n_labels == 2
        and pairing.unbiased_labels()
        and all(pairing.unbiased_spread(offer.strategy.majority_of) for offer in plan.plans)
    )


def _compared(plan: ComparisonPlan) -> str:
    """What each way to label costs for the target, or reaches with the budget."""
    said = [
        f"{offer.strategy.name} "
        + (f"costs {money(offer.cost)}" if plan.target else f"gives {chance(offer.probability)}")
        for offer in plan.plans
    ]
    never = [f"{strategy.name} never gets there" for strategy in plan.unreachable if plan.target]
    return "; ".join(said + never)


def _about_labels(plan: ComparisonPlan) -> list[str]:
    pairing = plan.pairing
    if isinstance(pairing, JointPairing):
        return [
            f"With {pairing.n_labels} labels, one is right with probability "
            f"{pairing.label_accuracy:.3g} and confused as the table given says; labels of one "
            "item are independent given its truth, and equal votes share the item."
        ]
    if not isinstance(pairing, Pairing):
        return ["Items are independent, and each moves the gap with the chances given."]
    lines = []
    if pairing.labels_better == pairing.labels_worse:
        lines.append(
            f"A label is right with probability {pairing.labels_better.mean:.3g} whichever "
            "classifier is right, and labels of one item are independent given the item."
        )
    else:
        lines.append(
            f"A label is right with probability {pairing.labels_better.mean:.3g} where only the "
            f"better classifier is right and {pairing.labels_worse.mean:.3g} where only the worse "
            "is; labels of one item are independent given the item."
        )
    if pairing.n_labels > 2:
        lines.append(
            f"Wrong labels are spread evenly over the other {pairing.n_labels - 1}, and so are "
            "the classifiers' errors: give joint and label_confusion where they are not."
        )
    if pairing.labels.varies:
        lines.append(
            f"Label accuracy varies over items (standard deviation {pairing.labels.sd:.2g}): "
            "a majority vote helps less than its mean accuracy suggests."
        )
    return lines


def _of_pairing(plan: ComparisonPlan, pairing: Pairing) -> list[str]:
    lines = []
    if not pairing.unbiased_labels():
        lines.append(
            "Labels are worse where only the better classifier is right (the paper's assumption 1 "
            "fails): the labels favour the worse classifier, and more labels an item can win."
        )
    if any(not pairing.unbiased_spread(offer.strategy.majority_of) for offer in plan.plans):
        lines.append(
            "Difficulty varies more where only the worse classifier is right (the paper's "
            "assumption 2 fails): more labels an item can win."
        )
    below = pairing.labels.share_below_half()
    # Fewer than one item in two hundred changes no plan.
    if pairing.labels.varies and below > 0.005:
        lines.append(
            f"On {100 * below:.2g} % of the items a label is wrong more often than right; there "
            "a majority vote makes things worse."
        )
    if pairing.n_labels == 2:
        votes = [offer.strategy.majority_of for offer in plan.plans]
        lines.extend(
            f"{m} labels an item decide nothing that {m - 1} cannot: the last label can only make "
            f"or break a tie, so the vote is right exactly as often as with {m - 1}, "
            "for more money."
            for m in votes
            if m % 2 == 0
        )
    return lines


def chance(probability: float) -> str:
    """A probability for people: digits where they matter."""
    # From here on a per cent would say 100.0.
    if probability > 0.9995:
        return f"1 − {1 - probability:.1e}" if probability < 1 else "1 (to double precision)"
    return f"{100 * probability:.1f} %"


def money(amount: float) -> str:
    """A cost: whole where it is."""
    return f"{amount:,.0f}" if abs(amount - round(amount)) < 1e-9 else f"{amount:,.1f}"


def labels_each(offer: Offer) -> str:
    """How each item is labelled, for a sentence."""
    if offer.strategy.adaptive:
        return f"two labels each and a third where they differ ({offer.labels_per_item:.2f} each)"
    m = offer.strategy.majority_of
    return "one label each" if m == 1 else f"{m} labels each"


def _offers_table(plan: ComparisonPlan) -> Table:
    bounded = plan.target is not None
    columns = ["labels an item", "items", "labels", "cost", "probability", "tie"]
    columns += ["≤ Cramér", "≤ Hoeffding"]
    columns += ["items by Cramér", "by Hoeffding"] if bounded else []
    columns += ["best"]
    rows: list[tuple[Cell, ...]] = []
    for offer in plan.plans:
        row: list[Cell] = [
            offer.strategy.name,
            offer.items,
            round(offer.labels),
            money(offer.cost),
            f"{offer.probability:.6f}",
            f"{offer.tie:.6f}",
            f"{offer.cramer:.3g}",
            f"{offer.hoeffding:.3g}",
        ]
        row += [offer.items_cramer, offer.items_hoeffding] if bounded else []
        rows.append((*row, "←" if offer is plan.best else ""))
    return Table(
        "Picking the better classifier",
        tuple(columns),
        tuple(rows),
        caption="Cramér and Hoeffding: bounds on the chance of not picking it.",
        id="plans",
    )


def _estimating_table(plan: ComparisonPlan) -> Table:
    cost = plan.budget or plan.best.cost
    rows = tuple(
        (
            str(row.labels_per_item),
            row.items,
            row.accuracy,
            row.accuracy_uncorrected,
            row.agreement,
            row.distance,
        )
        for row in plan.estimating
    )
    return Table(
        f"The other question: how well one classifier's own scores are known for {money(cost)}",
        (
            "labels an item",
            "items",
            "accuracy, se",
            "uncorrected, rmse",
            "agreement, se",
            "distance, se",
        ),
        rows,
        caption="Accuracy corrected for known label errors; agreement: the share of people who "
        "say the same; distance: squared distance from the people's distribution. "
        + _smallest(plan),
        digits=4,
        id="estimating",
    )


def _smallest(plan: ComparisonPlan) -> str:
    """At how many labels each of the other questions is answered best."""
    names = {
        "accuracy": "accuracy",
        "accuracy_uncorrected": "uncorrected accuracy",
        "agreement": "agreement",
        "distance": "distance",
    }
    found = []
    for question, name in names.items():
        known = [(getattr(row, question), row.labels_per_item) for row in plan.estimating]
        errors = [(error, labels) for error, labels in known if error is not None]
        if errors:
            found.append(f"{name} with {min(errors)[1]}")
    return f"Smallest error: {', '.join(found)} labels an item."
