"""Whom to ask, as a result: a table of what to do in each state, and what it costs and brings."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.data import (
    Classifier,
    Labels,
    Settled,
    as_predictions,
    as_ratings,
    group_rows,
    settle,
)
from headcount.equivalence import people
from headcount.errors import OptionError
from headcount.population import every_survey
from headcount.results import (
    Estimate,
    Record,
    Result,
    Table,
    frame_from_columns,
    hidden,
    percent,
    record,
)
from headcount.together.asking import Asking, Payoff
from headcount.together.frontier import FrontierPoint, frontier
from headcount.together.promise import Asker

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

Kept = Literal["shown", "not shown"]

ASK = "ask one more"
"""What a policy says of an item that is not decided yet."""


@record
class PolicyFigures(Record):
    """A promise in figures: as good as so many people about every item, for so many labels each."""

    as_good_as: int
    labels: Estimate
    agree: Estimate
    kept: Kept
    saves: Estimate


@record
class Rule(Record):
    """What to do with an item in a `cell`, of whose people so many said each label: `action`."""

    cell: int
    said: dict[str, int]
    action: str


@record
class Policy(Result):
    """Whom to ask: what to do with an item, by the classifier's answer and what people said so far.

    Attributes
    ----------
    name : str
        The classifier's.
    promise : str
        What was promised, such as "as good as asking three people about every item".
    kept : {"shown", "not shown"}
        Whether a test on items that nothing was learned from showed that the promise is kept.
    labels : Estimate
        Labels an item that it asks for, on those items.
    agree : Estimate
        The share of people who agree with what is decided, on those items.
    people : Estimate
        The same share where everybody is asked as was promised against; undefined where it was not.
    saves : Estimate
        The share of labels that is saved, against asking so many people about every item.
    lead : Estimate
        How much larger `agree` is than `people`, paired by item.

    Examples
    --------
    >>> import headcount as hc
    >>> data = hc.simulate.make("running-example", items=900, seed=1)
    >>> policy = hc.together(data.ratings, data.predictions, n_bootstrap=0).policy(as_good_as=3)
    >>> policy.kept
    'shown'
    """

    name: str
    promise: str
    kept: Kept
    labels: Estimate
    agree: Estimate
    people: Estimate
    saves: Estimate
    lead: Estimate
    asker: Asker = hidden(kw_only=True, compare=False)
    asking: Asking = hidden(kw_only=True, compare=False)
    payoff: Payoff = hidden(kw_only=True, compare=False)
    of: Labels = hidden(kw_only=True)
    everyone: int | None = hidden(kw_only=True, default=None)
    positive: int | None = hidden(kw_only=True, default=None)

    rows = "rules"
    also = ("label_names", "everyone", "limit", "cells", "rules")
    named: ClassVar[Mapping[str, str]] = {"name": "classifier", "everyone": "ask_everyone"}

    def decide(
        self,
        answer: str | float | Mapping[str, float],
        labels_so_far: Sequence[str] | Mapping[str, int] = (),
    ) -> str:
        """What to do with an item.

        Parameters
        ----------
        answer : str, float or mapping
            What the classifier says: a label, a chance of each label by name, or of two labels
            the chance of the positive one.
        labels_so_far : sequence or mapping
            What people said of this item: their labels, or how many gave each.

        Returns
        -------
        str
            A label, or "ask one more".

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=900, seed=1)
        >>> team = hc.together(data.ratings, data.predictions, n_bootstrap=0)
        >>> policy = team["calibrated"].policy(price=0.2)
        >>> policy.decide(0.02), policy.decide(0.98)
        ('neg', 'pos')
        """
        said = self._said(labels_so_far)
        classifier = self._classifier(answer)
        cell = -1 if self.everyone is not None else int(self.asker.cells.of(classifier)[0])
        return self._of_state(cell, said)

    def route(self, predictions: Any, labels_so_far: Any = None) -> Any:
        """What to do with each of many items.

        Parameters
        ----------
        predictions : Predictions, frame or path
            What the classifier says of new items.
        labels_so_far : Ratings, frame or path, optional
            What people said of them.

        Returns
        -------
        frame
            `item`, `asked` (how many people answered so far) and `action`: a label, or "ask one
            more". Items without an answer of the classifier are asked as many people as the policy
            may ask at most.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=900, seed=1)
        >>> team = hc.together(data.ratings, data.predictions, n_bootstrap=0)
        >>> found = team["calibrated"].policy(as_good_as=3).route(data.predictions)
        >>> found.column_names
        ['item', 'asked', 'action']
        """
        given = as_predictions(predictions)
        if self.name not in given.names:
            raise OptionError(
                f"{given.name} has no answers of {self.name!r}, which the policy was learned for: "
                f"it has those of {', '.join(given.names)}."
            )
        given = given.here()
        raw = next(each for each in given.classifiers if each.name == self.name)
        positive = 1 if self.positive is None else self.positive
        answers = settle(given, raw, self.of, positive)
        items = [str(each) for each in given.ids.to_pylist()]
        said = self._so_far(items, labels_so_far)
        action = self._actions(answers, said)
        asked = [int(each) for each in said.sum(axis=1)]
        found: dict[str, list[Any]] = {"item": items, "asked": asked, "action": action}
        return frame_from_columns(found, self.library)

    def _so_far(self, items: list[str], labels_so_far: Any) -> Ints:
        """How many people gave each label to each of `items`, (n, L)."""
        said = np.zeros((len(items), self.of.n), dtype=np.int64)
        if labels_so_far is None:
            return said
        ratings = as_ratings(labels_so_far)
        unknown = [name for name in ratings.labels.names if name not in self.of.names]
        if unknown:
            self._said(unknown)
        counted = ratings.item_counts()
        row = {str(item): place for place, item in enumerate(counted.items)}
        code = [self.of.names.index(name) for name in ratings.labels.names]
        for place, item in enumerate(items):
            if item in row:
                said[place, code] = counted.counts[row[item]]
        return said

    def _actions(self, answers: Settled, said: Ints) -> list[str]:
        """The action for each row of answers, alike rows worked out once."""
        soft = bool(self.asker.cells.edges)
        usable = answers.answered & ((answers.probabilities is not None) == soft)
        classifier = Classifier(
            self.name,
            codes=answers.codes,
            probabilities=answers.probabilities,
            scores=answers.scores,
        )
        cell = np.full(len(said), -1)
        if usable.any() and self.everyone is None:
            cell[usable] = self.asker.cells.of(classifier.take(usable))
        groups = group_rows(cell, said)
        of_groups = [self._of_state(int(cell[first]), said[first]) for first in groups.first]
        return [of_groups[each] for each in groups.of_row]

    def _of_state(self, cell: int, said: Ints) -> str:
        """The action in a cell, or without one (−1), after what people `said` (L,)."""
        asked = int(said.sum())
        upto = self.asking.most if self.everyone is None else self.everyone
        if cell >= 0 and asked <= self.asking.most:
            return self._action(cell, said)
        if cell < 0 and asked < upto:
            return ASK
        if asked < len(self.asker.learned.people):
            q = self.asker.learned.people[asked][0, _place(said)]
            return self.of.names[int(self.payoff.decision(q))]
        # More labels than were ever looked at: people have decided.
        return self.of.names[int(said.argmax())]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every state that can be reached, by cell and by how many were asked."""
        if self.everyone is not None:
            return ()
        n_labels = self.of.n
        found = []
        for k, reached in enumerate(self.asking.reached(n_labels)):
            y = every_survey(k, n_labels)
            for cell, place in zip(*np.nonzero(reached > 0), strict=True):
                said = {
                    name: int(number)
                    for name, number in zip(self.of.names, y[place], strict=True)
                    if number
                }
                found.append(Rule(int(cell), said, self._action(int(cell), y[place])))
        return tuple(sorted(found, key=lambda rule: rule.cell))

    def frontier(self) -> tuple[FrontierPoint, ...]:
        """Labels an item against what they bring, for this policy's rivals and all its kin."""
        return frontier(self.asker, self.payoff, len(self.asker.learned.predictions) - 1)

    def verdict(self) -> str:
        """What it costs and what it brings."""
        if self.everyone is not None:
            return (
                f"No policy with {self.name} was shown to be {self.promise}: ask "
                f"{people(self.everyone, noun='person')} about every item."
            )
        said = f"With {self.name}, asking {_labels(self.labels)} an item"
        if self.labels.value == 0:
            said = f"With {self.name}, asking nobody"
        shown = "was shown to be" if self.kept == "shown" else "was not shown to be"
        told = f"{said} {shown} {self.promise}: {self.agree.share_text()} of people agree"
        against = "" if self.people.value is None else f", {self.people.share_text()} with theirs"
        return f"{told}{against}."

    def tables(self) -> tuple[Table, ...]:
        """What it costs and brings."""
        rows = [("labels an item", self.labels.text(2))]
        if self.saves.value is not None:
            rows.append(("labels saved", self.saves.text(percent=True)))
        rows.append(("people who agree", self.agree.text(percent=True)))
        if self.people.value is not None:
            rows.append(("where all are asked", self.people.text(percent=True)))
            rows.append(("difference in points", self.lead.points_text()))
        return (
            Table(
                f"Asking with {self.name}",
                ("on items that nothing was learned from", ""),
                tuple(rows),
                id="policy",
            ),
        )

    def assumptions(self) -> tuple[str, ...]:
        """What it rests on."""
        judging = self.asker.judging
        return (
            "People are asked one after the other, in any order, and say what they would have said "
            "alone.",
            f"It was learned on two thirds of the items and tested on {int(judging.size.sum()):,} "
            "others, from the dearest policy to the cheapest, up to the first that failed a "
            "one-sided test at 95 %.",
            _OF_ITEMS if judging.without is None else judging.plan.speaks(),
        )

    def columns(self) -> dict[str, list[Any]]:
        """A row a state: the cell, how many people gave each label, what to do."""
        rules = self.rules
        told: dict[str, list[Any]] = {"cell": [rule.cell for rule in rules]}
        for name in self.of.names:
            told[f"said:{name}"] = [rule.said.get(name, 0) for rule in rules]
        told["action"] = [rule.action for rule in rules]
        return told

    @property
    def label_names(self) -> tuple[str, ...]:
        """The labels' names in order."""
        return self.of.names

    @property
    def limit(self) -> int:
        """The most people it asks about an item."""
        return self.asking.most

    @property
    def cells(self) -> dict[str, Any]:
        """How answers become cells."""
        return {} if self.everyone is not None else self.asker.cells.to_dict()

    def _action(self, cell: int, said: Ints) -> str:
        k, place = int(said.sum()), _place(said)
        if self.asking.asks[k][cell, place]:
            return ASK
        q = self.asker.learned.predictions[k][cell, place]
        return self.of.names[int(self.payoff.decision(q))]

    def _said(self, labels: Sequence[str] | Mapping[str, int]) -> Ints:
        number = labels if isinstance(labels, Mapping) else _tally(labels)
        unknown = [name for name in number if name not in self.of.names]
        if unknown:
            raise OptionError(
                f"{unknown[0]!r} is not one of the labels ({self.of.listing()}): give labels as "
                "people's ratings name them."
            )
        return np.array([number.get(name, 0) for name in self.of.names], dtype=np.int64)

    def _classifier(self, answer: Any) -> Classifier:
        """An answer as the study would have read it."""
        names, soft = self.of.names, bool(self.asker.cells.edges)
        if isinstance(answer, str) and not soft:
            code = names.index(answer) if answer in names else -1
            return Classifier(self.name, codes=np.array([code]))
        if isinstance(answer, Mapping) and soft:
            chances = np.array([[float(answer.get(name, 0.0)) for name in names]])
            if chances.min() >= 0 and chances.sum() > 0:
                return Classifier(self.name, probabilities=chances / chances.sum())
        if isinstance(answer, int | float) and soft and len(names) == 2 and 0 <= answer <= 1:
            at = 1 if self.positive is None else self.positive
            chances = np.full((1, 2), 1.0 - answer)
            chances[0, at] = answer
            return Classifier(self.name, probabilities=chances)
        raise OptionError(
            f"{self.name} answers with {'chances of each label' if soft else 'a label'}, such as "
            f"{ {names[0]: 0.9} if soft else repr(names[0]) }; it was {answer!r}."
        )


_OF_ITEMS = "The test speaks of other items like these, judged by people like these."


def _tally(labels: Sequence[str]) -> dict[str, int]:
    number: dict[str, int] = {}
    for label in labels:
        number[str(label)] = number.get(str(label), 0) + 1
    return number


def _place(said: Ints) -> int:
    """Where a survey (L,) stands among all of its size."""
    every = every_survey(int(said.sum()), len(said))
    return int(np.flatnonzero((every == said).all(axis=1))[0])


def _labels(labels: Estimate) -> str:
    assert labels.value is not None
    return (
        f"{labels.value:.2f} people".replace("0.", ".", 1)
        if labels.value < 1
        else (f"{labels.value:.1f} people")
    )


def promise_words(as_good_as: int) -> str:
    """What is promised, in words."""
    return f"as good as asking {people(as_good_as, noun='person')} about every item"


def share_words(share: float) -> str:
    """The same of a share of people who agree."""
    return f"as good as {percent(share, None)} of people agreeing"
