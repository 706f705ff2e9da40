"""What `plan_scores` answers with: whom to choose, what that loses, what ratings would save."""

from typing import Any, ClassVar

from headcount.errors import OptionError
from headcount.plan.choice import Choice
from headcount.plan.given import number
from headcount.plan.pilot_words import chance
from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record
from headcount.results.record import rows_as_columns


@record
class MoreRatings(Record):
    """What so many ratings more, one an item, would bring.

    `loss` is what choosing afterwards is still expected to lose, `saved` how much less than now.
    """

    ratings: int
    probability: float
    loss: float
    saved: float


@record
class JudgeDistance(Record):
    """A judge: its mean distance to a person, and the chance that it is the `best` one."""

    name: str
    distance: Estimate
    best: float


@record
class ScorePlan(Result):
    """Which judge's scores to take by a pilot, what that loses, and what ratings would save.

    Attributes
    ----------
    leader, rival : str
        Whom to choose now, and who is most likely to be better.
    gap : Estimate
        By how much the leader is nearer to people, in mean distance.
    classifiers : tuple of JudgeDistance
        In their order: `name`, mean `distance` to a person and the chance of being the `best`.
    more : tuple of MoreRatings
        What 100, 1,000 and 10,000 ratings would bring.
    distance : str
        "squared" or "absolute".
    items : int
        Items of the pilot.
    target, matters, affordable, confidence
        As they were asked for.
    raters : str
        How raters were counted: "new", "same" or "fixed".
    n_raters : int or None
        How many there are, where they have names.
    notes : tuple of str
        What became of the data.

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("scores", items=200, seed=1)
    >>> found = hc.plan_scores(made.ratings, made.predictions)
    >>> found.leader != found.rival
    True
    """

    rows: ClassVar[str] = "classifiers"
    also: ClassVar[tuple[str, ...]] = ("loss_now", "probability_now", "ratings_for_target")

    leader: str
    rival: str
    gap: Estimate
    classifiers: tuple[JudgeDistance, ...]
    more: tuple[MoreRatings, ...]
    distance: str
    items: int
    target: float
    matters: float
    affordable: int
    raters: str
    n_raters: int | None
    confidence: float
    notes: tuple[str, ...] = ()
    choice: Choice = hidden(compare=False, kw_only=True)

    @property
    def loss_now(self) -> float:
        """How much further from people the leader is expected to be than the best one."""
        return self.choice.loss()

    @property
    def probability_now(self) -> float:
        """The chance that the leader is the best one, or less than `matters` behind it."""
        return self.probability()

    def loss(self, more: float = 0) -> float:
        """How much further from people whoever leads later is expected to be than the best one.

        Parameters
        ----------
        more : float
            Further ratings, one each of fresh items.

        Returns
        -------
        float
            A mean distance.

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("scores", items=200, seed=1)
        >>> found = hc.plan_scores(made.ratings, made.predictions)
        >>> found.loss(1000) <= found.loss()
        True
        """
        return self.choice.loss(_ratings(more))

    def probability(self, more: float = 0) -> float:
        """The chance that whoever leads later is the best one, or less than `matters` behind.

        Parameters
        ----------
        more : float
            Further ratings, one each of fresh items.

        Returns
        -------
        float

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("scores", items=200, seed=1)
        >>> found = hc.plan_scores(made.ratings, made.predictions)
        >>> found.probability(1000) >= found.probability()
        True
        """
        return self.choice.probability(_ratings(more), matters=self.matters)

    @property
    def ratings_for_target(self) -> int | None:
        """The fewest more ratings for the target; None beyond what is affordable."""
        if self.probability() >= self.target:
            return 0
        if self.probability(self.affordable) < self.target:
            return None
        low, high = 0, self.affordable
        while high - low > 1:
            middle = (low + high) // 2
            enough = self.probability(middle) >= self.target
            low, high = (low, middle) if enough else (middle, high)
        return high

    def verdict(self) -> str:
        """Whom to choose, what that loses and what more ratings would save."""
        lead = (
            f"{self.leader!r} is nearer to people than {self.rival!r} (by {_size(self.gap.value)} "
            f"of {self.distance} distance)"
        )
        best = "the better one"
        if len(self.classifiers) > 2:
            best = f"the best of {len(self.classifiers)}"
        if self.matters:
            best += f", or less than {_size(self.matters)} behind it,"
        now = f"{lead}, and is {best} with probability {chance(self.probability_now)}"
        loses = f"choosing it now loses {_small(self.loss_now, self.gap.value)} on average"
        if self.probability_now >= self.target:
            return f"{now}: {loses}, so no more ratings are needed to choose."
        needed = self.ratings_for_target
        if needed is None:
            return (
                f"{now}: {loses}. No affordable number of ratings (up to {self.affordable:,}) "
                f"makes it {chance(self.target)}."
            )
        return f"{now}: {loses}. {needed:,} more ratings make it {chance(self.target)}."

    def tables(self) -> tuple[Table, ...]:
        """The judges, and what more ratings would bring."""
        judges: tuple[tuple[Cell, ...], ...] = tuple(
            (each.name, each.distance, chance(each.best)) for each in self.classifiers
        )
        now = (0, chance(self.probability_now), self.loss_now, None)
        more = tuple(
            (each.ratings, chance(each.probability), each.loss, each.saved) for each in self.more
        )
        return (
            Table(
                f"The judges on {self.items:,} items",
                ("classifier", f"{self.distance} distance to a person", "chance to be the best"),
                judges,
                id="classifiers",
            ),
            Table(
                "What more ratings would bring",
                ("ratings, one an item", "the best is chosen", "expected loss", "saved"),
                (now, *more),
                digits=4,
                id="more",
            ),
        )

    def assumptions(self) -> tuple[str, ...]:
        """What the plan rests on."""
        who = {
            "new": "The raters are a sample of people, and further people rate next.",
            "same": "The raters are a sample of people, and rate next too.",
            "fixed": "The raters are taken as they are: it is about people like these.",
        }
        return (
            f"Compared is the mean {self.distance} distance to a person, which needs no truth: "
            "what people differ by is the same for all judges. The next items are like these, "
            "with one rating each: a second one of the same item tells less than one of another.",
            who[self.raters],
            "Numbers are compared as they stand, not calibrated.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What became of the data."""
        return self.notes

    def columns(self) -> dict[str, list[Any]]:
        """A row a number of ratings."""
        return rows_as_columns(self.more)


def _ratings(more: float) -> float:
    asked = number("more", more)
    if asked < 0:
        raise OptionError(f"more is a number of ratings of at least 0; it was {more!r}.")
    return asked


def _size(value: float | None) -> str:
    return f"{value or 0.0:.3g}"


def _small(loss: float, gap: float | None) -> str:
    """A loss in words: nobody cares about less than a thousandth of the gap."""
    least = float(f"{abs(gap or 0.0) / 1000:.0e}")
    return f"less than {least:g}" if loss < least else _size(loss)
