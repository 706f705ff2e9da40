"""What is told of one judge and of people: the parts of `ScoreAgreement`, in sentences."""

from math import floor, log10
from typing import TYPE_CHECKING

from headcount.arrays import Floats, Ints
from headcount.results import Estimate, Record, hidden, record
from headcount.results.words import (
    MOST_RATERS,
    in_people,
    other_way_sentence,
    people,
    worth_text,
)

if TYPE_CHECKING:
    from headcount.scores.result import ScoreAgreement


@record
class Limits(Record):
    """Limits of agreement: 95 % of judge less person lie between `low` and `high`.

    Bland and Altman's bias ± 1.96 standard deviations, for differences that are nearly normal.
    """

    low: Estimate
    high: Estimate


@record
class BiasAt(Record):
    """Judge less people in one part: a level of what people say, a slice of the items, a rater.

    `adjusted` is the p-value of being other than the rest, all parts counted (Holm); None where
    that is not asked or the part is too small.
    """

    name: str
    of: str
    items: float
    bias: Estimate
    adjusted: float | None = None


@record
class JudgeScores(Record):
    """One judge's numbers against people's.

    `worth` is how many people it is worth by squared error, in the reading `calibration`;
    `worths` has it in every reading, "given" being its numbers as they stand. `bias` is judge
    less people, `limits` hold 95 % of its differences to a person, `error` is the typical (root
    mean squared) distance to the true score of an item, which nobody knows. `distance` is the
    mean distance to a person, `near` the share of people within the tolerance and `ahead` that
    share less the share of people so near another person; None where ratings were not looked at
    one by one. `by_level`, `by_slice` and `by_rater` have the bias in parts, `cells` the counts of
    a chart. `turned_round` is the correlation of its numbers with people's where these run the
    other way, None elsewhere. `far_items` is what the hundredth of items on which it is furthest
    off holds of its squared error: about a twelfth where errors are normal.
    """

    name: str
    worth: Estimate
    worths: dict[str, Estimate]
    calibration: str
    bias: Estimate
    limits: Limits
    error: Estimate
    distance: Estimate | None
    near: Estimate | None
    by_level: tuple[BiasAt, ...]
    by_slice: tuple[BiasAt, ...]
    by_rater: tuple[BiasAt, ...]
    answered: int
    out_of: int
    shares_errors: bool = False
    far_items: float = 0.0
    ahead: Estimate | None = None
    turned_round: Estimate | None = None
    cells: "Cells | None" = hidden(default=None)

    @property
    def as_it_stands(self) -> Estimate:
        """The worth of its numbers as they stand."""
        return self.worths["given"]


@record
class Cells(Record):
    """Items counted by people's mean and the judge's number, for a chart of any number of items.

    `people` (P + 1,) and `judge` (Q + 1,) are the edges, `items` (P, Q) how many items lie in
    each cell. `level` and `mean` (L,) are people's and the judge's mean at a few levels.
    """

    people: Floats
    judge: Floats
    items: Ints
    level: Floats
    mean: Floats


@record
class PeopleScores(Record):
    """People among themselves.

    `spread` is a person's typical (root mean squared) distance from the true score of an item,
    `between` the standard deviation of true scores. `icc_1` is ICC(1); `icc_a1` and `icc_ak`,
    ICC(A,1) and ICC(A,k), are None where raters have no names. `distance` is the mean distance of
    two people on one item, `near` the share of pairs within the tolerance.
    """

    mean: Estimate
    spread: Estimate
    between: Estimate
    icc_1: Estimate
    icc_a1: Estimate | None
    icc_ak: Estimate | None
    ratings_each: float
    distance: Estimate | None
    near: Estimate | None


# Digits past which a number on a page is noise.
_MOST_DIGITS = 6

# Raters by which calibration must change a worth before it is worth a sentence.
_APART = 0.25


def digits_for(least: float, most: float) -> int:
    """Decimals that numbers on a scale of this width are printed with.

    >>> digits_for(1, 5), digits_for(-100, 100), digits_for(0, 0.02)
    (2, 1, 4)
    """
    width = most - least
    if width <= 0:
        return 2
    return min(max(round(2.5 - log10(width)), 1), _MOST_DIGITS)


def signed(estimate: Estimate, digits: int) -> str:
    """A difference with its sign.

    >>> signed(Estimate(-0.84, -0.91, -0.77), 2)
    '-0.84 (-0.91 to -0.77)'
    """
    if estimate.value is None:
        return "–"
    middle = f"{estimate.value:+.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return middle
    return f"{middle} ({estimate.low:+.{digits}f} to {estimate.high:+.{digits}f})"


def bias_words(part: "BiasAt | None", digits: int) -> str:
    """A bias in a cell."""
    return "–" if part is None else signed(part.bias, digits)


def judge_sentences(found: "ScoreAgreement", judge: "JudgeScores") -> tuple[str, ...]:
    """Worth, bias and nearness of one judge."""
    digits = digits_for(found.least, found.most)
    against = judge.turned_round
    # How much higher a reversed scale lies says nothing: it is higher here and lower there.
    said = [_worth(judge), _bias(judge, digits)]
    if against is not None:
        said = [other_way_sentence(judge.name, against), _worth(judge)]
    two_people = found.people.near
    if judge.near is not None and two_people is not None and judge.near.value is not None:
        beside = "" if two_people.value is None else f"; two people do {_percent(two_people)}"
        said.append(
            f"It lies within {found.tolerance:g} of a person {_percent(judge.near)} of the "
            f"time{beside}."
        )
    return tuple(said)


def bias_sentence(found: "ScoreAgreement", name: str) -> str:
    """How much higher or lower than people one judge rates."""
    return _bias(found[name], digits_for(found.least, found.most))


def people_sentence(found: "ScoreAgreement") -> str:
    """What people reach among themselves."""
    digits = digits_for(found.least, found.most)
    icc = found.people.icc_1 if found.people.icc_a1 is None else found.people.icc_a1
    apart = found.people.distance
    start = "" if apart is None else f"Two people are {apart.text(digits)} apart on one item; "
    if icc.value is None:
        return f"{start or 'People '}have no reliability: {icc.note}."
    if icc.value <= 0:
        return f"{start}ratings of one item are no more alike than of two (ICC {icc.text(2)})."
    share = f"{100 * icc.value:.0f} % of what ratings vary by is the items"
    return f"{start}{share}, the rest is people (ICC {icc.text(2)})."


def _worth(judge: "JudgeScores") -> str:
    name, worth = judge.name, judge.worth
    if worth.state == "below":
        why = f": {worth.note}" if worth.note else ""
        return f"{name} predicts people no better than asking nobody would{why}."
    if worth.value is None and worth.state is None:
        return f"{name} has no worth in raters: {worth.note}."
    if worth.state == "above" and worth.low is not None:
        more = f"more than {people(floor(worth.low)) if worth.low >= 1 else 'nobody'}"
        more = "any number of raters" if worth.low >= MOST_RATERS else more
        return f"{name} is worth {more}: its error cannot be told from none."
    ends = in_people(worth, int(worth.ceiling or 0))
    said = f"{name} is worth {worth_text(worth)}{f': {ends}' if ends else ''}."
    raw = judge.as_it_stands
    if judge.calibration == "given" or not _differ(worth, raw):
        return said
    taken = "nothing" if raw.state == "below" else worth_text(raw)
    return f"{said} That is once calibrated; its numbers as they stand are worth {taken}."


def _bias(judge: "JudgeScores", digits: int) -> str:
    bias = judge.bias
    if bias.value is None:
        return f"Its bias is unknown: {bias.note}."
    if bias.low is not None and bias.high is not None and bias.low <= 0 <= bias.high:
        return (
            f"It rates neither higher nor lower than people beyond chance: {signed(bias, digits)}."
        )
    side = "lower" if bias.value < 0 else "higher"
    size = f"{abs(bias.value):.{digits}f}"
    if bias.low is None or bias.high is None:
        return f"It rates {size} {side} than people."
    ends = sorted((abs(bias.low), abs(bias.high)))
    return f"It rates {size} {side} than people ({ends[0]:.{digits}f} to {ends[1]:.{digits}f})."


def _percent(estimate: Estimate) -> str:
    return f"{100 * (estimate.value or 0.0):.0f} %"


def _differ(one: Estimate, other: Estimate) -> bool:
    if one.value is None or other.value is None:
        return one.state != other.state
    return abs(one.value - other.value) >= _APART
