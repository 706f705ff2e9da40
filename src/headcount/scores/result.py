"""What `scores` answers with, two judges on the same items among it."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
from scipy import special

from headcount.arrays import Floats
from headcount.results import Cell, Estimate, Record, Result, Table, count, hidden, record
from headcount.results.words import worth_text
from headcount.sampling.samples import Plan
from headcount.scores.components import components, true_error
from headcount.scores.judge_scores import (
    BiasAt,
    JudgeScores,
    PeopleScores,
    bias_words,
    digits_for,
    judge_sentences,
    people_sentence,
    signed,
)
from headcount.scores.people import People, Said
from headcount.scores.sample import Measure, Measured, Sample

# How a judge's numbers are read, for people.
READINGS = {
    "linear": "on a line fitted to other items",
    "isotonic": "on a rising curve fitted to other items",
    "given": "as it stands",
}

# Rows of a table of raters or slices; the others stand in JSON.
_SHOWN = 10


# What a hundredth of the items may hold of a squared error. Of normal errors it holds .06 to .1; of
# log-normal ones .15 to .47, and there intervals at 95 % held in 26 of 40 data sets.
_HEAVY = 0.15


@record
class ScoreComparison(Record):
    """Two judges, first less second, in the reading that worths are reported in.

    `error` is the difference of their mean squared errors against the true score (negative where
    the first is nearer), `worth` that of their worths in raters, undefined where one of them is
    censored; `p_value` is of the errors being the same.
    """

    first: str
    second: str
    error: Estimate
    worth: Estimate
    p_value: float | None


@record
class ScoreAgreement(Result):
    """How judges' numbers compare with people's, and people's with each other.

    Attributes
    ----------
    people : PeopleScores
        What people reach among themselves: `mean`, `spread`, `between`, `icc_1`, `icc_a1`,
        `icc_ak`, `distance`, `near`.
    classifiers : tuple of JudgeScores
        A judge each, under ``found["name"]`` too: `worth`, `worths`, `bias`, `limits`, `error`,
        `distance`, `near`, `by_level`, `by_slice`, `by_rater`.
    tolerance : float
        The distance that counts as near.
    items, items_compared : int
        Items that every judge answered, and those of them with at least two ratings.
    ratings : int
        How many ratings they have.
    raters : int or None
        How many raters there are, where they have names.
    least, most : float
        The extreme ratings.
    notes : tuple of str
        What became of the data.
    confidence : float
        Of the intervals.

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("scores", items=200, seed=1)
    >>> found = hc.scores(made.ratings, made.predictions)
    >>> found.names
    ('judge', 'model')
    >>> found["model"].near.value < found.people.near.value
    True
    """

    people: PeopleScores
    classifiers: tuple[JudgeScores, ...]
    tolerance: float
    items: int
    items_compared: int
    ratings: int
    raters: int | None
    least: float
    most: float
    notes: tuple[str, ...]
    confidence: float
    samples: Plan = hidden()
    sample: Sample = hidden(compare=False)
    reported: dict[str, Floats] = hidden(compare=False)

    rows: ClassVar[str] = "classifiers"
    also = ("about", "unchecked")

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return tuple(each.name for each in self.classifiers)

    def compare(self, first: str, second: str) -> ScoreComparison:
        """Two judges on the same items.

        Parameters
        ----------
        first, second : str
            Their names.

        Returns
        -------
        ScoreComparison
            First less second: ``error`` (mean squared error against the true score), ``worth``
            in raters, and the ``p_value`` of the errors being the same.

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("scores", items=200, seed=1)
        >>> found = hc.scores(made.ratings, made.predictions)
        >>> found.compare("judge", "model").p_value < 1
        True
        """
        a, b = self[first], self[second]
        sample = replace(self.sample, confidence=self.confidence)
        numbers = (self.reported[first], self.reported[second])
        return compared((first, second), sample, numbers, (a.worth, b.worth))

    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """Each classifier's quantities by name, as requirements ask for them."""
        return {each.name: {"worth": each.worth} for each in self.classifiers}

    @property
    def about(self) -> str:
        """What the intervals speak of."""
        return self.samples.sentence()

    def verdict(self) -> str:
        """What each judge is worth and how far it is off, a line each; people alone without."""
        if not self.classifiers:
            return people_sentence(self)
        return "\n".join(" ".join(judge_sentences(self, each)) for each in self.best_first())

    def best_first(self) -> tuple[JudgeScores, ...]:
        """The classifiers by worth."""
        return tuple(sorted(self.classifiers, key=lambda each: -_rank(each.worth)))

    def tables(self) -> tuple[Table, ...]:
        """People, judges, worth by reading, and the bias in parts."""
        if not self.classifiers:
            return (self._people_table(),)
        return (self._judge_table(), self._worth_table(), self._people_table(), *self._parts())

    def assumptions(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        said = [
            "The true score of an item is the mean of what endlessly many such people would say, "
            "misled or not: no truth beyond people is modelled. Their errors are their own, and a "
            "judge's are not theirs.",
            f"Intervals are for {100 * self.confidence:g} % confidence: they speak of "
            f"{self.samples.sentence()}.",
        ]
        if self.classifiers:
            said.insert(
                1,
                "A judge is worth k people if it errs as much as the best linear prediction from "
                "the mean of k, by squared error. Calibrated, its numbers are put on people's "
                "scale by other items; limits of agreement are for differences that are nearly "
                "normal.",
            )
        return tuple(said)

    def unchecked(self) -> tuple[str, ...]:
        """What was left out, assumed or deserves a second look."""
        sharing = [each.name for each in self.classifiers if each.shares_errors]
        said = [
            f"{name} lies nearer to these people's mean than any judge could that had not seen "
            "their ratings, or shares their errors: its worth and error are not to be trusted."
            for name in sharing
        ]
        said += [
            f"One item in a hundred makes up {100 * each.far_items:.0f} % of the squared error of "
            f"{each.name} (8 % where errors are normal): its error hangs on few items, and the "
            "interval is rather too short."
            for each in self.classifiers
            if each.far_items > _HEAVY
        ]
        single = self.items - self.items_compared
        if single:
            said.append(
                f"{single:,} of {self.items:,} items {'has' if single == 1 else 'have'} one rating "
                "only: they count in bias and limits, and nowhere else."
            )
        if self.classifiers and any(each.by_level for each in self.classifiers):
            said.append(
                "A level is what the other ratings of the item say, since a rating that is high "
                "by chance makes every judge look low."
            )
        return (*said, *self.notes)

    def _drawn(self) -> str:
        return super()._drawn() if self.classifiers else ""

    def _judge_table(self) -> Table:
        digits = digits_for(self.least, self.most)
        near = self.people.near is not None
        rows: list[tuple[Cell, ...]] = []
        for each in self.best_first():
            limits = f"{each.limits.low.value:.{digits}f} to {each.limits.high.value:.{digits}f}"
            row: tuple[Cell, ...] = (
                each.name,
                worth_text(each.worth, noun=""),
                signed(each.bias, digits),
                limits,
                each.error.text(digits) if each.error.known else "less than chance",
            )
            if near and each.distance is not None and each.near is not None:
                row = (*row, each.distance.text(digits), each.near.share_text())
            rows.append(row)
        headings: tuple[str, ...] = (
            "classifier",
            "worth (raters)",
            "bias",
            "limits of agreement",
            "error against the true score",
        )
        if near:
            headings = (*headings, "distance to a person", f"within {self.tolerance:g} of a person")
        return Table(
            "Judges against people",
            headings,
            tuple(rows),
            caption=f"{count(self.ratings, 'rating', 'ratings')} of "
            f"{count(self.items, 'item', 'items')}. Bias is judge less people; limits hold 95 % "
            "of judge less person.",
            id="classifiers",
        )

    def _worth_table(self) -> Table:
        kinds = tuple(kind for kind in READINGS if kind in self.classifiers[0].worths)
        rows = tuple(
            (each.name, *(worth_text(each.worths[kind], noun="") for kind in kinds))
            for each in self.best_first()
        )
        chosen = self.classifiers[0].calibration
        return Table(
            "Worth by each reading of a judge's numbers",
            ("classifier", *(READINGS[kind] for kind in kinds)),
            rows,
            caption=f"Reported is the worth {READINGS[chosen]}; a curve follows bent scales, at "
            "the price of saying a little too little where items are few.",
            id="worths",
        )

    def _people_table(self) -> Table:
        people, digits = self.people, digits_for(self.least, self.most)
        rows: list[tuple[Cell, ...]] = [
            ("mean rating", people.mean.text(digits), "over all items"),
            ("spread within an item", people.spread.text(digits), "a person about the true score"),
            ("spread between items", people.between.text(digits), "the true scores themselves"),
        ]
        if people.distance is not None and people.near is not None:
            rows += [
                ("distance of two people", people.distance.text(digits), "mean, on one item"),
                (f"two people within {self.tolerance:g}", people.near.share_text(), "of pairs"),
            ]
        rows.append(("ICC(1)", people.icc_1.text(), "reliability of one rating"))
        if people.icc_a1 is not None and people.icc_ak is not None:
            each = f"of the mean of {people.ratings_each:.3g} ratings an item"
            rows += [
                (
                    "ICC(A,1)",
                    people.icc_a1.text(),
                    "the same, strict and lenient raters told apart",
                ),
                ("ICC(A,k)", people.icc_ak.text(), each),
            ]
        return Table(
            "People among themselves", ("", "estimate", "what it says"), tuple(rows), id="people"
        )

    def _parts(self) -> tuple[Table, ...]:
        """The bias by level, slice and rater: a column a judge."""
        found = []
        for id, title, kind in (
            ("by_level", "Judge less people by what people say", "level"),
            ("by_slice", "Judge less people by slice", "slice"),
            ("by_rater", "Judge less each rater", "rater"),
        ):
            first = getattr(self.classifiers[0], id)
            if first:
                found.append(self._part_table(id, title, kind, first))
        return tuple(found)

    def _part_table(self, id: str, title: str, kind: str, first: tuple[BiasAt, ...]) -> Table:
        digits = digits_for(self.least, self.most)
        shown = first if kind == "level" else first[:_SHOWN]
        judges = self.classifiers[:_SHOWN]
        by_judge = [{(b.of, b.name): b for b in getattr(each, id)} for each in judges]
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                part.name if part.of == kind else f"{part.of}: {part.name}",
                round(part.items),
                *(bias_words(parts.get((part.of, part.name)), digits) for parts in by_judge),
            )
            for part in shown
        )
        more = len(first) - len(shown)
        return Table(
            title,
            (kind, "items", *(each.name for each in judges)),
            rows,
            caption=f"and {count(more, 'more', 'more')}" if more else "",
            id=id,
        )


def _rank(worth: Estimate) -> float:
    if worth.value is not None:
        return worth.value
    return {"above": np.inf, "below": -1.0}.get(worth.state or "", -2.0)


_CENSORED = "the worth of one of the two has an open end"


def compared(
    names: tuple[str, str],
    sample: Sample,
    numbers: tuple[Floats, Floats],
    worths: tuple[Estimate, Estimate],
) -> ScoreComparison:
    """The comparison of two judges' numbers (I,) on one sample."""
    found = sample.measured({"both": _both(*numbers)})["both"]
    apart = found.estimate(lambda first, second, **_: first - second)
    spread = found.error(lambda first, second, **_: first - second)
    p_value = None
    if apart.value is not None and spread > 0:
        p_value = float(2 * special.stdtr(found.plan.freedom(), -abs(apart.value) / spread))
    ends = [each for worth in worths for each in (worth.value, worth.low, worth.high)]
    if any(end is None for end in ends):
        worth = Estimate.undefined(_CENSORED)
    else:
        worth = found.estimate(lambda within, first, second: within * (1 / first - 1 / second))
    return ScoreComparison(*names, apart, worth, p_value)


def _both(first: Floats, second: Floats) -> Measure:
    """`within` and the errors of both; what raters share is the same for both and cancels."""

    def measure(people: People, said: Said | None, added: bool) -> Measured:
        del said
        found = components(people, added)
        errors = {
            name: true_error(people, numbers, added)
            for name, numbers in (("first", first), ("second", second))
        }
        return Measured.of({"within": (found.within, found.within_influence), **errors})

    return measure
