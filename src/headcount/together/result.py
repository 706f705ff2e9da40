"""What classifiers add to people, as a result."""

from typing import Any

import numpy as np

from headcount.equivalence import PowerCurve, digits_for, people
from headcount.errors import OptionError
from headcount.results import Cell, Estimate, Result, Table, hidden, percent, record
from headcount.results.words import worth_text
from headcount.together.judge_runs import JudgeRuns, JudgeVariants, runs_tables
from headcount.together.panel_result import Panel
from headcount.together.policy import Policy, PolicyFigures
from headcount.together.team_member import TeamMember

_SAID = 4
"""Classifiers that a verdict speaks of; the others stand in the table."""


@record
class Together(Result):
    """Classifiers and people: how many people they are worth together.

    Attributes
    ----------
    classifiers : tuple of TeamMember
        Under `team["name"]` too: `worth_with(k)`, `adds`, `with_people`.
    panel : Panel or None
        All of them as one, `team["panel"]` with people; None of a single classifier.
    runs : tuple of JudgeRuns
        Of classifiers that answered items several times: what 1, 2, 3, … runs are worth.
    variants : tuple of JudgeVariants
        Of judges asked in several ways: how often rewording changes their labels.
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
    panel: Panel | None = None
    runs: tuple[JudgeRuns, ...] = ()
    variants: tuple[JudgeVariants, ...] = ()
    curve: PowerCurve = hidden(kw_only=True, compare=False)
    notes: tuple[str, ...] = hidden(default=())

    rows = "classifiers"
    also = ("unchecked",)

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return tuple(each.name for each in self.classifiers)

    def __getitem__(self, name: str) -> TeamMember:
        """The classifier of this name, or the panel."""
        for each in self._everyone():
            if each.name == name:
                return each
        known = ", ".join(each.name for each in self._everyone())
        raise OptionError(f"There is nothing called {name!r} here: {known}.")

    def _everyone(self) -> tuple[TeamMember, ...]:
        """The classifiers, then the panel."""
        return (*self.classifiers, *(() if self.panel is None else (self.panel.team,)))

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
        return {each.name: {"adds": each.adds, "saves": saved(each)} for each in self._everyone()}

    def verdict(self) -> str:
        """What each classifier adds, in people: a line each, best first."""
        said = [" ".join([each.sentence(), *saving_sentence(each)]) for each in self.best_first()]
        more = len(said) - _SAID
        rest = [f"{more} more in the table."] if more > 0 else []
        panel = [] if self.panel is None else [self.panel.verdict()]
        repeated = [each.sentence() for each in self.runs[:_SAID]]
        repeated += [each.sentence() for each in self.variants]
        return "\n".join([*said[:_SAID], *rest, *panel, *repeated])

    def tables(self) -> tuple[Table, ...]:
        """What each classifier is worth with so many people, and the curve of people alone."""
        panels = () if self.panel is None else self.panel.tables()
        repeated = runs_tables(self.runs, self.variants)
        curve = self.curve.curve_table()
        return (self._worth_table(), *self._policy_table(), *panels, *repeated, curve)

    def _policy_table(self) -> tuple[Table, ...]:
        rows: list[tuple[Cell, ...]] = []
        panel = () if self.panel is None else (self.panel.team,)
        for each in (*self.best_first(), *panel):
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
        most = max((each.most for each in self._everyone()), default=0)
        shown = list(range(min(most, 5) + 1))
        rows: list[tuple[Cell, ...]] = []
        for each in self._everyone():
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


def saving_sentence(member: TeamMember) -> tuple[str, ...]:
    """What asking with a classifier saves, of the largest promise that was shown."""
    shown = [each for each in member.policies if each.kept == "shown"]
    if not shown:
        if not member.policies or member.way == "people":
            return ()
        return (
            f"No policy was shown to save labels: ask as many people as without {member.name}.",
        )
    return (f"With it {policy_title(shown[-1])}.",)


def policy_title(policy: PolicyFigures) -> str:
    """What was promised, as a title: how many must be asked, and whom that is as good as."""
    labels = policy.labels.value or 0.0
    asking = "asking nobody" if labels == 0 else f"asking {labels:.2g} people an item"
    everyone = people(policy.as_good_as, noun="person")
    return f"{asking} is as good as asking {everyone} about every item"


def who_is_asked(policy: Policy) -> str:
    """On how many items nobody is asked, and whom the others go to."""
    judging = policy.asker.judging
    alone = ~policy.asking.asks[0][judging.cell, 0]
    share = float(judging.size @ alone / judging.size.sum())
    if share == 1:
        return f"{policy.name} settles every item alone."
    return (
        f"{policy.name} settles {percent(share, 0)} of items alone. About each of the others one "
        f"person is asked after another, up to {people(policy.asking.most, noun='person')}, until "
        "one more would hardly change what comes out."
    )


def saved(member: TeamMember) -> Estimate:
    """The share of labels saved by the largest promise that was shown."""
    shown = [each.saves for each in member.policies if each.kept == "shown"]
    return shown[-1] if shown else Estimate(0.0, 0.0, 0.0)


def _least_first(each: TeamMember) -> float:
    if each.adds.value is not None:
        return each.adds.value
    return np.inf if each.adds.state == "above" else -np.inf
