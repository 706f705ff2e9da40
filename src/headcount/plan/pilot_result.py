"""A plan from a pilot as a result: the choice, what it loses, and what more labels save."""

import math
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.plan import pilot_words as words
from headcount.plan.choice import Choice
from headcount.plan.costs import Costs
from headcount.plan.given import number
from headcount.plan.right import Identified
from headcount.results import Estimate, Record, Result, Table, hidden, record
from headcount.results.record import rows_as_columns

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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
            value = number(name, getattr(self, name))
            if not 0.5 <= value < 1:
                raise OptionError(
                    f"{name} is a probability from 0.5 to below 1, such as 0.95; it was {value:g}."
                )
        if not 0 <= number("matters", self.matters) < 1:
            raise OptionError(
                f"matters is a difference such as 0.01, one point; it was {self.matters:g}."
            )
        if self.loss is not None and not 0 < number("loss", self.loss) < 1:
            raise OptionError(f"loss is a share above 0, such as 0.001; it was {self.loss:g}.")
        if number("affordable", self.affordable) < 1:
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
        return self.choice.loss(_items(more), labels_each=self.labels_each)

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
        return self.choice.probability(_items(more), matters=matters, labels_each=self.labels_each)

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
        >>> found.items_for(0.9) <= found.items_for(0.99)
        True
        """
        wanted = self.aim.target if probability is None else probability
        if not 0.5 <= number("probability", wanted) < 1:
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
        if enough(0):
            return 0
        if not enough(most):
            return None
        low, high = 0, most
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high

    def verdict(self) -> str:
        """What to choose, what that loses and what more labels would save."""
        return words.verdict(self)

    def tables(self) -> tuple[Table, ...]:
        """The classifiers, what more labels bring, and the numbers for each aim."""
        return words.tables(self)

    def assumptions(self) -> tuple[str, ...]:
        """What the plan rests on."""
        return words.assumptions(self)

    def unchecked(self) -> tuple[str, ...]:
        """What the pilot cannot tell, and what became of the data."""
        return words.cautions(self)

    def columns(self) -> dict[str, list[Any]]:
        """A row a number of labels."""
        return rows_as_columns(self.more)


def _items(more: float) -> float:
    items = number("more", more)
    if items < 0:
        raise OptionError(f"more is a number of items of at least 0; it was {more!r}.")
    return items
