"""A number with its interval, its censoring and, where there is no number, the reason."""

import math
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from typing import Any, Literal

from headcount.errors import UnanswerableError
from headcount.frozen import frozen

State = Literal["below", "within", "above"]

ALWAYS_TOLD = ("value", "low", "high")
"""What an estimate always tells in JSON, be it null."""
WHERE_THERE = (
    "state",
    "low_state",
    "high_state",
    "note",
    "measured_to",
    "these_raters",
    "these_low",
    "these_high",
)
"""What it tells beside, where there is something to tell; `measured_to` where a model goes on."""

# A share below this is told as 0.0 %.
_NOTHING = 0.0005


@frozen
class Estimate:
    """A value with an interval.

    `value`, `low` and `high` are finite floats or None; None is always explained, either by
    `note` (undefined: why) or by a state (censored: on which side of what could be measured).
    `low_state` and `high_state` censor the interval's ends: "3.1 to more than 19" has
    `high=None, high_state="above"`. `floor` and `ceiling` are the limits that "below" and
    "above" refer to; without one that side is open: the data set no limit. `measured_to` is where
    measuring ends, for estimates that go on by a model: what lies above it is `modelled`.
    Where few people with names rated, the interval is about people at large, and `these_low` to
    `these_high` about `these_raters` of them alone, on other items.
    `float(estimate)` is its value and `value, low, high = estimate` takes it apart; `reread` gives
    the same estimate at another confidence, where its draws were kept. Where only a span is known,
    `low` and `high` stand without a `value`, and `note` says why.

    >>> value, low, high = Estimate(0.5, 0.4, 0.6)
    >>> float(Estimate(0.5)) + high
    1.1
    >>> Estimate.span(0.83, 0.92, "there is no gold").text(percent=True)
    'between 83.0 % and 92.0 %'
    >>> print(Estimate(2.0, 0.7, None, high_state="above"))
    2.000 (at least 0.700)
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    state: State | None = None
    low_state: State | None = None
    high_state: State | None = None
    floor: float | None = None
    ceiling: float | None = None
    note: str | None = None
    measured_to: float | None = None
    these_raters: int | None = None
    these_low: float | None = None
    these_high: float | None = None
    reread: "Callable[[float], Estimate] | None" = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers = ("value", "low", "high", "floor", "ceiling", "measured_to")
        for name in (*numbers, "these_low", "these_high"):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"Estimate.{name} is {number}: name the reason instead")
        if self.value is None and self.note is None and self.state in (None, "within"):
            raise ValueError("an Estimate without a value needs a note or a censored state")

    @classmethod
    def undefined(cls, note: str) -> "Estimate":
        """No number, and the reason."""
        return cls(None, note=note)

    @classmethod
    def span(cls, low: float, high: float, note: str) -> "Estimate":
        """Somewhere between two ends, and the reason why nothing more can be said."""
        return cls(None, low, high, note=note)

    def __float__(self) -> float:
        if self.value is None:
            raise UnanswerableError(f"There is no number here: {self.note or self.text()}.")
        return self.value

    def __iter__(self) -> Iterator[float | None]:
        return iter((self.value, self.low, self.high))

    def at(self, confidence: float) -> "Estimate":
        """The same estimate with the interval of another confidence."""
        if self.reread is None:
            return self
        return replace(self.reread(confidence), note=self.note)

    def with_note(self, note: str) -> "Estimate":
        """The same estimate with one more remark."""
        return replace(self, note=note if self.note is None else f"{self.note}; {note}")

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form: value, low, high, then state and note where they say something."""
        out: dict[str, Any] = {name: getattr(self, name) for name in ALWAYS_TOLD}
        for name in WHERE_THERE:
            value = getattr(self, name)
            if value is not None and (name != "measured_to" or self.modelled):
                out[name] = value
        return out

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text() if self.note is None or self.known else f"undefined: {self.note}"

    def text(self, digits: int = 3, percent: bool = False) -> str:
        """For people: "0.331 (0.302 to 0.360)", "more than 9 (7.1 to more than 9)"."""
        if percent and self.is_any_share:
            middle = "" if self.value is None else f"{self._words(self.value, None, 1, True)} "
            return f"{middle}(any share is possible)" if middle else "any share"
        if self.is_span:
            low, high = (self._words(end, None, digits, percent) for end in (self.low, self.high))
            return f"between {low} and {high}"
        if self.open_below or self.open_above:
            return self._open_text(digits, percent)
        middle = self._words(self.value, self.state, digits, percent)
        if not self.has_interval:
            return middle
        low = self._words(self.low, self.low_state, digits, percent)
        high = self._words(self.high, self.high_state, digits, percent)
        if self.low_state == self.high_state == self.state != "within" and low == high == middle:
            return middle  # censored all over: "more than 9", said once
        return f"{middle} ({low} to {high})"

    def of_these(self, raters: int, alone: "Estimate") -> "Estimate":
        """With the interval about these raters `alone`, where it has ends."""
        if alone.low is None or alone.high is None:
            return self
        return replace(self, these_raters=raters, these_low=alone.low, these_high=alone.high)

    def whose_text(self, digits: int = 3, percent: bool = False) -> str:
        """As `text`, with both intervals where few people with names rated.

        >>> Estimate(0.9, 0.6, 0.98).of_these(3, Estimate(0.9, 0.88, 0.92)).whose_text(percent=True)
        '90.0 % (88.0 % to 92.0 % for your three raters, 60.0 % to 98.0 % for people at large)'
        """
        if self.these_raters is None or self.value is None or not self.has_interval:
            return self.text(digits, percent)
        middle = _number(self.value, digits, percent)
        if self.open_above or self.open_below:
            at_large = self._open_text(digits, percent).partition(" (")[2].removesuffix(")")
        else:
            low = self._words(self.low, self.low_state, digits, percent)
            at_large = f"{low} to {self._words(self.high, self.high_state, digits, percent)}"
        return (
            f"{middle} ({self.text_of_these(digits, percent)} for {self.these}, {at_large} for "
            "people at large)"
        )

    @property
    def these(self) -> str:
        """The few raters, for people: "your three raters"."""
        from headcount.results.words import number_word

        return f"your {number_word(self.these_raters or 0)} raters"

    def text_of_these(self, digits: int = 3, percent: bool = False) -> str:
        """The interval about these raters alone: "88.0 % to 92.0 %"."""
        if self.these_low is None or self.these_high is None:
            return "–"
        return f"{_number(self.these_low, digits, percent)} to " + _number(
            self.these_high, digits, percent
        )

    @property
    def open_above(self) -> bool:
        """Whether the data set no upper limit."""
        return self.high is None and self.high_state == "above" and self.ceiling is None

    @property
    def open_below(self) -> bool:
        """Whether the data set no lower limit."""
        return self.low is None and self.low_state == "below" and self.floor is None

    def _open_text(self, digits: int, percent: bool) -> str:
        if self.open_above and self.open_below:
            ends = "these data set no limits"
        elif self.open_above:
            ends = f"at least {self._words(self.low, self.low_state, digits, percent)}"
        else:
            ends = f"at most {self._words(self.high, self.high_state, digits, percent)}"
        if self.value is None:
            return ends
        return f"{_number(self.value, digits, percent)} ({ends})"

    def share_text(self, digits: int = 1, interval: bool = True) -> str:
        """A share for a cell: "82.1 % (79.4 % to 84.6 %)", "–" where there is none."""
        if self.is_span:
            return self.text(percent=True)
        if self.value is None:
            return "–"
        return self.text(percent=True) if interval else f"{100 * self.value:.{digits}f} %"

    def points_text(self) -> str:
        """A difference of shares in points: "+1.2 (-0.3 to +2.7)", "–" where there is none."""
        if self.value is None:
            return "–"
        middle = f"{100 * self.value:+.1f}"
        if self.low is None or self.high is None:
            return middle
        return f"{middle} ({100 * self.low:+.1f} to {100 * self.high:+.1f})"

    @property
    def known(self) -> bool:
        """Whether there is a number, or at least a side on which it lies."""
        return self.value is not None or self.state is not None

    @property
    def modelled(self) -> bool:
        """Whether the value or an end of the interval lies where nothing was measured."""
        if self.measured_to is None:
            return False
        ends = [end for end in self if end is not None]
        states = (self.state, self.low_state, self.high_state)
        return "above" in states or any(end > self.measured_to for end in ends)

    @property
    def is_span(self) -> bool:
        """Whether there is no value but two ends between which it lies."""
        bare = self.value is None and self.state is None
        return bare and self.low is not None and self.high is not None

    @property
    def is_any_share(self) -> bool:
        """Whether, of a share, all is possible: its ends are told as nothing and as all."""
        none = self.low is not None and abs(self.low) < _NOTHING
        return none and self.high is not None and abs(1 - self.high) < _NOTHING

    @property
    def has_interval(self) -> bool:
        """Whether both ends are known, as numbers or as censored sides."""
        low_known = self.low is not None or self.low_state in ("below", "above")
        return low_known and (self.high is not None or self.high_state in ("below", "above"))

    def _words(self, number: float | None, state: State | None, digits: int, percent: bool) -> str:
        if state == "below":
            return "less than " + _number(self.floor or 0.0, digits, percent, trim=True)
        if state == "above":
            return "more than " + (
                "the limit"
                if self.ceiling is None
                else _number(self.ceiling, digits, percent, trim=True)
            )
        return "undefined" if number is None else _number(number, digits, percent)


def _number(number: float, digits: int, percent: bool, trim: bool = False) -> str:
    text = f"{100 * number:.1f} %" if percent else f"{number:.{digits}f}"
    return text.rstrip("0").rstrip(".") if trim and not percent and "." in text else text
