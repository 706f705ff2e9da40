"""Whether a classifier may replace a person, as a result: four answers, and why they differ."""

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.data import Nearness
from headcount.equivalence import worth_text
from headcount.results import Estimate, Record, Result, Table, hidden, record
from headcount.sameness import as_good, exceeds

Floats = NDArray[np.float64]
StandsIn = Literal["yes", "no", "not shown"]
_STANDS_IN: dict[StandsIn, str] = {
    "yes": "{} could stand in for one person.",
    "no": "{} could not stand in for one person.",
    "not shown": "That {} could stand in for one person is not shown.",
}


def may_stand_in(worth: Estimate, ahead: Estimate) -> StandsIn:
    """Whether a classifier may stand in for one person; it needs no names of raters.

    `worth` is in raters, `ahead` the share of people who agree with it less the share who agree
    with another person. "yes" where the low ends show that it is neither worth less than a person
    nor agreed with less; "no" where a high end shows that it is.

    >>> may_stand_in(Estimate(2.4, 1.9, 3.0), Estimate(0.05, 0.02, 0.08))
    'yes'
    >>> may_stand_in(Estimate(13.3, 9.1, 20.4), Estimate(-0.6, -0.64, -0.56))
    'no'
    >>> may_stand_in(Estimate(1.0, 0.8, 1.3), Estimate(0.0, -0.02, 0.02))
    'not shown'
    """
    gaps = (worth, 1.0), (ahead, 0.0)
    if any(_surely_below(each, person) for each, person in gaps):
        return "no"
    return "yes" if all(_surely_reaches(each, person) for each, person in gaps) else "not shown"


def _surely_below(found: Estimate, person: float) -> bool:
    """Whether the whole interval lies below what a person has; a censored end is its limit."""
    if found.high_state == "below":
        return bool(as_good(person, found.floor or 0.0))
    return found.high is not None and bool(exceeds(person, found.high))


def _surely_reaches(found: Estimate, person: float) -> bool:
    """Whether the whole interval lies at or above what a person has."""
    if found.low_state == "above":
        return bool(as_good(found.ceiling or 0.0, person))
    return found.low is not None and bool(as_good(found.low, person))


@record
class StandIn(Record):
    """One classifier in a person's place.

    `omega` is the share of raters it may stand in for by the alternative annotator test
    (`passed` from one half on), `rho` the share of items on which it is at least as close to the
    others as the rater, `ties` how much of that are draws. `judge` is how often it agrees with a
    person, `people` how often two people agree, `difference` the first less the second.
    `better_than` of `raters` people agree with the others less than it does. `worth` is in
    raters. `stands_in` says by worth and difference whether it may stand in for one person.
    """

    name: str
    omega: float | None
    rho: float | None
    ties: float | None
    passed: bool | None
    judge: Estimate
    people: Estimate
    difference: Estimate
    better_than: int
    raters: int
    worth: Estimate
    tested: tuple[dict[str, Any], ...]
    epsilon: float
    nearness: Nearness = hidden()

    also = ("stands_in",)

    @property
    def stands_in(self) -> StandsIn:
        """Whether it may stand in for one person, by its worth and by agreement."""
        return may_stand_in(self.worth, self.difference)

    def sentences(self) -> tuple[str, ...]:
        """What is to be said, and why the answers differ where they do."""
        said = [_STANDS_IN[self.stands_in].format(self.name)]
        if self.difference.value is not None:
            more = "more" if self.difference.value > 0 else "less"
            it, two = "agrees with a person", "agree with each other"
            if self.nearness.has_order:
                it, two = f"is {self.nearness.within} of a person", "of each other"
            said.append(
                f"It {it} {more} often than two people {two} (the difference in points: "
                f"{self.difference.points_text()}), and stands {self._place()}."
            )
        return (*said, self._test(), *self.why())

    def _test(self) -> str:
        """What the test says: after what it cannot overrule, for it calls draws wins."""
        if self.passed is None or self.rho is None or self.ties is None:
            return (
                "The alternative annotator test has no answer: nobody has thirty items that others "
                "labelled too."
            )
        verdict = "passes it" if self.passed else "does not pass it"
        less = self.difference.value is not None and self.difference.value < 0 and self.passed
        return (
            f"The alternative annotator test{' asks for less: it' if less else ':'} "
            f"{verdict} (ω = {self.omega:.2f}, "
            f"ε = {self.epsilon:g}; at least as close to the others on {100 * self.rho:.0f} % "
            f"of items, of which {100 * self.ties:.0f} points are draws)."
        )

    def _place(self) -> str:
        """Where it stands among the raters by agreement with people."""
        if self.better_than == 0:
            return f"behind all {self.raters} people"
        if self.better_than == self.raters:
            return f"ahead of all {self.raters} people"
        return f"ahead of {self.better_than} of {self.raters} people"

    def why(self) -> tuple[str, ...]:
        """Why the test and the other numbers tell two stories, where they do."""
        behind = self.difference.high is not None and self.difference.high < 0
        high = self.worth.high if self.worth.high is not None else self.worth.value
        weak = self.worth.state == "below" or (high is not None and high < 1)
        ahead = self.difference.low is not None and self.difference.low > 0
        if self.passed and (behind or weak):
            worth = f"worth {worth_text(self.worth)}" if self.worth.known else "behind people"
            return (
                f"The test forgives: draws count for both sides and it may lose on "
                f"{100 * self.epsilon:g} % more items than it wins, so it passes although it is "
                f"{worth}.",
            )
        if self.passed is False and ahead:
            return (
                "The test asks whether it is closer to the others than each rater is, item by "
                "item; being closer on the whole is not enough where it loses to single raters "
                "too often, or where they have few items.",
            )
        return ()


@record
class ReplacementTest(Result):
    """Whether each classifier may replace a person.

    Attributes
    ----------
    classifiers : tuple of StandIn
        Each with `omega` (the share of raters it may stand in for; `passed` from one half on),
        `rho`, its agreement with people (`judge`), that among `people`, their `difference`,
        `better_than` and `worth`.
    epsilon : float
        How much worse than a person a stand-in may be.
    closeness : str
        How closeness to the others is measured: "equal" or "rmse".
    about : str
        What the intervals speak of.
    confidence : float
        Their confidence.

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("running-example", seed=1, items=60)
    >>> found = hc.replacement_test(made.ratings, made.predictions, n_bootstrap=20)
    >>> found["ideal"].omega >= found["hard"].omega
    True
    """

    classifiers: tuple[StandIn, ...]
    epsilon: float
    closeness: str
    about: str
    confidence: float
    nearness: Nearness = hidden()
    part: int | None = hidden(default=None)

    rows: ClassVar[str] = "classifiers"

    def verdict(self) -> str:
        """A line for each classifier."""
        return "\n".join(" ".join(each.sentences()) for each in self.classifiers)

    def tables(self) -> tuple[Table, ...]:
        """The four answers side by side."""
        rows = tuple(
            (
                each.name,
                "–" if each.omega is None else f"{each.omega:.2f}",
                "–" if each.rho is None else f"{each.rho:.2f}",
                "–" if each.passed is None else each.passed,
                each.judge.share_text(interval=False),
                each.people.share_text(interval=False),
                each.difference.points_text(),
                f"{each.better_than} of {each.raters}",
                worth_text(each.worth, "") if each.worth.known else "–",
            )
            for each in self.classifiers
        )
        return (
            Table(
                "May it replace a person?",
                (
                    "classifier",
                    "ω",
                    "ρ",
                    "passes",
                    f"{self.nearness.within} of a person"
                    if self.nearness.has_order
                    else "agrees with a person",
                    self.nearness.two_people,
                    "difference (points)",
                    "ahead of raters",
                    "worth (raters)",
                ),
                rows,
                caption="ω: share of raters it may stand in for, passed from 0.5 on; ρ: share of "
                "items on which it is at least as close to the others as the rater, draws "
                f"included. Intervals are for {100 * self.confidence:g} %, about {self.about}.",
                id="replacement",
            ),
        )

    def assumptions(self) -> tuple[str, ...]:
        """What the test rests on."""
        return (
            "The alternative annotator test takes each rater in turn: who is closer to the "
            f"remaining raters, the classifier or the rater (ε = {self.epsilon:g}; adjusted over "
            "raters by Benjamini and Yekutieli)? Draws count for both, which flatters.",
            *self._on_part(),
        )

    def _on_part(self) -> tuple[str, ...]:
        if self.part is None:
            return ()
        return (
            f"The test, and whom a classifier is ahead of, are of {self.part:,} of the items, "
            "drawn by a hash of their ids; shares and worths are of all.",
        )
