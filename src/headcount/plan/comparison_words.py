"""What a plan for a comparison says in words and tables."""

from typing import TYPE_CHECKING

from headcount.plan.confusion import JointPairing
from headcount.plan.pairing import Pairing
from headcount.plan.step import Strategy
from headcount.results import Cell, Table

if TYPE_CHECKING:
    from headcount.plan.comparison_result import ComparisonPlan, Offer

NOT_FOR = (
    "This answers which classifier is better by the share of its answers that are right. It is "
    "not the plan for estimating one classifier's accuracy or for scores of whole label "
    "distributions"
)


def verdict(plan: "ComparisonPlan") -> str:
    """The best plan in a sentence."""
    best, others = plan.best, [offer for offer in plan.plans if offer is not plan.best]
    what = "the better one" if plan.rivals == 1 else f"the best of {plan.rivals + 1}"
    bound = "" if plan.rivals == 1 else "at least "
    sentence = (
        f"Label {best.items:,} items, {labels_each(best)}: {what} comes first with probability "
        f"{bound}{chance(best.probability)} at a cost of {money(best.cost)}"
    )
    if not others:
        return sentence + "."
    if plan.target is None:
        second = min(others, key=lambda offer: offer.failure)
        return (
            f"{sentence}; the next best, {second.items:,} items with {labels_each(second)}, "
            f"gives {chance(second.probability)}."
        )
    second = min(others, key=lambda offer: offer.cost)
    return (
        f"{sentence}; the next cheapest, {second.items:,} items with {labels_each(second)}, "
        f"costs {money(second.cost)}."
    )


def tables(plan: "ComparisonPlan") -> tuple[Table, ...]:
    """The plans, and the other question beside them."""
    return (_offers_table(plan), *([_estimating_table(plan)] if plan.estimating else []))


def why(plan: "ComparisonPlan") -> str:
    """Why the best plan has so many labels an item: a theorem, biased labels, costs, or numbers."""
    best = plan.best
    if len(plan.plans) + len(plan.unreachable) == 1:
        return "It is the only way to label that was asked for."
    one = plan.pairing.step(Strategy(1)).drift
    if best.strategy.majority_of == 1:
        if _theorem_holds(plan):
            return (
                "One label an item is best: with two labels, no worse where the better classifier "
                "is right, further labels on an item buy less than further items."
            )
        return f"One label an item is best of those compared: {_compared(plan)}."
    if one <= 0:
        return (
            f"Single labels favour the worse classifier, which errs as people do; votes of "
            f"{best.strategy.majority_of} outvote those errors. Of those compared: "
            f"{_compared(plan)}."
        )
    dearer = plan.costs.item > 0
    because = (
        f"an item costs as much as {plan.costs.item / plan.costs.label:g} labels"
        if (dearer and plan.costs.label)
        else ("only items cost" if dearer else "labels err in the worse classifier's favour")
    )
    return f"More labels an item win because {because}; of those compared: {_compared(plan)}."


def _theorem_holds(plan: "ComparisonPlan") -> bool:
    pairing = plan.pairing
    return (
        isinstance(pairing, Pairing)
        and pairing.n_labels == 2
        and pairing.unbiased_labels()
        and all(pairing.unbiased_spread(offer.strategy.majority_of) for offer in plan.plans)
    )


def _compared(plan: "ComparisonPlan") -> str:
    """What each way to label costs for the target, or reaches with the budget."""
    said = [
        f"{offer.strategy.name} "
        + (f"costs {money(offer.cost)}" if plan.target else f"gives {chance(offer.probability)}")
        for offer in plan.plans
    ]
    never = [f"{strategy.name} never gets there" for strategy in plan.unreachable if plan.target]
    return "; ".join(said + never)


def assumptions(plan: "ComparisonPlan") -> tuple[str, ...]:
    """What the plan rests on."""
    lines = [NOT_FOR + (": those are in the second table." if plan.estimating else "."), why(plan)]
    lines += _about_labels(plan)
    if plan.pairing.disagreement is not None:
        lines.append(
            f"The classifiers differ on {100 * plan.pairing.disagreement:.3g} % of the items, and "
            "what they say is known before any label: labels on those items alone, about "
            f"{plan.labels_where_they_differ:,.0f} of the {plan.best.labels:,.0f}, tell as much."
        )
    lines.append("Ending level counts as a failure.")
    if plan.rivals > 1:
        lines.append(
            f"All {plan.rivals} rivals are at least the margin behind; the probability is a "
            "lower bound (union bound over the rivals)."
        )
    return tuple(lines)


def _about_labels(plan: "ComparisonPlan") -> list[str]:
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


def cautions(plan: "ComparisonPlan") -> tuple[str, ...]:
    """Assumptions that fail, even votes, strategies that never get there."""
    lines = []
    if isinstance(plan.pairing, Pairing):
        lines += _of_pairing(plan, plan.pairing)
    elif plan.pairing.n_labels is not None and plan.pairing.step(Strategy(1)).drift <= 0:
        lines.append(
            "A single label prefers the worse classifier on average, which errs as people do: "
            "no number of singly labelled items picks the better one."
        )
    if plan.unreachable:
        names = ", ".join(strategy.name for strategy in plan.unreachable)
        reason = "cost more than the budget" if plan.target is None else "never reach the target"
        lines.append(f"Numbers of labels an item left out, because they {reason}: {names}.")
    return tuple(lines)


def _of_pairing(plan: "ComparisonPlan", pairing: Pairing) -> list[str]:
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
    if probability > 0.9995:
        return f"1 − {1 - probability:.1e}" if probability < 1 else "1 (to double precision)"
    return f"{100 * probability:.1f} %"


def money(amount: float) -> str:
    """A cost: whole where it is."""
    return f"{amount:,.0f}" if abs(amount - round(amount)) < 1e-9 else f"{amount:,.1f}"


def labels_each(offer: "Offer") -> str:
    """How each item is labelled, for a sentence."""
    if offer.strategy.adaptive:
        return f"two labels each and a third where they differ ({offer.labels_per_item:.2f} each)"
    m = offer.strategy.majority_of
    return "one label each" if m == 1 else f"{m} labels each"


def _offers_table(plan: "ComparisonPlan") -> Table:
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


def _estimating_table(plan: "ComparisonPlan") -> Table:
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


def _smallest(plan: "ComparisonPlan") -> str:
    """At how many labels each of the other questions is answered best."""
    names = {
        "accuracy": "accuracy",
        "accuracy_uncorrected": "uncorrected accuracy",
        "agreement": "agreement",
        "distance": "distance",
    }
    found = []
    for field, name in names.items():
        known = [(getattr(row, field), row.labels_per_item) for row in plan.estimating]
        errors = [(error, labels) for error, labels in known if error is not None]
        if errors:
            found.append(f"{name} with {min(errors)[1]}")
    return f"Smallest error: {', '.join(found)} labels an item."
