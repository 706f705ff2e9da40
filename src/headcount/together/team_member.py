"""A classifier with people, as a record: what they are worth together, and what it adds."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from headcount.equivalence import ClassifierWorth, PowerCurve, people, worth_on
from headcount.errors import OptionError
from headcount.results import Estimate, Record, hidden, record
from headcount.results.words import has_limit, worth_text
from headcount.together.policy import Policy, PolicyFigures
from headcount.together.team_curve import TeamCurve, Way
from headcount.together.whom_to_ask import WhomToAsk

_STEADY = 0.25
"""People by which what is added may differ along the curve and still be called the same."""

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
        if adds.low is not None and adds.low <= 0:
            ends = f": {adds.text(1)} people" if has_limit(adds) else "; how much, is not known"
            return f"{self.name} was not shown to add anything to people who are asked{ends}."
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
        return replace(first, low=low, ceiling=ceiling, reread=None)
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
    measured = told[0].worth.measured_to
    return Estimate(value, state="within", floor=0.0, ceiling=ceiling, measured_to=measured, **ends)


def _added(adds: Estimate) -> str:
    return worth_text(adds, " people").replace("1.0 people", "1.0 person")


def _number(value: float) -> str:
    return f"{value:.1f}"


def member_of(
    curve: PowerCurve, team: TeamCurve, alone: ClassifierWorth, asks: WhomToAsk
) -> TeamMember:
    """One classifier: alone as it is worth anywhere, then with one person, two, …"""
    rows = [WithPeople(0, alone.score, alone.worth)]
    for k in range(1, len(team.scores)):
        left = None if team.without is None else team.without[:, k]
        score = curve.asked.sampled(team.scores[k], team.draws[:, k], left)
        worth = worth_on(curve, float(team.scores[k]), team.draws[:, k], left)
        if team.way == "people":
            score, worth = curve.sampled(k), _of_no_help(worth, k, team.tells)
        rows.append(WithPeople(k, curve.asked.estimate(score), worth))
    found = tuple(rows)
    return TeamMember(
        alone.name,
        found,
        added_to_people(found, at_least=team.thin),
        policies=asks.figures(),
        asks=asks,
        way=team.way,
        held_out=team.held_out,
        at_least=team.thin,
    )


def _of_no_help(worth: Estimate, people: int, tells: bool) -> Estimate:
    """With a classifier of no help k people are k: and as much more as it might still be."""
    if worth.low is None and worth.high is None:
        return Estimate(float(people), state="within")
    high = float(people) if not tells or worth.high is None else max(worth.high, float(people))
    return Estimate(float(people), float(people), high, "within", "within", "within", floor=0.0)
