"""Requirements on what a classifier is worth, for use as a gate."""

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass

from headcount.equivalence.equivalence_result import SurveyEquivalence
from headcount.equivalence.words import worth_text
from headcount.errors import OptionError
from headcount.results import Estimate

_FORM = re.compile(
    r"^\s*(?:(?P<name>.+?)\s*:)?\s*(?P<part>estimate|low|high)?\s*"
    r"(?P<sign>>=|<=|>|<)\s*(?P<number>\d+(?:\.\d+)?)\s*$"
)
_SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


@dataclass(frozen=True)
class Requirement:
    """A bound on a classifier's worth: "gpt:>=3", ">=3" for every classifier, "gpt:low>=3".

    `part` is what is held against the number: the "estimate" unless the "low" or the "high"
    end of the interval was named.

    >>> Requirement.parse("gpt: low >= 3")
    Requirement(name='gpt', part='low', sign='>=', number=3.0)
    """

    name: str | None
    part: str
    sign: str
    number: float

    @classmethod
    def parse(cls, text: str) -> "Requirement":
        """Read a requirement as it is written on the command line."""
        found = _FORM.match(text)
        if found is None:
            raise OptionError(
                f"The requirement {text!r} cannot be read: write it like '>=3', 'gpt:>=3' (the "
                "estimate) or 'gpt:low>=3' (the low end of the interval)."
            )
        part = found["part"] or "estimate"
        return cls(found["name"], part, found["sign"], float(found["number"]))

    def check_name(self, names: Sequence[str], *, calibrate: bool) -> None:
        """Refuse a classifier that will not be there, before anything slow is done."""
        known = [*names, *(f"{name} (calibrated)" for name in names if calibrate)]
        if self.name is not None and self.name not in known:
            raise OptionError(
                f"The requirement on {self.name!r} names no classifier: there are "
                f"{', '.join(known)}."
            )

    def unmet(self, result: SurveyEquivalence) -> tuple[str, ...]:
        """A sentence for each classifier that does not meet it."""
        names = result.names if self.name is None else (self.name,)
        return tuple(
            f"{name} is worth {worth_text(result.equivalence(name))}, and {self._words()}."
            for name in names
            if not self._met(result.equivalence(name))
        )

    def _words(self) -> str:
        part = "estimate" if self.part == "estimate" else f"{self.part} end of the interval"
        return f"the requirement on the {part} is {self.sign} {self.number:g}"

    def _met(self, worth: Estimate) -> bool:
        """Whether it surely holds: a censored worth meets only what its side of the limit does."""
        if self.part == "estimate":
            number, state = worth.value, worth.state
        elif self.part == "low":
            number, state = worth.low, worth.low_state
        else:
            number, state = worth.high, worth.high_state
        if state == "above":
            return self.sign in (">=", ">") and self.number <= (worth.ceiling or 0)
        if state == "below":
            return self.sign in ("<=", "<") and self.number >= (worth.floor or 0)
        return number is not None and bool(_SIGNS[self.sign](number, self.number))
