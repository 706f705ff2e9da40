"""A plan from a pilot as a result: the choice, what it loses, and what more labels save."""

import math
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import finite_number
from headcount.plan.choice import Choice, fewest
from headcount.plan.labelling import Costs
from headcount.plan.right_answers import Identified
from headcount.plan.words import belief, chance, more_labels, points, short
from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record
from headcount.results.record import rows_as_columns

# Items on which the contenders differ, below which a normal belief is a rough one.
FEW_APART = 20


@frozen
class Aim:
    """What a plan from a pilot is to reach.

    `target` the probability that the chosen one is the best; `matters` the smallest difference
    in points of agreement that anyone cares about; `loss` an expected loss, or None;
    `affordable` the most labels that anyone would pay for; `costs` of labels and items.
    """

    target: float = 0.95
    matters: float = 0.01
    loss: float | None = None
    affordable: int = 100_000
    costs: Costs = field(default_factory=Costs)
    confidence: float = 0.95

    def __post_init__(self) -> None:
        for name in ("target", "confidence"):
            value = finite_number(name, getattr(self, name))
            if not 0.5 <= value < 1:
                raise OptionError(
                    f"{name} is a probability from 0.5 to below 1, such as 0.95; it was {value:g}."
                )
        if not 0 <= finite_number("matters", self.matters) < 1:
            raise OptionError(
                f"matters is a difference such as 0.01, one point; it was {self.matters:g}."
            )
        if self.loss is not None and not 0 < finite_number("loss", self.loss) < 1:
            raise OptionError(f"loss is a share above 0, such as 0.001; it was {self.loss:g}.")
        if finite_number("affordable", self.affordable) < 1:
            raise OptionError(f"affordable is at least one label; it was {self.affordable!r}.")


@record
class MoreLabels(Record):
    """What so many labels more would bring.

    `items` have to be looked at for `labels` labels on those where the contenders differ;
    `loss` is what choosing afterwards is still expected to lose, `saved` how much less that is
    than choosing now, `saved_anywhere` the same with labels on items as they come.
    """

    labels: int
    items: int
    cost: float
    probability: float
    loss: float
    saved: float
    saved_anywhere: float


@record
class Contender(Record):
    """A classifier: the share of people who agree with it (or how often it is right), and the
    chance that it is the `best` one.
    """

    name: str
    agreement: Estimate
    best: float


@record
class PilotPlan(Result):
    """Which classifier to take by a pilot, what choosing now loses, and what labels would save.

    Attributes
    ----------
    question : str
        "agrees" where classifiers are compared by the people who agree with them, "right" by right
        answers.
    leader, rival : str
        Whom to choose now, and who is most likely to be better.
    gap : Estimate
        By how much the leader is ahead of the rival, as a share of items.
    classifiers : tuple of Contender
        In their order: `name`, `agreement` and the chance of being the `best`.
    more : tuple of MoreLabels
        What 100, 1,000 and 10,000 labels would bring.
    items : int
        Items of the pilot.
    contenders : tuple of str
        Classifiers that may be the best one.
    differ : float
        Share of items on which the contenders differ: the only ones worth labelling.
    labels_each : int
        Labels an item in the further labels planned for.
    aim : Aim
        What the plan is to reach.
    raters : str
        How raters were counted: "new", "same" or "fixed".
    n_raters : int or None
        How many there are, where they have names.
    prior_sd : float or None
        How far apart such classifiers usually are, where it was said.
    identified : Identified or None
        How well right answers could be told from the labels alone.
    notes : tuple of str
        What became of the data.

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("comments", items=200, seed=1)
    >>> found = hc.plan_from_pilot(made.ratings, made.predictions)
    >>> found.leader in found.contenders
    True
    """

    rows: ClassVar[str] = "classifiers"
    also: ClassVar[tuple[str, ...]] = (
        "loss_now",
        "probability_now",
        "misjudged_per_thousand",
        "items_for_target",
        "labels_for_target",
        "items_for_matters",
        "labels_for_matters",
        "labels_for_loss",
        "at_most",
    )

    question: str
    leader: str
    rival: str
    gap: Estimate
    classifiers: tuple[Contender, ...]
    more: tuple[MoreLabels, ...]
    items: int
    contenders: tuple[str, ...]
    differ: float
    labels_each: int
    aim: Aim
    raters: str
    n_raters: int | None
    prior_sd: float | None = None
    identified: Identified | None = None
    notes: tuple[str, ...] = ()
    choice: Choice = hidden(compare=False, kw_only=True)

    @property
    def loss_now(self) -> float:
        """How far the leader is expected to be behind the best one: a share of all items."""
        return self.choice.loss()

    def loss(self, more: float = 0) -> float:
        """How far whoever leads after more items is expected to be behind the best one.

        Parameters
        ----------
        more : float
            Further items, one label each (`labels_each` where items cost).

        Returns
        -------
        float
            A share of all items.

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", items=200, seed=1)
        >>> found = hc.plan_from_pilot(made.ratings, made.predictions)
        >>> found.loss(1000) < found.loss()
        True
        """
        return self.choice.loss(more_labels("items", more), labels_each=self.labels_each)

    def probability(self, more: float = 0, *, matters: float = 0.0) -> float:
        """The chance that whoever leads after so many more items is the best one.

        Parameters
        ----------
        more : float
            Further items, one label each (`labels_each` where items cost).
        matters : float
            Where given, the chance that the best one is less than that ahead of it.

        Returns
        -------
        float

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", items=200, seed=1)
        >>> found = hc.plan_from_pilot(made.ratings, made.predictions)
        >>> found.probability(500) > found.probability()
        True
        """
        return self.choice.probability(
            more_labels("items", more), matters=matters, labels_each=self.labels_each
        )

    def items_for(self, probability: float | None = None, *, matters: float = 0.0) -> int | None:
        """The fewest more items for a probability.

        Parameters
        ----------
        probability : float, optional
            From one half; the target by default.
        matters : float
            A choice that is less than this behind the best one counts as right.

        Returns
        -------
        int or None
            None where no affordable number of labels gets there.

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", items=200, seed=1)
        >>> found = hc.plan_from_pilot(made.ratings, made.predictions)
        >>> found.items_for(0.9) <= found.items_for(0.95)
        True
        """
        wanted = self.aim.target if probability is None else probability
        if not 0.5 <= finite_number("probability", wanted) < 1:
            raise OptionError(f"probability lies from 0.5 to below 1; it was {wanted:g}.")
        return self._fewest(lambda items: self.probability(items, matters=matters) >= wanted)

    def items_for_loss(self, loss: float) -> int | None:
        """The fewest more items for an expected loss.

        Parameters
        ----------
        loss : float
            A share of all items, such as 0.001.

        Returns
        -------
        int or None
            None where no affordable number of labels gets there.

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", items=200, seed=1)
        >>> found = hc.plan_from_pilot(made.ratings, made.predictions)
        >>> found.loss(found.items_for_loss(0.0005)) <= 0.0005
        True
        """
        return self._fewest(lambda items: self.loss(items) <= loss)

    def labels_for(self, items: float) -> int:
        """Labels that so many items need: only those where the contenders differ.

        Parameters
        ----------
        items : float
            Further items.

        Returns
        -------
        int

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", items=200, seed=1)
        >>> found = hc.plan_from_pilot(made.ratings, made.predictions)
        >>> found.labels_for(1000) < 1000
        True
        """
        return math.ceil(items * self.differ * self.labels_each - 1e-9)

    @property
    def probability_now(self) -> float:
        """The chance that the leader is the best one."""
        return self.probability()

    @property
    def misjudged_per_thousand(self) -> float:
        """The loss of choosing now, in items of a thousand."""
        return 1000 * self.loss_now

    @cached_property
    def items_for_target(self) -> int | None:
        """The fewest more items for the target, None beyond what is affordable."""
        return self.items_for()

    @cached_property
    def items_for_matters(self) -> int | None:
        """The same for a choice that is within what matters of the best one."""
        return self.items_for(matters=self.aim.matters)

    @property
    def labels_for_target(self) -> int | None:
        """Labels for the target, on items where the contenders differ."""
        return None if self.items_for_target is None else self.labels_for(self.items_for_target)

    @property
    def labels_for_matters(self) -> int | None:
        """Labels for a choice within what matters."""
        return None if self.items_for_matters is None else self.labels_for(self.items_for_matters)

    @property
    def labels_for_loss(self) -> int | None:
        """Labels for the expected loss that was asked for; None without one or beyond reach."""
        items = None if self.aim.loss is None else self.items_for_loss(self.aim.loss)
        return None if items is None else self.labels_for(items)

    @property
    def at_most(self) -> float:
        """A difference between leader and rival that the true one hardly exceeds."""
        return max(abs(self.gap.low or 0.0), abs(self.gap.high or 0.0))

    def _fewest(self, enough: Any) -> int | None:
        """The least number of items that is enough, up to what is affordable."""
        most = max(int(self.aim.affordable / max(self.differ * self.labels_each, 1e-9)), 1)
        return fewest(enough, most)

    def verdict(self) -> str:
        """What to choose, what that loses, and what more labels would save."""
        now, target = self.probability(), self.aim.target
        if now >= target:
            return (
                f"{_leads(self)}{_most(self)} with probability {belief(now)}: choosing it now "
                f"loses {points(self.loss_now)} of {_measure(self)} on average, so no more labels "
                "are needed to choose."
            )
        items = self.items_for_target
        if self.at_most <= self.aim.matters:
            return _does_not_matter(self, items)
        sentence = (
            f"{_leads(self)}{_most(self)} with probability {belief(now)}: choosing it now "
            f"loses {points(self.loss_now)} of {_measure(self)} on average ({_misjudged(self)}). "
            f"{_savings(self)}"
        )
        if items is None:
            return (
                f"{sentence}; no affordable number of labels (up to {self.aim.affordable:,}) makes "
                f"it {chance(target)}."
            )
        return f"{sentence}; {_labels(self, items)} make it {chance(target)}."

    def tables(self) -> tuple[Table, ...]:
        """The classifiers, what more labels bring, and the numbers for each aim."""
        return _classifiers(self), _more(self), _aims(self)

    def assumptions(self) -> tuple[str, ...]:
        """What the plan rests on."""
        if self.question == "right":
            lines = ["Compared is how often each is right; the next items are like these."]
        else:
            lines = [
                "Compared is the share of people who agree with each classifier, which needs no "
                "truth; the next items are like these. It is not the plan for estimating one "
                "classifier's accuracy or for scores of whole distributions."
            ]
        lines.append(_about_raters(self))
        differ = _whole(100 * self.differ)
        lines.append(
            f"The contenders ({', '.join(self.contenders)}) differ on {differ} % of the items, "
            "which is known before any label: labelling only those saves "
            f"{100 * (1 - self.differ):.0f} % of the labels. To learn how much people agree at "
            "all, label some of the others too."
        )
        if self.prior_sd is None:
            lines.append(
                "How far apart such classifiers are (standard deviation, up to "
                f"{points(self.choice.moments.farthest)} of labels as given) was left to these "
                "data: where all seem alike, small differences are expected. Where you know "
                "better, say so (headcount plan pilot --prior-sd)."
            )
        else:
            lines.append(
                f"Two such classifiers were taken to differ by {points(self.prior_sd)} "
                "(standard deviation) before these data were seen."
            )
        return tuple(lines)

    def unchecked(self) -> tuple[str, ...]:
        """What the pilot cannot tell, and what became of the data."""
        lines = []
        apart = self.differ * self.items
        if apart < FEW_APART:
            lines.append(
                f"The contenders differ on only {apart:.0f} of these items: take the numbers as "
                "rough, and add items on which they differ."
            )
        if self.n_raters is not None and self.raters == "fixed" and self.n_raters < 3:
            lines.append("With fewer than three raters nothing can be said about other people.")
        if self.identified is not None:
            lines.append(_identifiability(self))
        return (*lines, *self.notes)

    def columns(self) -> dict[str, list[Any]]:
        """A row a number of labels."""
        return rows_as_columns(self.more)


def _leads(plan: PilotPlan) -> str:
    ahead = f"by {points(plan.gap.value or 0.0)}"
    if plan.question == "right":
        return f"{plan.leader!r} is right more often than {plan.rival!r} ({ahead})"
    ahead = f"{ahead} of labels as given"  # where slips are set aside, by a little more
    return f"{plan.leader!r} agrees more with people than {plan.rival!r} ({ahead})"


def _most(plan: PilotPlan) -> str:
    # Not "best": by worth another one may be, and one text names one best.
    return "," if len(plan.classifiers) == 2 else f", and most of {len(plan.classifiers)}"


def _measure(plan: PilotPlan) -> str:
    return "accuracy" if plan.question == "right" else "agreement"


def _misjudged(plan: PilotPlan) -> str:
    return f"{short(1000 * plan.loss_now)} of 1,000 items misjudged"


def _savings(plan: PilotPlan) -> str:
    """The first number of labels that saves at least half of the loss, or the largest told of."""
    half = [each for each in plan.more if each.saved >= plan.loss_now / 2]
    told: MoreLabels = half[0] if half else plan.more[-1]
    return (
        f"{told.labels:,} more labels on items where they differ would save "
        f"{points(told.saved)} of that"
    )


def _whole(percent: float) -> str:
    """Two digits, and none behind the point from ten on: 100 and not 1e+02."""
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.2g}"


def _labels(plan: PilotPlan, items: int) -> str:
    labels = plan.labels_for(items)
    each = "" if plan.labels_each == 1 else f", {plan.labels_each} an item"
    where = f"the {_whole(100 * plan.differ)} % of {items:,} items where they differ"
    return f"{labels:,} labels ({where}{each})"


def _does_not_matter(plan: PilotPlan, items: int | None) -> str:
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


def _classifiers(plan: PilotPlan) -> Table:
    what = "right" if plan.question == "right" else "people agree"
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (each.name, each.agreement.text(percent=True), belief(each.best))
        for each in plan.classifiers
    )
    return Table(
        f"The classifiers on {plan.items:,} items",
        ("classifier", what, "chance to be the best"),
        rows,
        caption=f"Intervals at {100 * plan.aim.confidence:g} %.",
        id="classifiers",
    )


def _more(plan: PilotPlan) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (0, 0, belief(plan.probability()), 100 * plan.loss_now, None, None)
    ]
    rows += [
        (
            each.labels,
            each.items,
            belief(each.probability),
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


def _aims(plan: PilotPlan) -> Table:
    aim = plan.aim
    asked = [
        (f"the best with probability {chance(aim.target)}", plan.items_for_target),
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


def _about_raters(plan: PilotPlan) -> str:
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
    return (
        "The raters are taken as they are: probabilities and losses are of people like these "
        "answers."
    )


def _identifiability(plan: PilotPlan) -> str:
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
