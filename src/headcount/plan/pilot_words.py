"""What a plan from a pilot says in words and tables."""

from typing import TYPE_CHECKING

from headcount.results import Cell, Table

if TYPE_CHECKING:
    from headcount.plan.pilot_result import MoreLabels, PilotPlan

FEW_APART = 20
"""Items on which the contenders differ, below which a normal belief is a rough one."""


def verdict(plan: "PilotPlan") -> str:
    """What to choose, what that loses, and what more labels would save."""
    now, target = plan.probability(), plan.aim.target
    if now >= target:
        return (
            f"{_leads(plan)}: it is {_best(plan)} with probability {chance(now)}, and choosing it "
            f"now loses {points(plan.loss_now)} of {_measure(plan)} on average, so no more labels "
            "are needed to choose."
        )
    items = plan.items_for_target
    if plan.at_most <= plan.aim.matters:
        return _does_not_matter(plan, items)
    sentence = (
        f"{_leads(plan)}, and is {_best(plan)} with probability {chance(now)}: choosing it now "
        f"loses {points(plan.loss_now)} of {_measure(plan)} on average ({_misjudged(plan)}). "
        f"{_savings(plan)}"
    )
    if items is None:
        return (
            f"{sentence}; no affordable number of labels (up to {plan.aim.affordable:,}) makes it "
            f"{chance(target)}."
        )
    return f"{sentence}; {_labels(plan, items)} make it {chance(target)}."


def _leads(plan: "PilotPlan") -> str:
    ahead = f"by {points(plan.gap.value or 0.0)}"
    if plan.question == "right":
        return f"{plan.leader!r} is right more often than {plan.rival!r} ({ahead})"
    return f"{plan.leader!r} agrees more with people than {plan.rival!r} ({ahead})"


def _best(plan: "PilotPlan") -> str:
    return (
        "the better one" if len(plan.classifiers) == 2 else f"the best of {len(plan.classifiers)}"
    )


def _measure(plan: "PilotPlan") -> str:
    return "accuracy" if plan.question == "right" else "agreement"


def _misjudged(plan: "PilotPlan") -> str:
    return f"{_number(1000 * plan.loss_now)} of 1,000 items misjudged"


def _savings(plan: "PilotPlan") -> str:
    """The first number of labels that saves at least half of the loss, or the largest told of."""
    half = [each for each in plan.more if each.saved >= plan.loss_now / 2]
    told: MoreLabels = half[0] if half else plan.more[-1]
    return (
        f"{told.labels:,} more labels on items where they differ would save "
        f"{points(told.saved)} of that"
    )


def _labels(plan: "PilotPlan", items: int) -> str:
    labels = plan.labels_for(items)
    each = "" if plan.labels_each == 1 else f", {plan.labels_each} an item"
    where = f"the {100 * plan.differ:.2g} % of {items:,} items where they differ"
    return f"{labels:,} labels ({where}{each})"


def _does_not_matter(plan: "PilotPlan", items: int | None) -> str:
    at_most = points(plan.at_most)
    if items is None:
        return (
            f"{plan.leader!r} and {plan.rival!r} cannot be told apart by any affordable number of "
            f"labels (up to {plan.aim.affordable:,}), and it does not matter: they differ by at "
            f"most {at_most}. Take either; choosing {plan.leader!r} now loses "
            f"{points(plan.loss_now)} of {_measure(plan)} on average."
        )
    return (
        f"It does not matter which of {plan.leader!r} and {plan.rival!r} is chosen: they differ by "
        f"at most {at_most}, and {points(plan.aim.matters)} is what matters. Choosing "
        f"{plan.leader!r} now loses {points(plan.loss_now)} of {_measure(plan)} on average; "
        f"telling them apart would take {_labels(plan, items)}."
    )


def tables(plan: "PilotPlan") -> tuple[Table, ...]:
    """The classifiers, what more labels bring, and the numbers for each aim."""
    return _classifiers(plan), _more(plan), _aims(plan)


def _classifiers(plan: "PilotPlan") -> Table:
    what = "right" if plan.question == "right" else "people agree"
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (each.name, each.agreement.text(percent=True), chance(each.best))
        for each in plan.classifiers
    )
    return Table(
        f"The classifiers on {plan.items:,} items",
        ("classifier", what, "chance to be the best"),
        rows,
        caption=f"Intervals at {100 * plan.aim.confidence:g} %.",
        id="classifiers",
    )


def _more(plan: "PilotPlan") -> Table:
    rows: list[tuple[Cell, ...]] = [
        (0, 0, chance(plan.probability()), 100 * plan.loss_now, None, None)
    ]
    rows += [
        (
            each.labels,
            each.items,
            chance(each.probability),
            100 * each.loss,
            100 * each.saved,
            100 * each.saved_anywhere,
        )
        for each in plan.more
    ]
    each = ""
    if plan.labels_each > 1:
        each = f" As items cost, {plan.labels_each} labels for each item are best."
    return Table(
        "What more labels would bring",
        (
            "labels where they differ",
            "items looked at",
            "the best is chosen",
            "expected loss, points",
            "saved",
            "saved by labels anywhere",
        ),
        tuple(rows),
        caption="The loss is how far the chosen one is expected to be behind the best; a label "
        "where all contenders say the same tells nothing about which is better." + each,
        id="more",
    )


def _aims(plan: "PilotPlan") -> Table:
    aim = plan.aim
    asked = [
        (f"{_best(plan)} with probability {chance(aim.target)}", plan.items_for_target),
        (
            f"within {points(aim.matters)} of the best with probability {chance(aim.target)}",
            plan.items_for_matters,
        ),
    ]
    if aim.loss is not None:
        asked.append((f"expected loss {points(aim.loss)}", plan.items_for_loss(aim.loss)))
    none = f"more than {aim.affordable:,}"
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (what, none if items is None else f"{plan.labels_for(items):,}", items)
        for what, items in asked
    )
    return Table(
        "Labels for an aim",
        ("the chosen one is", "labels where they differ", "of so many more items"),
        rows,
        caption=f"'More than': {plan.aim.affordable:,} labels, the most looked at, are too few.",
        id="aims",
    )


def assumptions(plan: "PilotPlan") -> tuple[str, ...]:
    """What the plan rests on."""
    if plan.question == "right":
        lines = ["Compared is how often each is right; the next items are like these."]
    else:
        lines = [
            "Compared is the share of people who agree with each classifier, which needs no "
            "truth; the next items are like these. It is not the plan for estimating one "
            "classifier's accuracy or for scores of whole distributions."
        ]
    lines.append(_about_raters(plan))
    lines.append(
        f"The contenders ({', '.join(plan.contenders)}) differ on {100 * plan.differ:.2g} % of the "
        f"items, which is known before any label: labelling only those saves "
        f"{100 * (1 - plan.differ):.0f} % of the labels. To learn how much people agree at all, "
        "label some of the others too."
    )
    if plan.prior_sd is None:
        lines.append(
            "Before these data any difference was taken as likely as any other; where such "
            "classifiers usually differ little, say how little (headcount plan pilot --prior-sd): "
            "the probability is then lower."
        )
    else:
        lines.append(
            f"Two such classifiers were taken to differ by {points(plan.prior_sd)} "
            "(standard deviation) before these data were seen."
        )
    return tuple(lines)


def _about_raters(plan: "PilotPlan") -> str:
    if plan.raters == "new":
        return (
            f"The {plan.n_raters} raters are a sample of people, and the next labels come from "
            "further people like them."
        )
    if plan.raters == "same":
        return (
            f"The {plan.n_raters} raters are a sample of people and will give the next labels "
            "too: how they differ from people at large is never learnt."
        )
    return "The raters are taken as they are: the answer is about people like these, all of them."


def cautions(plan: "PilotPlan") -> tuple[str, ...]:
    """What the pilot cannot tell, and what became of the data."""
    lines = []
    apart = plan.differ * plan.items
    if apart < FEW_APART:
        lines.append(
            f"The contenders differ on only {apart:.0f} of these items: take the numbers as "
            "rough, and add items on which they differ."
        )
    if plan.n_raters is not None and plan.raters == "fixed" and plan.n_raters < 3:
        lines.append("With fewer than three raters nothing can be said about other people.")
    if plan.identified is not None:
        lines.append(_identifiability(plan))
    return (*lines, *plan.notes)


def _identifiability(plan: "PilotPlan") -> str:
    assert plan.identified is not None
    given = points(plan.identified.given)
    if plan.identified.learnt is None:
        return (
            f"Right answers rest on the label accuracy given (standard error {given}), taken as "
            "the same whichever classifier is right: these labels alone could not tell."
        )
    return (
        f"Right answers rest on the label accuracy given: with it the difference is known to "
        f"{given} (standard error), learnt from these labels it would be "
        f"{points(plan.identified.learnt)}. The accuracy was taken as the same whichever "
        "classifier is right."
    )


def points(share: float) -> str:
    """A share as points: "1 point", "0.35 points", "less than 0.01 points"."""
    number = _number(100 * share)
    return f"{number} point" if number == "1" else f"{number} points"


def chance(probability: float) -> str:
    """A probability in per cent; never rounded to certainty or to impossibility."""
    per_cent = 100 * probability
    if per_cent > 99.9:
        return "more than 99.9 %"
    if 0 < per_cent < 0.1:
        return "less than 0.1 %"
    return f"{per_cent:.1f}".rstrip("0").rstrip(".") + " %"


def _number(value: float) -> str:
    if abs(value) < 0.005:
        return "less than 0.01"
    return (f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}").rstrip("0").rstrip(".")
