"""What a classifier adds to people, as a result."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from headcount.equivalence import PowerCurve, digits_for, people
from headcount.errors import OptionError
from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record
from headcount.results.words import worth_text
from headcount.together.policy import Policy, PolicyFigures
from headcount.together.team_curve import Way
from headcount.together.whom_to_ask import WhomToAsk

_STEADY = 0.25
"""People by which what is added may differ along the curve and still be called the same."""

_SAID = 4
"""Classifiers that a verdict speaks of; the others stand in the table."""

AT_LEAST = "cells are thin, so that this errs low: at least"
"""Why an estimate of what is added may be too small."""


@record
class WithPeople(Record):
    """A classifier together with so many `people`: their `score`, and the `worth` in people."""

    people: int
    score: Estimate
    worth: Estimate


@record
class TeamMember(Record):
    """One classifier with people: `with_people` by how many are asked, and what it `adds` to them.

    `way` is how answers were put together ("cells", "answers", "pool", or "people" where the
    classifier is of no help), `held_out` the mean score of each way that was tried, `at_least`
    whether what it adds errs low.
    """

    name: str
    with_people: tuple[WithPeople, ...]
    adds: Estimate
    policies: tuple[PolicyFigures, ...] = ()
    asks: WhomToAsk | None = hidden(default=None, compare=False)
    way: Way = hidden(default="cells")
    held_out: dict[str, float] = hidden(default_factory=dict)
    at_least: bool = hidden(default=False)

    @property
    def most(self) -> int:
        """The most people that were looked at with it."""
        return self.with_people[-1].people

    def worth_with(self, people: int) -> Estimate:
        """How many people alone `people` and this classifier are worth together.

        Parameters
        ----------
        people : int
            From 0, the classifier alone, to `most`.

        Returns
        -------
        Estimate

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=400, seed=1)
        >>> team = hc.together(data.ratings, data.predictions, n_bootstrap=0)
        >>> team["calibrated"].worth_with(1).value > 2
        True
        """
        for each in self.with_people:
            if each.people == people:
                return each.worth
        raise OptionError(
            f"people is a whole number from 0 to {self.most}, as many as were looked at with "
            f"{self.name}; it was {people!r}."
        )

    def policy(
        self,
        *,
        as_good_as: int | None = None,
        agree: float | None = None,
        labels: float | None = None,
        price: float | None = None,
        costs: Any = None,
        limit: int | None = None,
    ) -> Policy:
        """Whom to ask, beside this classifier: one of four promises.

        Parameters
        ----------
        as_good_as : int, optional
            As many people agree as with asking so many people about every item.
        agree : float, optional
            At least such a share of people agree.
        labels : float, optional
            At most so many labels an item on average.
        price : float, optional
            The best where a label costs so much of what one person's agreement is worth; nothing
            is tested.
        costs : array, optional
            What a mistake costs, a row a decision and a column what a person says, instead of
            what share of people agree.
        limit : int, optional
            The most labels an item may be asked for.

        Returns
        -------
        Policy
            `decide(answer, labels_so_far)`, `to_json()`, `to_csv()`, and what it costs and brings.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=900, seed=1)
        >>> team = hc.together(data.ratings, data.predictions, n_bootstrap=0)
        >>> team["calibrated"].policy(labels=0.5).labels.value <= 0.5
        True
        """
        if self.asks is None:
            raise OptionError("This result holds no items to learn from: ask hc.together again.")
        return self.asks.policy(
            as_good_as=as_good_as, agree=agree, labels=labels, price=price, costs=costs, limit=limit
        )

    def sentence(self) -> str:
        """What it adds, in people."""
        adds, told = self.adds, [each for each in self.with_people if each.people]
        if not told or (adds.value is None and adds.state is None):
            return f"What {self.name} adds to people cannot be told: {adds.note}."
        if self.way == "people":
            return (
                f"{self.name} adds nothing that was found to people who are asked, and no asking "
                "is saved by it."
            )
        least = "at least " if self.at_least else ""
        if adds.value is None:
            return f"{self.name} adds {worth_text(adds, ' people')}."
        own = [(e.people, e.worth.value - e.people) for e in told if e.worth.value is not None]
        measured = [
            (each.people, each.worth.value - each.people)
            for each in told
            if each.worth.value is not None and not each.worth.modelled
        ] or own
        apart = max(value for _, value in measured) - min(value for _, value in measured)
        if len(measured) == 1 or apart <= max(_STEADY, 0.1 * abs(adds.value)):
            return f"{self.name} adds {least}{_added(adds)}, however many you ask."
        (first, at_first), (last, at_last) = measured[0], measured[-1]
        return (
            f"{self.name} adds {least}{_number(at_first)} to {people(first, noun='person')} and "
            f"{_number(at_last)} to {people(last, noun='person')}."
        )


def added_to_people(rows: tuple[WithPeople, ...], *, at_least: bool) -> Estimate:
    """What is added: worth less people asked, on average over how many are asked.

    Where the data reach, and where they do not, by the modelled curve. The mean of the ends of
    intervals holds no less often than each: all move together.
    """
    found = _mean_added(rows)
    if at_least:
        found = found.with_note(AT_LEAST)
    return replace(found, reread=partial(_added_at, rows, at_least))


def _added_at(rows: tuple[WithPeople, ...], at_least: bool, confidence: float) -> Estimate:
    again = tuple(replace(each, worth=each.worth.at(confidence)) for each in rows)
    return added_to_people(again, at_least=at_least)


def _mean_added(rows: tuple[WithPeople, ...]) -> Estimate:
    asked = [each for each in rows if each.people]
    told = [each for each in asked if each.worth.value is not None]
    told = [each for each in told if not each.worth.modelled] or told[:1]
    if not told:
        if not asked:
            return Estimate.undefined("no item has answers enough to ask one person and one more")
        first = asked[0].worth
        if first.state != "above":
            return Estimate.undefined(first.note or "its worth with one person is undefined")
        low = None if first.low is None else first.low - 1
        ceiling = None if first.ceiling is None else max(first.ceiling - 1, 0.0)
        return replace(first, low=low, ceiling=ceiling, measured_to=None, reread=None)
    value = float(np.mean([each.worth.value - each.people for each in told]))  # type: ignore[operator]
    ends: dict[str, Any] = {}
    for end in ("low", "high"):
        known = [(getattr(each.worth, end), each.people) for each in told]
        if all(number is not None for number, _ in known):
            ends[end] = float(np.mean([number - k for number, k in known]))
            ends[f"{end}_state"] = "within"
        else:
            states = [getattr(each.worth, f"{end}_state") for each in told]
            ends[f"{end}_state"] = next((s for s in states if s in ("below", "above")), None)
    ceilings = [each.worth.ceiling - each.people for each in told if each.worth.ceiling is not None]
    ceiling = max(min(ceilings), 0.0) if ceilings else None
    return Estimate(value, state="within", floor=0.0, ceiling=ceiling, **ends)


def _added(adds: Estimate) -> str:
    return worth_text(adds, " people").replace("1.0 people", "1.0 person")


def _number(value: float) -> str:
    return f"{value:.1f}"


@record
class Together(Result):
    """Classifiers and people: how many people they are worth together.

    Attributes
    ----------
    classifiers : tuple of TeamMember
        Under `team["name"]` too: `worth_with(k)`, `adds`, `with_people`.
    panel : None
        Several classifiers as one: none was asked for.
    curve : PowerCurve
        That of people alone, on which every worth is read.

    Examples
    --------
    >>> import headcount as hc
    >>> data = hc.simulate.make("running-example", items=400, seed=1)
    >>> team = hc.together(data.ratings, data.predictions, n_bootstrap=0)
    >>> team["calibrated"].adds.value > 1
    True
    """

    classifiers: tuple[TeamMember, ...]
    panel: None = None
    curve: PowerCurve = hidden(kw_only=True, compare=False)
    notes: tuple[str, ...] = hidden(default=())

    rows = "classifiers"

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return tuple(each.name for each in self.classifiers)

    def best_first(self) -> tuple[TeamMember, ...]:
        """The classifiers by what they add."""
        return tuple(sorted(self.classifiers, key=_least_first, reverse=True))

    def policy(self, **asked: Any) -> Policy:
        """Whom to ask beside the classifier that adds most.

        Parameters
        ----------
        **asked
            As for `team["name"].policy`: `as_good_as=3`, `agree=.85`, `labels=.5`, `price=.01`,
            `costs`, `limit`.

        Returns
        -------
        Policy

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=900, seed=1)
        >>> hc.together(data.ratings, data.predictions, n_bootstrap=0).policy(as_good_as=3).name
        'ideal'
        """
        return self.best_first()[0].policy(**asked)

    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """Each classifier's quantities by name, as requirements ask for them."""
        return {each.name: {"adds": each.adds, "saves": _saved(each)} for each in self.classifiers}

    def verdict(self) -> str:
        """What each classifier adds, in people: a line each, best first."""
        said = [" ".join([each.sentence(), *saving_sentence(each)]) for each in self.best_first()]
        more = len(said) - _SAID
        return "\n".join([*said[:_SAID], *([f"{more} more in the table."] if more > 0 else [])])

    def tables(self) -> tuple[Table, ...]:
        """What each classifier is worth with so many people, and the curve of people alone."""
        return (self._worth_table(), *self._policy_table(), self.curve.curve_table())

    def _policy_table(self) -> tuple[Table, ...]:
        rows: list[tuple[Cell, ...]] = []
        for each in self.best_first():
            for of in each.policies:
                shown = of.kept == "shown"
                rows.append(
                    (
                        each.name,
                        people(of.as_good_as, noun="person", digits=True),
                        of.labels.text(2) if shown else "not shown",
                        of.saves.text(percent=True) if shown else "–",
                        of.agree.text(percent=True),
                    )
                )
        if not rows:
            return ()
        headings = ("classifier", "as good as, asked of all", "labels an item", "saved", "agree")
        caption = (
            "Policies learned on two thirds of the items and tested on the others; not shown: ask "
            "so many people about every item."
        )
        return (Table("Whom to ask", headings, tuple(rows), caption=caption, id="policies"),)

    def _worth_table(self) -> Table:
        most = max((each.most for each in self.classifiers), default=0)
        shown = list(range(min(most, 5) + 1))
        rows: list[tuple[Cell, ...]] = []
        for each in self.classifiers:
            worths = [
                worth_text(each.worth_with(k), noun="") if k <= each.most else None for k in shown
            ]
            adds = worth_text(each.adds, noun="") if each.adds.known else "–"
            rows.append((each.name, ("≥ " if each.at_least else "") + adds, *worths))
        return Table(
            "What a classifier and people are worth together (people)",
            ("classifier", "adds", *(f"with {k}" if k else "alone" for k in shown)),
            tuple(rows),
            caption="Worth in people asked alone: as many as predict one more person as well.",
            digits=digits_for(self.curve.asked.scorer),
            id="together",
        )

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        ways = {
            "cells": "by cells of its answers, with the fitted population shared over them",
            "answers": "by cells of its answers, each taken for so many answers of people",
            "pool": "by a pool of what people say and what it says of the item",
            "people": "not at all: people alone predicted held-out answers better",
        }
        used = [
            f"{each.name} and people were put together {ways[each.way]}."
            for each in self.classifiers
        ]
        return (
            "A classifier with k people is scored by how well they predict a held-out person, and "
            "is worth as many people as predict as well.",
            *used[:_SAID],
            *self.curve.assumptions(),
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, dropped or drawn."""
        thin = [each.name for each in self.classifiers if each.at_least]
        least = (
            f"What {', '.join(thin)} adds errs low: few items had the same answers from the "
            "classifier and from people.",
        )
        return (*(least if thin else ()), *self.notes, *self.curve.unchecked())

    def told(self) -> dict[str, Any]:
        """The classifiers, and what was assumed."""
        return {"classifiers": self.classifiers, "panel": self.panel, "notes": self.unchecked()}


def saving_sentence(member: TeamMember) -> tuple[str, ...]:
    """What asking with a classifier saves, of the largest promise that was shown."""
    shown = [each for each in member.policies if each.kept == "shown"]
    if not shown:
        if not member.policies or member.way == "people":
            return ()
        return (
            f"No policy was shown to save labels: ask as many people as without {member.name}.",
        )
    most = shown[-1]
    labels = most.labels.value or 0.0
    asking = "asking nobody" if labels == 0 else f"asking {labels:.2g} people an item"
    everyone = people(most.as_good_as, noun="person")
    return (f"With it {asking} is as good as asking {everyone} about every item.",)


def _saved(member: TeamMember) -> Estimate:
    """The share of labels saved by the largest promise that was shown."""
    shown = [each.saves for each in member.policies if each.kept == "shown"]
    return shown[-1] if shown else Estimate(0.0, 0.0, 0.0)


def _least_first(each: TeamMember) -> float:
    if each.adds.value is not None:
        return each.adds.value
    return np.inf if each.adds.state == "above" else -np.inf
