"""What `true_rate` answers."""

from collections.abc import Callable
from typing import ClassVar

from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record

# Rated items that differ so unlikely from the others were hardly drawn at random.
DOUBT = 0.01


@record
class SliceRate(Record):
    """The rate in one part of the items."""

    slice: str
    part: str
    rate: Estimate
    people: Estimate
    judged: float | None
    rated: int
    items: int


@record
class ClassifierRate(Record):
    """The rate by one judge (a classifier) and people together.

    `people` is from people alone, `judged` what the judge says of all items, `rogan_gladen` the
    classical correction of that. `ratio` is the variance over items with the judge over that
    without; `rater_share` the part of the variance that comes from who the raters are (None
    where they have no names). `rated` of `items` were rated, `left_out` rated ones have no answer
    of the judge; `items_needed` are to be rated for the half-width wished (None where more items
    do not help). `random_p_value` is how likely rated items differ as much from the others if
    they were drawn at random.
    """

    name: str
    rate: Estimate
    people: Estimate
    judged: float
    rogan_gladen: Estimate
    ratio: float
    rater_share: float | None
    rated: int
    items: int
    left_out: int
    items_needed: int | None
    random_p_value: float | None
    slices: tuple[SliceRate, ...]
    reread: "Callable[[float], ClassifierRate] | None" = hidden(default=None, compare=False)


@record
class TrueRate(Result):
    """What share of items people would call X, or their mean score.

    Attributes
    ----------
    of : str or None
        The label X; None for a mean score.
    classifiers : tuple of ClassifierRate
        The answer by each judge: `rate`, `people` alone, what it `judged`, `items_needed`.
    half_width : float
        The width wished, to either side.
    named_raters : bool
        Whether raters have names, so that who they are is counted too.
    stratified : bool
        Whether items to rate were chosen by what the judge said, and that was corrected for.
    confidence : float
        Of the intervals.
    cluster : str or None
        What the items come in clusters of, where that is counted too.
    notes : tuple of str
        What became of the data.

    Examples
    --------
    >>> import headcount as hc, pyarrow as pa
    >>> people = pa.table({"item": range(60), "label": ["no", "yes", "no"] * 20})
    >>> judge = pa.table({"item": range(300), "judge": ["no", "yes", "no"] * 100})
    >>> hc.true_rate(people, judge, of="yes").best.name
    'judge'
    """

    of: str | None
    classifiers: tuple[ClassifierRate, ...]
    half_width: float
    named_raters: bool
    stratified: bool
    confidence: float
    cluster: str | None = None
    notes: tuple[str, ...] = ()

    rows: ClassVar[str] = "classifiers"

    @property
    def best(self) -> ClassifierRate:
        """The judge that takes away most of the variance; the first of equals."""
        return min(self.classifiers, key=lambda each: each.ratio)

    def verdict(self) -> str:
        """One sentence that answers the question."""
        best = self.best
        which = (
            f"{best.name}, the most helpful of {len(self.classifiers)} judges,"
            if len(self.classifiers) > 1
            else best.name
        )
        by = f"{which} judged {best.items:,} items, people rated {best.rated:,} of them"
        if self.of is None:
            return f"People would give items {best.rate.whose_text()} on average: {by}."
        rate = best.rate.whose_text(percent=True)
        value, opened, rest = rate.partition(" (")
        return f"People would call {value} of items {self.of!r}{opened}{rest}: {by}."

    def tables(self) -> tuple[Table, ...]:
        """The rate by each judge, and by slice."""
        what = "mean score" if self.of is None else f"share of {self.of!r}"
        tables = [
            Table(
                f"What people would say: {what}",
                (
                    "judge",
                    "judge and people",
                    "people alone",
                    "judge alone",
                    "Rogan–Gladen",
                    f"rated items for ±{self._number(self.half_width)}",
                ),
                tuple(
                    (
                        each.name,
                        self._text(each.rate),
                        self._text(each.people),
                        self._number(each.judged),
                        "–" if each.rogan_gladen.value is None else self._text(each.rogan_gladen),
                        each.items_needed,
                    )
                    for each in self.classifiers
                ),
                caption=f"Intervals at {100 * self.confidence:g} %.",
                id="rates",
            )
        ]
        if self.best.slices:
            tables.append(self._slice_table())
        return tuple(tables)

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on, and what the data say of it."""
        drawn = " within strata" if self.stratified else ""
        p_value = self.best.random_p_value
        if p_value is not None and p_value < DOUBT:
            first = (
                f"Fails: rated items must be a random sample{drawn} of all the judge saw, and "
                f"{self.best.name} answers otherwise on them than on the others (p = "
                f"{p_value:.2g}): the rate is of items like the rated ones, and not of all."
            )
        else:
            first = (
                f"Not tested: rated items must be a random sample{drawn} of all the judge saw; "
                "complaints or hard cases make the rate wrong in a way no formula undoes."
            )
        people = (
            "Raters are a sample of people: who they are is in the interval."
            if self.named_raters
            else "Fewer than three raters have names, so the interval knows nothing of how they "
            "differ: the rate is about people like these, in the same mixture."
        )
        items = (
            () if self.cluster is None else (f"Items vary together by {self.cluster}: counted.",)
        )
        return (
            first,
            people,
            *items,
            "The target is what people say, not what is true: people may be wrong together.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What the judge is worth, what limits the answer, and what was left out."""
        best = self.best
        notes = [self._worth(best)]
        if best.items_needed is None:
            notes.append(
                f"No number of rated items gives ±{self._number(self.half_width)}: "
                f"{100 * (best.rater_share or 0):.0f} % of the variance comes from who the raters "
                "are. Ask more people."
            )
        else:
            notes.append(
                f"About {best.items_needed:,} rated items would give "
                f"±{self._number(self.half_width)}."
            )
        notes += [
            f"{each.left_out:,} rated items have no answer of {each.name} and were left out."
            for each in self.classifiers
            if each.left_out
        ]
        return (*notes, *self.notes)

    def _worth(self, best: ClassifierRate) -> str:
        if best.ratio >= 1:
            return f"{best.name} does not help: the rate is that of people alone."
        more = round(best.rated / best.ratio)
        return f"{best.name} makes {best.rated:,} rated items worth about {more:,} without it."

    def _slice_table(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for each in self.best.slices:
            known = each.rate.value is not None
            rows.append(
                (
                    each.slice,
                    each.part,
                    self._text(each.rate) if known else each.rate.note,
                    self._text(each.people) if known else "–",
                    "–" if each.judged is None else self._number(each.judged),
                    each.rated,
                    each.items,
                )
            )
        headings = ("slice", "part", "judge and people", "people alone", "judge alone")
        return Table(
            f"By slice, with {self.best.name}",
            (*headings, "rated", "items"),
            tuple(rows),
            id="slices",
        )

    def _text(self, estimate: Estimate) -> str:
        return estimate.text(percent=self.of is not None)

    def _number(self, value: float) -> str:
        if self.of is None:
            return f"{value:.3f}".rstrip("0").rstrip(".")
        return f"{100 * value:.1f} %"
