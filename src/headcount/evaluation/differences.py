"""Every pair of classifiers on every headline number, paired, all looks counted."""

import math
from dataclasses import replace
from itertools import combinations
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.crowd import Crowd
from headcount.equivalence import SurveyEquivalence
from headcount.errors import OptionError
from headcount.evaluation.part import Unavailable
from headcount.results import Cell, Estimate, Record, Result, State, Table, hidden, record
from headcount.sampling import Sampled
from headcount.sampling.differences import NotWorse, not_worse
from headcount.sampling.multiplicity import holm

Floats = NDArray[np.float64]
Quantity = Literal["worth", "agree", "score"]

MEANS: dict[str, str] = {
    "worth": "worth in raters",
    "agree": "share of people who agree",
    "score": "score",
}
LEVEL = 0.05
_SAID = 4


@record
class PairDifference(Record):
    """One number of two classifiers, first less second, on the same items and raters.

    `p_value` of so large a difference either way if there were none, `adjusted` for all pairs
    and numbers (Holm); None where there is no difference to speak of. On a curve that does not
    fall who scores higher is worth more: both are those of the score where this is a worth.
    """

    first: str
    second: str
    quantity: str
    difference: Estimate
    p_value: float | None
    adjusted: float | None
    means: str = hidden(default="")

    @property
    def claimed(self) -> bool:
        """Whether a difference may be claimed, all pairs counted."""
        return self.adjusted is not None and self.adjusted <= LEVEL

    def sentence(self) -> str:
        """The difference for people."""
        found = self.difference
        if not found.known:
            return f"{self.first} and {self.second}: {found.note}."
        ahead = _is_ahead(found)
        better, other = (self.first, self.second) if ahead else (self.second, self.first)
        size = _size(found if ahead else _minus(found), self.quantity)
        what = self.means or MEANS[self.quantity]
        if self.claimed:
            return f"{better} is better than {other} in {what}, by {size}."
        return f"{better} is ahead of {other} in {what} by {size}: that may be chance."


@record
class Compared(Record):
    """Two classifiers: every difference, first less second; undefined ones say why.

    `p_better` is the share of bootstrap samples in which the first one scores higher.
    """

    first: str
    second: str
    worth: Estimate
    agree: Estimate
    score: Estimate
    p_better: float | None
    adjusted: dict[str, float | None]
    measured: dict[str, Sampled] = hidden(default_factory=dict, compare=False)
    confidence: float = hidden(default=0.95)

    def not_worse(self, margin: float, quantity: Quantity = "agree") -> NotWorse:
        """Whether the first is not worse than the second by more than `margin`.

        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", seed=1, items=120)
        >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=50)
        >>> found.compare("fine_tuned", "llm_judge").not_worse(0.1).shown
        True
        """
        if quantity == "worth" and margin > 0:
            if not self.worth.known:
                raise OptionError(f"There is no difference in 'worth' here: {self.worth.note}.")
            return NotWorse(self.worth, margin, None, (1 - self.confidence) / 2)
        # Whose score is no lower is worth no less.
        known = self.measured.get("score" if quantity == "worth" else quantity)
        if known is None:
            raise OptionError(f"There is no difference in {quantity!r} here: choose another.")
        found = not_worse(
            float(known.value),
            known.draws,
            known.without,
            margin=margin,
            plan=known.samples,
            confidence=self.confidence,
        )
        return replace(found, difference=self.worth) if quantity == "worth" else found


@record
class Differences(Result):
    """Every pair of classifiers on every number; `about` says what intervals speak of.

    `agreeing` says what the share is of: people who agree, or are near.
    """

    pairs: tuple[PairDifference, ...]
    about: str
    confidence: float
    measured: dict[str, Sampled] = hidden(default_factory=dict, compare=False)
    names: tuple[str, ...] = hidden(default=())
    agreeing: str = hidden(default=MEANS["agree"])

    rows: ClassVar[str] = "pairs"

    def of(self, first: str, second: str, quantity: str) -> PairDifference:
        """One difference, in the order asked for."""
        for each in self.pairs:
            if each.quantity == quantity and {each.first, each.second} == {first, second}:
                return each if each.first == first else _turned(each)
        raise OptionError(f"There is no difference of {first!r} and {second!r} in {quantity!r}.")

    def verdict(self) -> str:
        """Which differences may be claimed."""
        claimed: dict[tuple[str, str], list[PairDifference]] = {}
        for each in self.pairs:
            if each.claimed and each.quantity != "score":
                ahead = each if _is_ahead(each.difference) else _turned(each)
                claimed.setdefault((ahead.first, ahead.second), []).append(ahead)
        if not claimed:
            return (
                f"No difference in worth or in the {self.agreeing} may be claimed, all pairs "
                "counted."
            )
        said = [_claim(pair, found) for pair, found in list(claimed.items())[:_SAID]]
        more = len(claimed) - len(said)
        return " ".join([*said, *([f"And {more} more in the table."] if more else [])])

    def tables(self) -> tuple[Table, ...]:
        """A row a pair, a column a number."""
        return (difference_table(self),)

    def assumptions(self) -> tuple[str, ...]:
        """What the differences rest on."""
        return (
            "Differences are paired: the same items, judged by the same people; intervals speak "
            f"of {self.about}. A difference is claimed where its p-value, adjusted for all pairs "
            f"and numbers (Holm), is at most {LEVEL:g}; one in worth by the scores, in which worth "
            "on one curve has the same order.",
        )


def differences_of(
    crowd: Crowd,
    agree: Sampled,
    equivalence: SurveyEquivalence | Unavailable,
    confidence: float,
) -> Differences:
    """Every pair of the crowd's classifiers on every headline number.

    `agree` (C,) are the shares of people who agree with each, as they are reported.
    """
    measured = {"agree": agree}
    if not isinstance(equivalence, Unavailable):
        measured["score"] = equivalence.sampled(crowd.names)
    means = MEANS | {"agree": crowd.nearness.share}
    pairs = [
        replace(pair, means=means[quantity])
        for quantity, each in measured.items()
        for pair in _pairs(crowd.names, quantity, each, confidence)
    ]
    # All that is looked at counts; a worth is no look of its own.
    adjusted = holm([math.nan if each.p_value is None else each.p_value for each in pairs])
    pairs = [
        replace(pair, adjusted=None if math.isnan(level) else float(level))
        for pair, level in zip(pairs, adjusted, strict=True)
    ]
    if not isinstance(equivalence, Unavailable):
        pairs += [
            replace(
                pair,
                quantity="worth",
                difference=equivalence.worth_difference(pair.first, pair.second),
                means=means["worth"],
            )
            for pair in pairs
            if pair.quantity == "score"
        ]
    return Differences(
        tuple(pairs),
        agree.samples.sentence(),
        confidence,
        measured,
        crowd.names,
        means["agree"],
    )


def _pairs(
    names: tuple[str, ...], quantity: str, each: Sampled, confidence: float
) -> list[PairDifference]:
    found = each.pairs(confidence, undefined="one of the two has no value")
    return [
        PairDifference(names[d.first], names[d.second], quantity, d.estimate, d.p_value, d.adjusted)
        for d in found
    ]


def compared(
    found: Differences, equivalence: SurveyEquivalence | Unavailable, first: str, second: str
) -> Compared:
    """Two classifiers on every number."""
    known = {each.quantity: found.of(first, second, each.quantity) for each in found.pairs}
    why = Estimate.undefined(
        equivalence.reason if isinstance(equivalence, Unavailable) else "not compared"
    )

    def difference(quantity: str) -> Estimate:
        return known[quantity].difference if quantity in known else why

    one, other = found.names.index(first), found.names.index(second)
    apart = {
        quantity: each.at(one).less(each.at(other)) for quantity, each in found.measured.items()
    }
    p_better = None
    if not isinstance(equivalence, Unavailable):
        p_better = equivalence.compare(first, second).p_better
    return Compared(
        first,
        second,
        difference("worth"),
        difference("agree"),
        difference("score"),
        p_better,
        {quantity: each.adjusted for quantity, each in known.items()},
        apart,
        found.confidence,
    )


def difference_table(found: Differences) -> Table:
    """A row a pair, a column a number; claims are marked."""
    quantities = list(dict.fromkeys(each.quantity for each in found.pairs))
    rows: list[tuple[Cell, ...]] = []
    for pair in combinations(found.names, 2):
        first, second = _ahead(found, pair, quantities[0])
        row: list[Cell] = [f"{first} − {second}"]
        for quantity in quantities:
            each = found.of(first, second, quantity)
            if not each.difference.known:
                row.append("–")
                continue
            mark = " *" if each.claimed else ""
            row.append(_size(each.difference, quantity, signed=True) + mark)
        rows.append(tuple(row))
    return Table(
        "Differences between classifiers",
        ("pair", *((MEANS | {"agree": found.agreeing})[each] for each in quantities)),
        tuple(rows),
        caption=f"First less second, with {100 * found.confidence:g} % intervals about "
        f"{found.about}. * may be claimed, adjusted for all pairs and numbers (Holm, {LEVEL:g}).",
        id="differences",
    )


def _ahead(found: Differences, pair: tuple[str, str], quantity: str) -> tuple[str, str]:
    """The pair with the one first that is ahead."""
    return pair if _is_ahead(found.of(*pair, quantity).difference) else (pair[1], pair[0])


def _is_ahead(found: Estimate) -> bool:
    """Whether the first is not behind; one that is open lies on the side that it is open to."""
    if found.value is None:
        return found.state != "below"
    return found.value >= 0


def _turned(each: PairDifference) -> PairDifference:
    """The same difference the other way round."""
    found = each.difference
    again = found.reread
    return replace(
        each,
        first=each.second,
        second=each.first,
        difference=replace(
            _minus(found), reread=None if again is None else lambda at: _minus(again(at))
        ),
    )


def _claim(pair: tuple[str, str], found: list[PairDifference]) -> str:
    """All that one classifier is better in than another, in one sentence."""
    sizes = [
        f"by {_size(each.difference, each.quantity)} in "
        f"{'worth' if each.quantity == 'worth' else each.means or MEANS[each.quantity]}"
        for each in found
    ]
    return f"{pair[0]} is better than {pair[1]}: {' and '.join(sizes)}."


def _minus(found: Estimate) -> Estimate:
    return replace(
        found,
        value=None if found.value is None else -found.value,
        low=None if found.high is None else -found.high,
        high=None if found.low is None else -found.low,
        state=_OTHER_SIDE.get(found.state),
        low_state=_OTHER_SIDE.get(found.high_state),
        high_state=_OTHER_SIDE.get(found.low_state),
    )


_OTHER_SIDE: dict[State | None, State] = {"above": "below", "below": "above", "within": "within"}


def _size(found: Estimate, quantity: str, *, signed: bool = False) -> str:
    """A difference in words: points for shares, raters for worths."""
    points = quantity == "agree"
    scale, digits, unit = (100, 1, " points") if points else (1, 2, "")
    if quantity == "worth":
        unit = " raters"
    form = f"{{:+.{digits}f}}" if signed else f"{{:.{digits}f}}"

    def said(number: float | None) -> str:
        return "" if number is None else form.format(scale * number)

    middle, low, high = (said(each) for each in found)
    if found.open_above and found.open_below:
        ends = "these data set no limits"
    elif found.open_above:
        ends = f"at least {low}"
    elif found.open_below:
        ends = f"at most {high}"
    elif not (low and high):
        return f"{middle}{unit}"
    else:
        ends = f"{low} to {high}"
    return f"{middle}{unit} ({ends})" if middle else f"{ends}{unit if low or high else ''}"
