"""A plan for scores: which judge is nearest to people, what choosing now loses, what more saves."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats
from headcount.errors import OptionError, UnanswerableError
from headcount.options.declared import finite_number
from headcount.plan.choice import Choice, fewest
from headcount.plan.pilot import STEPS
from headcount.plan.pilot_moments import Distance, score_moments
from headcount.plan.words import belief, chance, more_labels
from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record
from headcount.results.record import rows_as_columns

if TYPE_CHECKING:
    from headcount.data import Study


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
        return self.choice.loss(more_labels("ratings", more))

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
        return self.choice.probability(more_labels("ratings", more), matters=self.matters)

    @property
    def ratings_for_target(self) -> int | None:
        """The fewest more ratings for the target; None beyond what is affordable."""
        return fewest(lambda more: self.probability(more) >= self.target, self.affordable)

    def verdict(self) -> str:
        """Whom to choose, what that loses and what more ratings would save."""
        lead = (
            f"{self.leader!r} is nearer to people than {self.rival!r} (by {_size(self.gap.value)} "
            f"of {self.distance} distance)"
        )
        # Not "best": by worth another one may be, and one text names one best.
        nearest = ""
        if len(self.classifiers) > 2:
            nearest = f" and the nearest of {len(self.classifiers)}"
        if self.matters:
            nearest += f", or less than {_size(self.matters)} behind"
        now = f"{lead}{nearest}, with probability {belief(self.probability_now)}"
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
            (each.name, each.distance, belief(each.best)) for each in self.classifiers
        )
        now = (0, belief(self.probability_now), self.loss_now, None)
        more = tuple(
            (each.ratings, belief(each.probability), each.loss, each.saved) for each in self.more
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


def plan_scores(
    ratings: Any,
    predictions: Any = None,
    *,
    classifiers: Sequence[str] | None = None,
    distance: str = "squared",
    target: float = 0.95,
    matters: float = 0.0,
    affordable: int = 100_000,
    raters: str | None = None,
    prior_sd: float | None = None,
    unknown: str = "error",
    confidence: float = 0.95,
) -> ScorePlan:
    """Which judge's scores are nearest to people's, what choosing now loses, what more would save.

    Parameters
    ----------
    ratings, predictions
        A pilot in numbers: items that people have rated and every judge has scored, as a `Study`,
        or as `Ratings` and `Predictions`, frames or paths.
    classifiers
        Only these, two or more; by default all.
    distance
        "squared" or "absolute" distance to a person.
    target
        The probability with which the chosen judge shall be the best one.
    matters
        A difference in mean distance too small to matter.
    affordable
        The most ratings that anyone would pay for.
    raters
        Who rates next: "new" people like the raters, the "same" ones, or as if raters were all
        people ("fixed"). By default "new" where at least three are named.
    prior_sd
        How far apart two such judges usually are, in mean distance.
    unknown
        Predictions that are no numbers: "error", or "drop" to leave those items out.
    confidence
        Of the intervals.

    Returns
    -------
    ScorePlan
        ``leader``, ``gap``, ``loss_now``, ``probability(more)``, ``loss(more)``,
        ``ratings_for_target``, ``more``.

    Notes
    -----
    With x_i the mean over an item's ratings of (a − r)² − (b − r)² (or of the absolute
    distances), the formulas are those of `plan_from_pilot`: Δ̂ = mean x, s₀² = var(x)/n plus the
    variance over raters, v the variance of one rating's difference on a fresh item, and after N
    more ρ = s₀/√(s₀² + v/N).

    Examples
    --------
    >>> from headcount.simulate import make
    >>> made = make("scores", items=300, seed=1)
    >>> found = plan_scores(made.ratings, made.predictions)
    >>> found.leader
    'model'
    >>> found.loss(1000) <= found.loss_now
    True
    """
    from headcount.data import as_study, checked_unknown, one_by_one
    from headcount.sampling.people import interval_from_error
    from headcount.sampling.samples import Plan

    _check(distance, target, matters, affordable, raters, prior_sd)
    study = as_study(ratings, predictions)
    names, judges, items, notes = _judges(study, classifiers, checked_unknown(unknown))
    said = one_by_one(study.ratings, items)
    rater = said.rater if raters != "fixed" else None
    found = score_moments(said.item, said.value, judges, rater, distance=cast(Distance, distance))
    choice = Choice.of(found, raters, prior_sd)
    leader, rival = choice.first_two
    fixed = choice.more_raters == "fixed"
    over_raters = 0.0 if fixed else np.maximum(np.diag(found.over_raters), 0.0)
    errors = np.sqrt(np.diag(found.over_items) + over_raters)
    plan, now = Plan(found.items), choice.loss()
    gap, spread = choice.difference(leader, rival)
    distances = (
        interval_from_error(-mean, error, plan=plan, confidence=confidence, scale="positive")
        for mean, error in zip(found.mean.tolist(), errors.tolist(), strict=True)
    )
    return ScorePlan(
        leader=names[leader],
        rival=names[rival],
        gap=interval_from_error(gap, spread, plan=plan, confidence=confidence),
        classifiers=tuple(map(JudgeDistance, names, distances, choice.best_chances().tolist())),
        more=tuple(
            MoreRatings(
                step,
                choice.probability(step, matters=matters),
                choice.loss(step),
                max(now - choice.loss(step), 0.0),
            )
            for step in STEPS
        ),
        distance=distance,
        items=found.items,
        target=target,
        matters=matters,
        affordable=affordable,
        raters=choice.more_raters,
        n_raters=found.n_raters,
        confidence=confidence,
        notes=notes,
        choice=choice,
        library=study.library,
    )


def _check(
    distance: str,
    target: float,
    matters: float,
    affordable: int,
    raters: str | None,
    prior_sd: float | None,
) -> None:
    if distance not in ("squared", "absolute"):
        raise OptionError(f'distance is "squared" or "absolute"; it was {distance!r}.')
    if not 0.5 <= finite_number("target", target) < 1:
        raise OptionError(f"target is a probability from 0.5 to below 1; it was {target!r}.")
    if not 0 <= finite_number("matters", matters) < math.inf:
        raise OptionError(f"matters is a distance of at least 0; it was {matters!r}.")
    if finite_number("affordable", affordable) < 1:
        raise OptionError(f"affordable is at least one rating; it was {affordable!r}.")
    if raters not in (None, "new", "same", "fixed"):
        raise OptionError(f'raters is "new", "same" or "fixed"; it was {raters!r}.')
    if prior_sd is not None and not finite_number("prior_sd", prior_sd) > 0:
        raise OptionError(f"prior_sd is a distance above 0; it was {prior_sd!r}.")


def _judges(
    study: "Study", chosen: Sequence[str] | None, unknown: str
) -> tuple[tuple[str, ...], Floats, NDArray[np.object_], tuple[str, ...]]:
    """Names and numbers (n, C) of the judges on the items that all of them scored."""
    from headcount.data import classifier_numbers, item_numbers, met_by_id

    predictions = study.predictions
    if predictions is not None and chosen is not None:
        predictions = predictions.select(chosen)
    if predictions is None or len(predictions.classifiers) < 2:
        raise UnanswerableError(
            "There are no two judges to choose between: give predictions of two or more."
        )
    counted = item_numbers(study.ratings)
    rows = met_by_id(counted.items, predictions)
    labels = study.ratings.meaning.labels if study.ratings.meaning.labels.n else None
    said = np.column_stack(
        [
            classifier_numbers(predictions, raw, labels, unknown=unknown)
            for raw in predictions.classifiers
        ]
    )
    numbers = np.where((rows >= 0)[:, None], said[rows], np.nan)
    kept = ~np.isnan(numbers).any(axis=1)
    numbers = numbers[kept]
    if len(numbers) < 2 or not (numbers != numbers[:, :1]).any():
        raise UnanswerableError(
            "The judges gave the same number on every item that all of them scored: ratings "
            "there cannot tell them apart."
        )
    left_out = int((~kept).sum())
    notes = (f"{left_out:,} rated items were left out: not every judge scored them.",)
    return predictions.names, numbers, counted.items[kept], notes if left_out else ()


def _size(value: float | None) -> str:
    return f"{value or 0.0:.3g}"


def _small(loss: float, gap: float | None) -> str:
    """A loss in words: nobody cares about less than a thousandth of the gap."""
    least = float(f"{abs(gap or 0.0) / 1000:.0e}")
    return f"less than {least:g}" if loss < least else _size(loss)
