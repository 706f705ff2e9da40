"""Several classifiers as one, as a result: what all are worth, and which suffice."""

from typing import Any

import numpy as np
import pyarrow as pa

from headcount.data import Labels, Predictions, Study, as_predictions, deal_folds
from headcount.equivalence import PowerCurve
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record
from headcount.results.words import number_word, worth_text
from headcount.sameness import as_good
from headcount.together.judge_answers import answers_of
from headcount.together.panel_scores import PanelFolds, PanelReading
from headcount.together.policy import Policy
from headcount.together.team_member import TeamMember

_NEAR = 0.5
"""People by which a smaller panel may be worth less than the best and still be as good."""

_NAMED = 6
"""Judges that a sentence names."""

_FOLDS = 5


@record
class PanelMember(Record):
    """One judge of a panel: its `worth` alone, what it `adds` to the others, its `weight`.

    The weight is the power its answer has in the pool; nought where the others say it all.
    """

    name: str
    worth: Estimate
    adds: Estimate
    weight: float


@record
class BestPanel(Record):
    """The best panel of its `size`: its judges' `names` in the order they were taken, `worth`."""

    size: int
    names: tuple[str, ...]
    worth: Estimate


@frozen(eq=False)
class PanelSource:
    """What a panel was learned from: the study, and how it answers about `new` items."""

    study: Study
    labels: Labels
    positive: int
    new: PanelReading


@record
class Panel(Result):
    """Several classifiers as one: what all of them are worth, and which suffice.

    Attributes
    ----------
    worth : Estimate
        How many people all of them are worth together.
    members : tuple of PanelMember
        Each of them: its worth alone, what it adds to the others, its weight.
    best : tuple of BestPanel
        The best one, two, three, …, each chosen and judged on different items.
    errors_together : float or None
        The mean correlation of their errors: how far they are wrong on the same items.
    team : TeamMember
        The panel with people: `panel.team.worth_with(2)`, `panel.team.adds`.

    Examples
    --------
    >>> import headcount as hc
    >>> data = hc.simulate.make("comments", items=400, seed=1)
    >>> found = hc.panel(data.ratings, data.predictions, n_bootstrap=0)
    >>> found.worth.value > max(each.worth.value for each in found.members) - 0.2
    True
    """

    worth: Estimate
    members: tuple[PanelMember, ...]
    best: tuple[BestPanel, ...]
    name: str = hidden(kw_only=True)
    errors_together: float | None = hidden(kw_only=True, default=None)
    team: TeamMember = hidden(kw_only=True, compare=False)
    curve: PowerCurve = hidden(kw_only=True, compare=False)
    source: PanelSource = hidden(kw_only=True, compare=False)

    rows = "members"

    @property
    def smallest(self) -> BestPanel:
        """The smallest panel whose worth is within half a person of the best one's."""
        most = max(_number(each.worth) for each in self.best)
        near = [
            each
            for each in self.best
            if _number(each.worth) == most or as_good(_number(each.worth), most - _NEAR, scale=1.0)
        ]
        return near[0]

    @property
    def times_mean(self) -> float | None:
        """What all are worth, as a multiple of what they are worth on average."""
        known = [each.worth.value for each in self.members if each.worth.value is not None]
        mean = sum(known) / len(self.members)
        if self.worth.value is None or len(known) < len(self.members) or mean <= 0:
            return None
        return self.worth.value / mean

    def policy(self, **asked: Any) -> Policy:
        """Whom to ask beside the panel.

        Parameters
        ----------
        **asked
            As for `team["name"].policy`: `as_good_as=3`, `agree=.85`, `labels=.5`, `price=.01`.

        Returns
        -------
        Policy
            Whose answers are those of `predict`.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("comments", items=900, seed=1)
        >>> found = hc.panel(data.ratings, data.predictions, n_bootstrap=0)
        >>> found.policy(as_good_as=3).name
        'panel'
        """
        return self.team.policy(**asked)

    @property
    def predictions(self) -> Predictions:
        """The panel's probabilities for the study's items, as predictions of one classifier.

        Those of rated items were learned without their own ratings, so that the panel can be
        judged anywhere: `hc.evaluate(ratings, found.predictions)`.
        """
        study, new = self.source.study, self.source.new
        assert study.predictions is not None
        if study.in_groups:
            raise UnanswerableError(
                "Items were looked at in groups, without their ids: ask predict(new predictions)."
            )
        given = study.predictions.here()
        said = dict(
            zip(
                given.ids.to_pylist(),
                new.of(answers_of(given, self.names, self.source.labels, self.source.positive)),
                strict=True,
            )
        )
        judged = study.judged
        assert judged.items is not None
        # Dealt in the order of ids, so that the order of rows does not matter.
        by_id = np.argsort(judged.items.astype(str), kind="stable")
        fold = np.empty(len(by_id), dtype=np.int64)
        fold[by_id] = deal_folds(len(by_id), min(_FOLDS, len(by_id)), 0)
        folds = PanelFolds.of(judged.classifiers, judged.counts, judged.size.astype(float), fold)
        pools = ([items.pool(range(len(self.names)))] for items in folds.outside)
        own = folds.of_pools(pools, 1)[0]
        said |= dict(zip(judged.items.tolist(), own, strict=True))
        return self._as_predictions(list(said), np.array(list(said.values())))

    def predict(self, predictions: Any) -> Predictions:
        """What the panel says of new items, from what its judges say of them.

        Parameters
        ----------
        predictions : Predictions, frame or path
            The judges' answers. One that has none on an item leaves it to the others.

        Returns
        -------
        Predictions
            One classifier, called as the panel is, with a probability for each label.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("comments", items=400, seed=1)
        >>> found = hc.panel(data.ratings, data.predictions, n_bootstrap=0)
        >>> found.predict(data.predictions).names
        ('panel',)
        """
        given = as_predictions(predictions).here()
        absent = [name for name in self.names if name not in given.names]
        if absent:
            raise OptionError(
                f"{given.name} has no answers of {absent[0]!r}, one of the panel's judges: it has "
                f"those of {', '.join(given.names)}."
            )
        judges = answers_of(given, self.names, self.source.labels, self.source.positive)
        return self._as_predictions(given.ids.to_pylist(), self.source.new.of(judges))

    def _as_predictions(self, items: list[Any], said: Any) -> Predictions:
        columns: dict[str, Any] = {"item": [str(each) for each in items]}
        for place, label in enumerate(self.source.labels.names):
            columns[f"{self.name}:{label}"] = said[:, place]
        return Predictions.from_frame(pa.table(columns))

    @property
    def names(self) -> tuple[str, ...]:
        """The judges' names."""
        return tuple(each.name for each in self.members)

    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """The panel's quantities by name, as requirements ask for them."""
        return {self.name: {"worth": self.worth, "adds": self.team.adds}}

    def verdict(self) -> str:
        """What all are worth, and which suffice."""
        n = len(self.members)
        alone = self.best[0]
        said = (
            f"Together the {number_word(n)} classifiers are worth {_worth(self.worth)}, the best "
            f"one alone ({alone.names[0]}) {_worth(alone.worth, noun='')}."
        )
        few = self.smallest
        if few.size == 1:
            more = f"To half a person {few.names[0]} alone is worth as much as any panel of them."
        elif few.size == n:
            more = "No smaller panel is worth as much to half a person."
        elif few.size > _NAMED:
            more = f"It takes {few.size} of them to be worth as much to half a person."
        else:
            named = f"{', '.join(few.names[:-1])} and {few.names[-1]}"
            more = f"{named} suffice: to half a person they are worth as much as any."
        return f"{said} {more}"

    def tables(self) -> tuple[Table, ...]:
        """The best panels by size, and what each judge is worth and adds."""
        sizes: list[tuple[Cell, ...]] = [
            (each.size, worth_text(each.worth, noun=""), self._taken(place))
            for place, each in enumerate(self.best)
        ]
        if self.best[-1].size < len(self.members):
            sizes.append((len(self.members), worth_text(self.worth, noun=""), "all of them"))
        by_adds = sorted(self.members, key=lambda each: -_number(each.adds))
        rows: list[tuple[Cell, ...]] = [
            (each.name, worth_text(each.worth, noun=""), _difference(each.adds), each.weight)
            for each in by_adds
        ]
        return (
            Table(
                "The best panels (worth in people)",
                ("classifiers", "worth", "taken in"),
                tuple(sizes),
                caption="Chosen and judged on different items, by what they say together.",
                digits=2,
                id="panels",
            ),
            Table(
                "What each adds to the others (people)",
                ("classifier", "worth alone", "adds", "weight"),
                tuple(rows),
                caption="Weight: the power that its calibrated answer has in the pool.",
                digits=2,
                id="members",
            ),
        )

    def _taken(self, place: int) -> str:
        """Who is new in the best panel of this size."""
        before = self.best[place - 1].names if place else ()
        return ", ".join(name for name in self.best[place].names if name not in before) or "–"

    def assumptions(self) -> tuple[str, ...]:
        """What it rests on."""
        return (
            "Judges' calibrated answers are multiplied, each to a power of its own; readings, "
            "powers and which judges are taken are all learned on other items.",
            *self.curve.assumptions(),
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, dropped or drawn."""
        found = []
        times = self.times_mean
        if times is not None:
            found.append(f"All are worth {times:.1f} times what they are worth on average.")
        if self.errors_together is not None:
            found.append(
                "They are wrong on the same items with a mean correlation of "
                f"{self.errors_together:.2f}."
            )
        return (*found, *self.curve.unchecked())


def _number(estimate: Estimate) -> float:
    """Its value, infinite where it lies beyond the curve."""
    if estimate.value is not None:
        return estimate.value
    return {"above": np.inf, "below": 0.0}.get(estimate.state or "", -np.inf)


def _worth(worth: Estimate, noun: str = " people") -> str:
    return "nothing" if worth.state == "below" else worth_text(worth, noun)


def _difference(adds: Estimate) -> str:
    return adds.text(2) if adds.known else "–"
