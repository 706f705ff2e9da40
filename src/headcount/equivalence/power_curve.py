"""The rater power curve as a result, and what it was asked for."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats
from headcount.equivalence.crossing import falls, reach_of
from headcount.equivalence.exact import Curve
from headcount.equivalence.past_the_data import Beyond
from headcount.equivalence.words import counted, digits_for, people
from headcount.errors import OptionError
from headcount.results import (
    Cell,
    Estimate,
    Record,
    Result,
    Table,
    hidden,
    percent,
    record,
)
from headcount.sameness import exceeds, scale_of
from headcount.sampling import Bootstrap, Plan, Sampled, Tail

# Points of a curve that a table shows; the result has all of them.
_ROWS = 10


@record
class Asked(Record):
    """What a curve was asked for and on which data: everything but the numbers.

    `raters` is K, the answers every used item has; the curve ends at K − `reference_raters`
    (at K where the label to predict comes from another pool). `combiner_chosen` says why it is
    this combiner where that was left open. `clip` is None where the scorer
    takes no logarithm. `refitted` says whether the combiner learned anew in every bootstrap
    sample, None where it learns nothing. `samples` is what intervals count as samples (items
    alone where it is None), `left_out` who was left out in turn.
    """

    items_used: int
    items_dropped: int
    labels: tuple[str, ...]
    combiner: str
    combiner_chosen: str | None
    scorer: str
    clip: float | None
    raters: int
    reference_raters: int
    engine: str
    refitted: bool | None = None
    bootstrap: Bootstrap = hidden(default=Bootstrap())
    samples: Plan | None = hidden(default=None)
    left_out: tuple[str, ...] = hidden(default=())
    notes: tuple[str, ...] = hidden(default=())
    cautions: tuple[str, ...] = hidden(default=())
    undefined: str = hidden(default="there is no value for these data")

    also = ("n_bootstrap", "confidence", "seed", "about")

    @property
    def about(self) -> str:
        """What the intervals speak of."""
        return self.plan.sentence()

    def speaks(self) -> str:
        """The same as a sentence of its own."""
        return self.plan.speaks()

    @property
    def plan(self) -> Plan:
        """What intervals count as a sample."""
        return self.samples or Plan(max(self.items_used, 1))

    @property
    def n_bootstrap(self) -> int:
        """How many bootstrap samples there are."""
        return self.bootstrap.samples

    @property
    def confidence(self) -> float:
        """The confidence of the intervals."""
        return self.bootstrap.confidence

    @property
    def seed(self) -> int:
        """The seed of the samples."""
        return self.bootstrap.seed

    @property
    def tail(self) -> Tail:
        """The share of draws that an interval leaves out on each side."""
        return self.bootstrap.tail(self.items_used if self.samples is None else self.samples.units)

    def sampled(self, value: ArrayLike, draws: Floats, without: Floats | None) -> Sampled:
        """Numbers (…) of the curve's own samples: `draws` (B, …), `without` (J, …) or None."""
        return Sampled(np.asarray(value, dtype=np.float64), draws, without, self.plan)

    def estimate(self, number: Sampled, undefined: str | None = None) -> Estimate:
        """A number of the curve with its interval; `undefined` is why there may be none."""
        return number.estimate(
            self.confidence, scale="plain", undefined=undefined or self.undefined
        )


def against(reference_raters: int) -> str:
    """Whom everything is scored against, in words."""
    if reference_raters == 1:
        return "one held-out rater"
    return f"the plurality of {reference_raters} held-out raters"


@record
class CurvePoint(Record):
    """The score of surveys of so many `raters`, and their `gain` over asking nobody.

    `support` is the share of surveys that another item could have given too; a learned
    combiner backs off for the others, `backed_off` of them. `monte_carlo_error` is 0 where
    all surveys were enumerated. `modelled` points lie past the raters in the data: they are
    those of the fitted population.
    """

    raters: int
    score: Estimate
    gain: Estimate
    support: float
    backed_off: int
    monte_carlo_error: float
    modelled: bool = False

    unfolded = ("score",)


@record
class PowerCurve(Result):
    """How well surveys of 0, 1, 2, … raters predict one more rater.

    Attributes
    ----------
    asked : Asked
        What for and on which data: items used and dropped, combiner, scorer, clip.
    points : tuple of CurvePoint
        The curve in the data: `raters`, `score`, `gain`, `support`.
    modelled : tuple of CurvePoint
        Its further points by the fitted population, up to where more raters are no longer told
        apart.
    ideal : Estimate
        The score that it tends to, of the classifier that knows how people divide on each item.
    values : ndarray
        (K,) the scores in the data, NaN where undefined; position k is a survey of k.
    draws : ndarray
        (B, K) their bootstrap.
    without : ndarray or None
        (J, K) the curve without each rater, where raters are taken as a sample.

    Examples
    --------
    >>> import headcount as hc
    >>> counts = [[9, 1], [8, 2], [1, 9], [5, 5]] * 50
    >>> ratings = hc.Ratings.from_counts(counts, labels=["no", "yes"])
    >>> curve = hc.power_curve(ratings, n_bootstrap=0)
    >>> curve.most, len(curve.values)
    (9, 10)
    """

    asked: Asked
    points: tuple[CurvePoint, ...] = hidden()
    modelled: tuple[CurvePoint, ...] = hidden()
    ideal: Estimate
    measured: Curve = hidden()
    beyond: Beyond | None = hidden(default=None, compare=False)
    without: Floats | None = hidden(default=None)

    rows = "all_points"
    also = ("monotone", "all_points", "unchecked")
    named: ClassVar[Mapping[str, str]] = {"all_points": "power_curve"}
    unfolded = ("asked",)

    @property
    def all_points(self) -> tuple[CurvePoint, ...]:
        """The points in the data, then the modelled ones."""
        return (*self.points, *self.modelled)

    @property
    def values(self) -> Floats:
        """The scores (K,)."""
        return self.measured.scores

    @property
    def draws(self) -> Floats:
        """Their bootstrap (B, K)."""
        return self.measured.draws

    def sampled(self, raters: int) -> Sampled:
        """The score of a survey of so many raters, in samples and without each rater.

        Parameters
        ----------
        raters : int
            From 0 to `most`.

        Returns
        -------
        Sampled
            What `score`, its interval and every difference to it are read from.

        Examples
        --------
        >>> import headcount as hc
        >>> counts = [[9, 1], [8, 2], [1, 9], [5, 5]] * 50
        >>> ratings = hc.Ratings.from_counts(counts, labels=["no", "yes"])
        >>> curve = hc.power_curve(ratings, n_bootstrap=10)
        >>> curve.sampled(1).draws.shape
        (10,)
        """
        return self.asked.sampled(self.values, self.draws, self.without).at(raters)

    @property
    def most(self) -> int:
        """The largest survey in the data."""
        return len(self.points) - 1

    @property
    def reach(self) -> int:
        """The largest survey that is no basis for less than a smaller one: the curve's peak."""
        return reach_of(self.values)

    def score(self, raters: int) -> Estimate:
        """The score of a survey of so many raters.

        Parameters
        ----------
        raters : int
            From 0 to `most`, or one of the modelled points.

        Returns
        -------
        Estimate

        Examples
        --------
        >>> import headcount as hc
        >>> counts = [[9, 1], [8, 2], [1, 9], [5, 5]] * 50
        >>> ratings = hc.Ratings.from_counts(counts, labels=["no", "yes"])
        >>> curve = hc.power_curve(ratings, n_bootstrap=0)
        >>> curve.score(1).value < curve.score(5).value
        True
        """
        return self._point(raters).score

    def gain(self, raters: int) -> Estimate:
        """What so many answers add to the score of none: c_k − c₀.

        Parameters
        ----------
        raters : int
            From 0 to `most`, or one of the modelled points.

        Returns
        -------
        Estimate

        Examples
        --------
        >>> import headcount as hc
        >>> counts = [[9, 1], [8, 2], [1, 9], [5, 5]] * 50
        >>> ratings = hc.Ratings.from_counts(counts, labels=["no", "yes"])
        >>> curve = hc.power_curve(ratings, n_bootstrap=0)
        >>> curve.gain(0).value
        0.0
        """
        return self._point(raters).gain

    def not_monotone(self) -> tuple[int, ...]:
        """The k at which the curve is lower than at k − 1."""
        return falls(self.values)

    def verdict(self) -> str:
        """What the first and the last rater bring."""
        digits, values = digits_for(self.asked.scorer), self.values
        last, everybody = self.score(self.most), people(self.most, start=True)
        scorer, one = self.asked.scorer, self.most == 1
        if last.value is None or np.isnan(values[0]):
            return f"{everybody} {'has' if one else 'have'} {scorer} {last.text(digits)}."
        said = (
            f"{everybody} {'predicts' if one else 'predict'} one more with {scorer} "
            f"{last.text(digits)}, against {self.score(0).text(digits)} for none at all"
        )
        total = values[-1] - values[0]
        scale = scale_of(values)
        rises = exceeds(total, 0.0, scale=scale) and exceeds(values[1], values[0], scale=scale)
        if rises and self.most > 1:
            said += f"; the first one brings {percent((values[1] - values[0]) / total, 0)} of it"
        return said + "."

    def tables(self) -> tuple[Table, ...]:
        """The curve, a row a survey size."""
        return (self.curve_table(),)

    def curve_table(self) -> Table:
        """The curve, a row a survey size."""
        shown = _rows_shown(self.points, self.modelled)
        supported = all(point.support == 1 for point in self.points)
        exact = all(point.monte_carlo_error == 0 for point in self.points)
        columns = ["raters", self.asked.scorer, "gain"]
        columns += ["support"] * (not supported) + ["MC error"] * (not exact)
        rows: list[tuple[Cell, ...]] = []
        for point in shown:
            who = f"{point.raters} (modelled)" if point.modelled else str(point.raters)
            row: list[Cell] = [
                who if self.modelled else point.raters,
                point.score,
                point.gain if point.raters else None,
            ]
            if not supported:
                row.append("–" if point.modelled else percent(point.support))
            if not exact:
                row.append(point.monte_carlo_error or ("–" if point.modelled else "exact"))
            rows.append(tuple(row))
        if self.ideal.value is not None:
            rows.append(("ideal", self.ideal, None, *[None] * (len(columns) - 3)))
        return Table(
            f"Rater power curve ({self.asked.combiner} + {self.asked.scorer})",
            tuple(columns),
            tuple(rows),
            caption=self._caption(len(shown)),
            digits=digits_for(self.asked.scorer),
            id="power-curve",
        )

    def assumptions(self) -> tuple[str, ...]:
        """What the curve rests on."""
        return (
            "Raters are interchangeable: who answered is not used, only what was answered.",
            self.asked.speaks(),
            *self._model(),
        )

    def _model(self) -> tuple[str, ...]:
        """What the curve rests on past the data."""
        if self.beyond is None:
            return ()
        if self.asked.combiner == "linear":
            return (
                f"Past the {people(self.most)} in the data the curve follows from pairs of "
                "ratings: modelled, not measured.",
            )
        return (
            f"Past the {people(self.most)} in the data the curve, and the ideal classifier, are "
            "those of the population of items fitted to all ratings: modelled, not measured.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, dropped or drawn."""
        chosen = self.asked.combiner_chosen
        why = () if chosen is None else (chosen,)
        return (*self.asked.cautions, *self._falls_note(), *why, *self.asked.notes)

    @property
    def monotone(self) -> bool:
        """Whether more raters never score less."""
        return not self.not_monotone()

    def _falls_note(self) -> tuple[str, ...]:
        down = self.not_monotone()
        if not down:
            return ()
        return (
            f"The curve is not monotone: it falls at k = {counted(down)}; the equivalence is "
            f"where it first rises above a score, and past its peak at {people(self.reach)} it "
            "says nothing of more.",
        )

    def _caption(self, shown: int) -> str:
        asked = self.asked
        every = len(self.all_points)
        cut = f" {shown} of {every} points are shown." if shown < every else ""
        items = f"{asked.items_used:,} items, scored against {against(asked.reference_raters)}"
        if not asked.n_bootstrap:
            return f"{items}; no intervals were asked for.{cut}"
        return (
            f"{items}; {percent(asked.confidence, None)} intervals from "
            f"{asked.n_bootstrap:,} bootstrap samples, about {asked.about}.{cut}"
        )

    def _point(self, raters: int) -> CurvePoint:
        for point in self.modelled:
            if point.raters == raters:
                return point
        return self.points[self.in_data(raters)]

    def in_data(self, raters: int) -> int:
        """A number of raters that the data have, or an error.

        Parameters
        ----------
        raters : int
            From 0 to `most`.

        Returns
        -------
        int

        Examples
        --------
        >>> import headcount as hc
        >>> counts = [[9, 1], [8, 2], [1, 9], [5, 5]] * 50
        >>> ratings = hc.Ratings.from_counts(counts, labels=["no", "yes"])
        >>> curve = hc.power_curve(ratings, n_bootstrap=0)
        >>> curve.in_data(9)
        9
        """
        if isinstance(raters, bool) or raters != int(raters) or not 0 <= raters <= self.most:
            raise OptionError(
                f"The curve has surveys of 0 to {self.most} raters; {raters!r} is not one."
            )
        return int(raters)


def _rows_shown(
    points: tuple[CurvePoint, ...], modelled: tuple[CurvePoint, ...]
) -> list[CurvePoint]:
    """At most about ten points: the first few, the last, and some between and beyond."""
    kept = [points[i] for i in _some(len(points), _ROWS if len(modelled) == 0 else _ROWS - 3)]
    return kept + [modelled[i] for i in _some(len(modelled), 3)]


def _some(n: int, most: int) -> list[int]:
    """Positions among n, all of them or about `most`: close together first, then far apart."""
    if n <= most:
        return list(range(n))
    first = max(most // 2, 1)
    rest = np.geomspace(first, n - 1, most - first)
    return sorted({*range(first), *(round(float(each)) for each in rest)})
