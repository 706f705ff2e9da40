"""What `drift` finds: period by period, and which of three changed, in a sentence."""

from collections.abc import Sequence
from typing import Any, ClassVar

from headcount.door.times import TimeKind, shown
from headcount.drift.always import REFERENCES
from headcount.equivalence import worth_text
from headcount.errors import OptionError
from headcount.results import Cell, Estimate, Held, Record, Result, Table, hidden, percent, record

WHO = {
    "judge": "the judge changed, not the items",
    "items": "the items changed, not the judge",
    "people": "the people changed, not the judge",
    "items or people": "the items or the people changed, and the judge as they did",
    "judge and items or people": "the judge changed, and so did the items or the people",
    "judge and items": "the judge changed, and so did the items",
    "judge and people": "the judge changed, and so did the people",
}
"""What each finding comes down to, at the end of a sentence."""


# Raters of whom the first lines speak; the table has all.
_RATERS_TOLD = 3


@record
class Since(Record):
    """An estimate of a time: the first one after a change, and the interval of it.

    Days are texts such as "2025-06-30", numbers are numbers. `change` is how much more people agree
    with the judge since, and `people` how much more with each other.
    """

    value: str | float
    low: str | float
    high: str | float
    change: Estimate = hidden()
    people: Estimate = hidden()
    number: float = hidden()

    @classmethod
    def at(
        cls,
        points: tuple[float, float, float],
        kind: TimeKind,
        texts: tuple[str, ...],
        change: Estimate,
        people: Estimate,
    ) -> "Since":
        """From points in time."""
        value, low, high = (shown(each, kind, texts) for each in points)
        return cls(value, low, high, change, people, points[0])


@record
class DriftPeriod(Record):
    """One judge in one period.

    `items` have a time and the labels of two people or more. On these `agree` is the share of
    people who give the judge's answer, `people_agree` how often two people agree, `difference` the
    first less the second, `worth` in raters of these items; `bias` how much higher the judge
    answers than people, on a scale; `answers` what share of its answers each label is.
    """

    period: str
    items: int
    agree: Estimate
    people_agree: Estimate
    difference: Estimate
    worth: Estimate
    bias: Estimate | None
    answers: dict[str, float]


@record
class DriftJudge(Record):
    """One judge over time: what `changed`, `since` when, and its `periods` in their order.

    `p_value` is the chance of a change as large as the largest seen, where nothing changed, all
    periods and judges counted. `apart` are periods that stand out alone, where nothing lasted.
    `steady` tells whether an alarm that may be looked at after every batch kept quiet (None: the
    log is too short for it), and `alarm` when it first did not.
    """

    name: str
    changed: str
    since: Since | None
    periods: tuple[DriftPeriod, ...]
    p_value: float
    apart: tuple[str, ...] = ()
    steady: bool | None = None
    alarm: str | float | None = None

    def sentence(self, two_people: str = "people agree with each other") -> str:
        """What changed, for people."""
        return f"{self._which(two_people)}{self._alarmed()}"

    def _alarmed(self) -> str:
        if self.steady is not False:
            return ""
        return f" The running alarm fired at {self.alarm}."

    def unsteady(self, confidence: float) -> str:
        """Why the judge is not steady, as a gate says it; empty where it is or nobody knows."""
        if self.steady is not False:
            return ""
        since = "" if self.since is None else f"since {self.since.value} "
        return (
            f"{self.name} is not steady: {since}people agree less with it than they did, and no "
            f"change of items or people explains it; the alarm fired at {self.alarm}, which it "
            f"does in at most {percent(1 - confidence, 0)} of logs without a change, however often "
            "one looks."
        )

    def _which(self, two_people: str) -> str:
        if self.changed == "nothing":
            return (
                f"{self.name}: no change is shown over {len(self.periods)} periods "
                f"(p = {self.p_value:.2g})."
            )
        if self.since is None:
            when = ", ".join(self.apart[:3]) or "one period"
            return f"{self.name} in {when}: {WHO[self.changed]}; afterwards it was as before."
        judge, people = _moved(self.since.change), _moved(self.since.people)
        if self.changed == "judge":
            people = "as before"
        return (
            f"Since {self.since.value} (between {self.since.low} and {self.since.high}) people "
            f"agree with {self.name} {judge}; {two_people} {people}: {WHO[self.changed]}."
        )


def _moved(change: Estimate) -> str:
    if change.value is None:
        return "to an unknown degree"
    points = 100 * abs(change.value)
    return f"{points:.0f} points {'more' if change.value > 0 else 'less'}"


@record
class DriftRater(Record):
    """One rater who stands out over their own course.

    `question` is "agreement" (agrees less with others than they do with each other on the same
    items), "tiring" or "learning" (agrees less in the later half, more after the first tenth),
    "level" or "moving level" (answers higher or lower than others, or gives a label oftener; later
    than before), or "runs" (one answer again and again from `at` on). `difference` is by how much,
    `adjusted` the p-value, all raters and questions counted (Holm).
    """

    name: str
    question: str
    difference: float
    adjusted: float
    at: str | float | None = None

    def sentence(self) -> str:
        """What stands out, for people."""
        size = abs(self.difference)
        points, more = f"{100 * size:.0f} points", "more" if self.difference > 0 else "less"
        return {
            "agreement": f"{self.name} agrees {points} less with the others than they do with each "
            "other on the same items.",
            "tiring": f"{self.name} agrees {points} less with the others in the later half than in "
            "the first, on items that are no harder for these.",
            "learning": f"{self.name} agrees {points} more with the others after the first tenth, "
            "which the others do not share on the same items.",
            "level": f"{self.name} answers {size:.2f} {_higher(more)} than the others on the same "
            "items.",
            "moving level": f"{self.name} answers {size:.2f} {_higher(more)} than before, held "
            "against the others on the same items.",
            "runs": f"{self.name} gives one answer {size:.0f} times more often in a row than the "
            f"items explain, from {self.at} on.",
        }[self.question]


def _higher(more: str) -> str:
    return "higher" if more == "more" else "lower"


@record
class Drift(Result):
    """Whether judges, items or people changed over time.

    Attributes
    ----------
    judges : tuple of DriftJudge
        Each with its `name`, what `changed`, `since` when, and its `periods`.
    about : str
        What intervals are about.
    confidence : float
        Of intervals; the test of all periods and judges together keeps the rest as its level.
    raters : tuple of DriftRater
        Raters who stand out over their own course, all raters and questions counted.
    notes : tuple of str
        What was assumed and left out.

    Examples
    --------
    >>> import numpy as np, pyarrow as pa
    >>> import headcount as hc
    >>> item, label = np.repeat(np.arange(120), 2), np.repeat(np.arange(120) % 2, 2)
    >>> people = {"item": item, "rater": np.tile(["ann", "ben"], 120), "label": label}
    >>> log = pa.table({**people, "month": item // 60 + 1, "judge": label})
    >>> print(hc.drift(log, n_bootstrap=50))
    judge: no change is shown over 2 periods (p = 1).
    <BLANKLINE>
    ...
    """

    judges: tuple[DriftJudge, ...]
    about: str
    confidence: float
    raters: tuple[DriftRater, ...] = ()
    notes: tuple[str, ...] = ()
    headings: tuple[str, str] = hidden(default=("people who agree", "two people agree"))

    rows: ClassVar[str] = "judges"

    def held(self, steady: Sequence[str]) -> Held:
        """What became of the requirement that these judges are steady.

        Parameters
        ----------
        steady : sequence of str
            Names of judges.

        Returns
        -------
        Held
            Its `unmet` has a sentence for each judge of whom that is not so.

        Examples
        --------
        >>> import numpy as np, pyarrow as pa
        >>> import headcount as hc
        >>> item, label = np.repeat(np.arange(240), 2), np.repeat(np.arange(240) % 2, 2)
        >>> people = {"item": item, "rater": np.tile(["ann", "ben"], 240), "label": label}
        >>> log = pa.table({**people, "day": item // 20, "judge": label})
        >>> hc.drift(log, n_bootstrap=50).held(["judge"]).unmet
        ()
        """
        judges: list[DriftJudge] = [self[name] for name in steady]
        return Held(
            tuple(each.unsteady(self.confidence) for each in judges if each.steady is False),
            tuple(
                f"{each.name} keeps quiet as yet, though the test over all periods of this log "
                "says that it changed: one look at it holds its level, a look at every batch "
                "does not."
                for each in judges
                if each.steady and "judge" in each.changed
            ),
            tuple(
                f"'{each.name}:steady' waits for more items: the first {REFERENCES[0]} with a "
                "time and the labels of two people are what later ones are held against."
                for each in judges
                if each.steady is None
            ),
        )

    def verdict(self) -> str:
        """A sentence a judge: which of three changed, and since when."""
        said = [each.sentence() for each in self.judges]
        return "\n".join([*said, *(each.sentence() for each in self.raters[:_RATERS_TOLD])])

    def tables(self) -> tuple[Table, ...]:
        """A table a judge, a row a period."""
        found = [self._table(each) for each in self.judges]
        if self.raters:
            rows = [
                (each.name, each.question, each.difference, each.adjusted) for each in self.raters
            ]
            found.append(
                Table(
                    "Raters who stand out over their own course",
                    ("rater", "question", "difference", "p (Holm)"),
                    tuple(rows),
                    caption="Held against the others on the same items; all raters and questions "
                    "counted.",
                    id="raters",
                )
            )
        return tuple(found)

    def columns(self) -> dict[str, list[Any]]:
        """A row a judge and period."""
        rows = [(judge, period) for judge in self.judges for period in judge.periods]
        found: dict[str, list[Any]] = {
            "judge": [judge.name for judge, _ in rows],
            "period": [period.period for _, period in rows],
            "items": [period.items for _, period in rows],
        }
        for name in ("agree", "people_agree", "difference", "worth"):
            estimates = [getattr(period, name) for _, period in rows]
            found[name] = [each.value for each in estimates]
            found[f"{name}_low"] = [each.low for each in estimates]
            found[f"{name}_high"] = [each.high for each in estimates]
        return found

    def assumptions(self) -> tuple[str, ...]:
        """What names the one of three, and what is claimed."""
        return (
            "A judge is named where the share who agree with it changed by what no change of "
            "people's agreement explains; where both moved alike it is the items or the people.",
            "All periods, all boundaries between them and all judges are tested together: where "
            f"nothing changed, something is claimed in at most {percent(1 - self.confidence, 0)} "
            "of data sets.",
            f"Intervals speak of {self.about}.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed and left out."""
        return self.notes

    def _table(self, judge: DriftJudge) -> Table:
        biased = any(each.bias is not None for each in judge.periods)
        rows: list[tuple[Cell, ...]] = []
        for each in judge.periods:
            cells: list[Cell] = [
                each.period,
                each.items,
                each.agree.share_text(),
                each.people_agree.share_text(),
                each.difference.points_text(),
                worth_text(each.worth, "") if each.worth.known else "–",
            ]
            if biased:
                cells.append(None if each.bias is None else each.bias)
            rows.append(tuple(cells))
        return Table(
            f"{judge.name}, period by period",
            (
                "period",
                "items",
                self.headings[0],
                self.headings[1],
                "difference (points)",
                "worth (raters)",
                *(("bias",) if biased else ()),
            ),
            tuple(rows),
            caption="On items with the labels of two people or more.",
            digits=2,
            id=f"periods-{judge.name}",
        )


def steady_names(requirements: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The judges that requirements such as "gpt:steady" are about; "steady" is about all.

    "judge:steady" is about all too, where no column is called so.

    >>> steady_names(["gpt:steady"], ["gpt", "llm"]), steady_names(["steady"], ["gpt", "llm"])
    (('gpt',), ('gpt', 'llm'))
    """
    found: list[str] = []
    for text in requirements:
        name, colon, said = text.rpartition(":")
        if said.strip() != "steady":
            raise OptionError(
                f"The requirement {text!r} cannot be read: write it like 'gpt:steady', or 'steady' "
                "for all judges."
            )
        name = name.strip()
        if not colon or (name == "judge" and name not in names):
            found += names
        elif name in names:
            found.append(name)
        else:
            raise OptionError(
                f"The requirement on {name!r} names no judge: there are {', '.join(names)}."
            )
    return tuple(dict.fromkeys(found))
