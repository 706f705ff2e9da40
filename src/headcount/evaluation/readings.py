"""Worth by each reading of labels on a scale, side by side: nobody has to guess which flatters."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from headcount.data import Study
from headcount.equivalence import SurveyEquivalence, survey_equivalence, worth_text
from headcount.errors import UnanswerableError
from headcount.evaluation.part import Unavailable, attempt
from headcount.results import Cell, Estimate, Record, Result, Table, record
from headcount.scores import ScoreAgreement

MEANS = {
    "rps": "levels in order",
    "squared_error": "numbers",
    "cross_entropy": "levels as names",
}
"""What a reading takes the labels for."""


@record
class ReadingOfWorth(Record):
    """The worth of one classifier by one scorer: calibrated, and `as_it_stands` where that is
    something else and means something.
    """

    name: str
    scorer: str
    worth: Estimate
    as_it_stands: Estimate | None


@record
class Readings(Result):
    """The worth of every classifier by each reading; `headline` is the one that is reported."""

    headline: str
    readings: tuple[ReadingOfWorth, ...]

    rows: ClassVar[str] = "readings"

    def of(self, name: str, scorer: str) -> ReadingOfWorth:
        """One classifier by one scorer."""
        for each in self.readings:
            if (each.name, each.scorer) == (name, scorer):
                return each
        raise UnanswerableError(f"There is no worth of {name!r} by {scorer!r}.")

    @property
    def scorers(self) -> tuple[str, ...]:
        """The readings there are, the headline first."""
        found = dict.fromkeys(each.scorer for each in self.readings)
        return tuple(sorted(found, key=lambda scorer: scorer != self.headline))

    def verdict(self) -> str:
        """Which reading is reported, and where to see the others."""
        others = [scorer for scorer in self.scorers if scorer != self.headline]
        return (
            f"Worth is reported by {self.headline}"
            + (f"; beside it stand {' and '.join(others)}" if others else "")
            + " (scorer= chooses another)."
        )

    def tables(self) -> tuple[Table, ...]:
        """A row a classifier, a column a reading."""
        names = dict.fromkeys(each.name for each in self.readings)
        rows: list[tuple[Cell, ...]] = []
        for name in names:
            row: list[Cell] = [name]
            for scorer in self.scorers:
                found = self.of(name, scorer)
                row.append(worth_text(found.worth, "") if found.worth.known else "–")
                if self._stands(scorer):
                    stands = found.as_it_stands
                    row.append("–" if stands is None else worth_text(stands, ""))
            rows.append(tuple(row))
        headings = ["classifier"]
        for scorer in self.scorers:
            headings.append(f"{scorer} ({MEANS.get(scorer, 'as chosen')})")
            headings += [f"{scorer}, at its word"] if self._stands(scorer) else []
        return (
            Table(
                "Worth in raters by each reading",
                tuple(headings),
                tuple(rows),
                caption=f"{self.headline} is reported. Answers are calibrated on other items; at "
                "its word: as they are. By squared_error a worth is read off a smooth curve, by "
                "the others off straight lines between whole numbers of raters, which say more "
                "below one rater.",
                id="readings",
            ),
        )

    def _stands(self, scorer: str) -> bool:
        return any(each.as_it_stands is not None for each in self.readings if each.scorer == scorer)


def readings_of(
    study: Study,
    equivalence: SurveyEquivalence | Unavailable,
    numbers: ScoreAgreement | Unavailable,
    curve: Mapping[str, Any],
) -> Readings:
    """The worth by each reading; `curve` are the options of the one that is reported."""
    if isinstance(equivalence, Unavailable):
        raise UnanswerableError(equivalence.reason)
    headline = equivalence.curve.asked.scorer
    found = _by_curve(headline, equivalence)
    for scorer in ("rps", "cross_entropy"):
        if scorer != headline:
            options = dict(curve) | {"scorer": scorer}
            again = attempt(partial(survey_equivalence, study, **options))
            if not isinstance(again, Unavailable):
                found += _by_curve(scorer, again)
    if not isinstance(numbers, Unavailable) and headline != "squared_error":
        found += [
            ReadingOfWorth(each.name, "squared_error", each.worth, each.as_it_stands)
            for each in numbers.classifiers
        ]
    return Readings(headline, tuple(found), library=study.library)


def _by_curve(scorer: str, found: SurveyEquivalence) -> list[ReadingOfWorth]:
    return [
        ReadingOfWorth(each.name, scorer, each.worth, each.as_it_stands)
        for each in found.classifiers
    ]
