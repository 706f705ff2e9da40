"""What `population` answers with."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from headcount.data import Nearness
from headcount.errors import OptionError
from headcount.population.model import Population
from headcount.results import Cell, Estimate, Record, Result, Table, count, hidden, percent, record
from headcount.sampling import Bootstrap, Plan

CLEAR, CONTESTED = 0.9, 0.7
"""Nine in ten people on one side make an item clear; fewer than seven leave it contested."""

# Raters up to which the curve is drawn: past them it all but reaches the ideal.
_DRAWN_TO = 50

# Raters at which the table gives the curve: close together where it rises.
_SHOWN = (0, 1, 2, 3, 5, 10, 20, 50, 100)

# Bounds within half a point leave nothing open that is worth a sentence.
_NARROW = 0.005


@record
class ItemShare(Record):
    """The share of items of which more than `low` and up to `high` of people hold one view."""

    low: float
    high: float
    share: float


@record
class NextRating(Record):
    """Between what limits the ceiling stays unknown, however many items are rated.

    With `ratings` an item, and with one more.
    """

    ratings: int
    low: float
    high: float
    low_with_one_more: float
    high_with_one_more: float


@record
class CurvePoint(Record):
    """What predictions from so many raters score."""

    raters: int
    score: float


@record
class PopulationOfItems(Result):
    """How much people differ from item to item, and the best that any classifier could do.

    Attributes
    ----------
    items, ratings : int
        What the population was fitted to.
    labels : tuple of str
        The labels in order.
    scorer : str
        What `ideal` and the curve are scored by.
    flip_rate : float
        Slips that were set aside.
    ceiling : Estimate
        The share of people whom the best possible decisions have on their side; on a scale, who
        are near them.
    ideal : Estimate
        The score of the classifier that knows each item's shares.
    least_distance, people_distance : Estimate or None
        On a scale, how far people are from the best possible decisions, and from each other.
    shares : tuple of ItemShare
        How many items are clear and how many contested.
    next_rating : NextRating or None
        What one more rating an item would pin down (two labels, up to twenty ratings an item).

    Examples
    --------
    >>> import headcount as hc
    >>> found = hc.population(hc.simulate.make("running-example", items=200, seed=1).ratings)
    >>> 0.5 < found.ceiling.low < found.ceiling.high < 1
    True
    """

    items: int
    ratings: int
    labels: tuple[str, ...]
    scorer: str
    flip_rate: float
    ceiling: Estimate
    ideal: Estimate
    least_distance: Estimate | None
    people_distance: Estimate | None
    shares: tuple[ItemShare, ...]
    next_rating: NextRating | None
    plan: Bootstrap = hidden()
    samples: Plan = hidden()
    fitted: Population = hidden(compare=False)
    nearness: Nearness = hidden()
    clip: float = hidden(default=0.0)
    seed: int = hidden(default=0)
    notes: tuple[str, ...] = hidden(default=())

    rows: ClassVar[str] = "points"
    also = ("points", "about", "unchecked")
    named: ClassVar[Mapping[str, str]] = {"points": "curve"}

    def curve(self, k: int) -> Estimate:
        """The score of the best prediction from k raters, for any k.

        Parameters
        ----------
        k : int
            At least 0; there is no end to it.

        Returns
        -------
        Estimate
            Whose note says "modelled" past the ratings an item there are.

        Examples
        --------
        >>> import headcount as hc
        >>> found = hc.population(hc.simulate.make("running-example", items=200, seed=1).ratings)
        >>> found.curve(1).value < found.curve(50).value < found.ideal.value
        True
        """
        if isinstance(k, bool) or k != int(k) or k < 0:
            raise OptionError(f"The curve is of 0, 1, 2, … raters; {k!r} is not such a number.")
        found = self.fitted.curve(
            k,
            self.scorer,  # type: ignore[arg-type]
            clip=self.clip,
            seed=self.seed,
        )
        note = None
        if k >= self.fitted.most_ratings:
            note = f"modelled: beyond the {self.fitted.most_ratings} ratings an item there are"
        return Estimate(float(found.scores[0]), note=note)

    @property
    def points(self) -> tuple[CurvePoint, ...]:
        """The curve at a few numbers of raters."""
        return tuple(CurvePoint(k, float(self.curve(k))) for k in _SHOWN)

    @property
    def line(self) -> tuple[CurvePoint, ...]:
        """The curve as it is drawn: at every number of raters in the data, thinner beyond."""
        known = min(self.fitted.most_ratings - 1, _DRAWN_TO)
        places = {*range(known + 1), *np.geomspace(1, _DRAWN_TO, 20).astype(int).tolist()}
        return tuple(CurvePoint(k, float(self.curve(k))) for k in sorted(places))

    @property
    def least_ceiling(self) -> float:
        """The lowest that a ceiling could be."""
        return least_near(self.nearness)

    @property
    def views(self) -> str:
        """The people who side with each other on an item, as a heading."""
        if not self.nearness.has_order:
            return "people who hold the commonest view"
        return f"people {self.nearness.within} of the best answer"

    @property
    def clear(self) -> float:
        """The share of items of which nine in ten people or more hold one view."""
        return sum(each.share for each in self.shares if each.low >= CLEAR)

    @property
    def contested(self) -> float:
        """The share of items of which fewer than seven in ten people hold one view."""
        return sum(each.share for each in self.shares if each.high <= CONTESTED)

    @property
    def about(self) -> str:
        """What the intervals speak of."""
        return self.samples.sentence()

    def verdict(self) -> str:
        """The ceiling, and how many items are clear and contested."""
        if self.nearness.has_order:
            return self._on_a_scale()
        return (
            f"No classifier could have more than {self.ceiling.text(percent=True)} of people on "
            f"its side: on {percent(self.clear, 0)} of items at least nine in ten hold the same "
            f"view, on {percent(self.contested, 0)} fewer than seven in ten do."
        )

    def _on_a_scale(self) -> str:
        assert self.least_distance is not None
        assert self.people_distance is not None
        near, unit = self.nearness.within, self.nearness.unit
        return (
            f"No classifier could be {near} of more than {self.ceiling.text(percent=True)} of "
            f"people, or nearer to them than {self.least_distance.text(2)}{unit} on average, where "
            f"two people are {self.people_distance.text(2)} apart. On {percent(self.clear, 0)} of "
            f"items one answer is {near} of at least nine in ten people, on "
            f"{percent(self.contested, 0)} none is of seven in ten."
        )

    def tables(self) -> tuple[Table, ...]:
        """The best that could be done, the items by how contested they are, and the curve."""
        return (self._best_table(), self._share_table(), self._curve_table())

    def assumptions(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        ordered = len(self.labels) > 2 and self.fitted.fit is not None and not self.flip_rate
        fitted = (
            "Any population of items is allowed: the fit and the intervals assume no shape."
            if len(self.labels) == 2
            else "Items differ in where people place them on the scale and in how far apart people "
            "are, in any mixture; each item's people spread about one place. That predicted "
            "held-out items better than a mixture of Dirichlet distributions."
            if ordered
            else "The population of items is a mixture of Dirichlet distributions, as many as "
            "predict held-out items best; the ceiling rests on that shape."
        )
        return (
            "Each item has its own share of people for each label, and its ratings are "
            "independent draws from them: whoever rated an item is a random person.",
            fitted,
            f"Intervals speak of {self.samples.sentence()}.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What more ratings could tell, and what was left out."""
        return (*self._open(), *self.notes)

    def _open(self) -> tuple[str, ...]:
        more = self.next_rating
        if more is None or more.high - more.low < _NARROW:
            return ()
        ratings = count(more.ratings, "rating", "ratings")
        return (
            f"With {ratings} an item the ceiling stays open between {percent(more.low)} and "
            f"{percent(more.high)}, however many items are rated; one more rating an item "
            f"would leave {percent(more.low_with_one_more)} to "
            f"{percent(more.high_with_one_more)}.",
        )

    def _best_table(self) -> Table:
        rows: tuple[tuple[Cell, ...], ...] = (
            (
                "ceiling",
                self.ceiling.text(percent=True),
                f"people {self.nearness.within} of the best answers"
                if self.nearness.has_order
                else "people whom the best decisions please",
            ),
            *self._distances(),
            (f"ideal ({self.scorer})", self.ideal.text(3), "knowing each item's shares of people"),
        )
        return Table(
            "The best that any classifier could do",
            ("what", "estimate", "what it is"),
            rows,
            caption=f"{count(self.items, 'item', 'items')} with "
            f"{count(self.ratings, 'rating', 'ratings')}; {100 * self.plan.confidence:g} % "
            f"intervals about {self.samples.sentence()}.",
            id="best",
        )

    def _distances(self) -> tuple[tuple[Cell, ...], ...]:
        if self.least_distance is None or self.people_distance is None:
            return ()
        return (
            ("least distance", self.least_distance.text(2), "from a person to the best answers"),
            ("people's distance", self.people_distance.text(2), "from a person to another"),
        )

    def _share_table(self) -> Table:
        rows = tuple(
            (f"{percent(each.low, 0)} to {percent(each.high, 0)}", percent(each.share, 0))
            for each in self.shares
        )
        return Table(
            "How contested the items are",
            (self.views, "items"),
            rows,
            caption="Estimated for people at large, not counted in the few ratings of each item.",
            id="shares",
        )

    def _curve_table(self) -> Table:
        rows = tuple((each.raters, each.score) for each in self.points)
        return Table(
            f"How well k raters predict one more ({self.scorer})",
            ("raters", "score"),
            (*rows, ("without end", float(self.ideal))),
            id="curve",
        )


def least_near(nearness: Nearness) -> float:
    """The smallest share of people that the best answer can have: they lie as far apart as can be.

    >>> from headcount.data import Scale
    >>> least_near(Nearness.of(Scale("ordered", tuple("12345"), (1.0, 2.0, 3.0, 4.0, 5.0))))
    0.5
    """
    places, camps = sorted(nearness.places), 0
    reached = float("-inf")
    for place in places:
        if place > reached:
            camps += 1
            reached = place + 2 * nearness.tolerance
    return 1 / max(camps, 1)
