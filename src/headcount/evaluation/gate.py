"""Requirements on an evaluation, for use as a gate: worth in raters, and share of the ceiling."""

import operator
import re
from dataclasses import dataclass
from typing import Protocol

from headcount.equivalence import Requirement as WorthRequirement
from headcount.errors import OptionError
from headcount.evaluation.evaluation import Evaluation
from headcount.evaluation.part import Unavailable
from headcount.results import Estimate

_CEILING = re.compile(
    r"^\s*(?:(?P<name>.+?)\s*:)?\s*(?:oracle|ceiling)\s*(?P<part>estimate|low|high)?\s*"
    r"(?P<sign>>=|<=|>|<)\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<percent>%)?\s*$"
)
_SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


class Requirement(Protocol):
    """Something an evaluation meets or does not."""

    def unmet(self, evaluation: Evaluation) -> tuple[str, ...]:
        """A sentence for each classifier that does not meet it."""
        ...


def parse_requirement(text: str) -> Requirement:
    """Read a requirement as it is written on the command line.

    `>=3` and `gpt:>=3` are about the worth in raters; `oracle>=90%` and `gpt:oracle>=0.9`
    about the share of what any classifier could reach; `low` or `high` before the sign holds
    an end of the interval against the number.

    >>> parse_requirement("gpt: oracle low >= 90%")
    CeilingRequirement(name='gpt', part='low', sign='>=', share=0.9)
    """
    found = _CEILING.match(text)
    if found is None:
        try:
            return OnWorth(WorthRequirement.parse(text))
        except OptionError as error:
            raise OptionError(
                f"The requirement {text!r} cannot be read: write it like 'gpt:>=3' (worth in "
                "raters), 'gpt:low>=3' (the low end of its interval) or 'gpt:oracle>=90%' (share "
                "of what any classifier could reach); without a name it is for all of them."
            ) from error
    share = float(found["number"]) / (100 if found["percent"] else 1)
    if share > 1:
        raise OptionError(
            f"The requirement {text!r} asks for more than the oracle reaches: the share is "
            "between 0 and 1, or has a percent sign."
        )
    return CeilingRequirement(found["name"], found["part"] or "estimate", found["sign"], share)


@dataclass(frozen=True)
class OnWorth:
    """A bound on the worth in raters, as `headcount equivalence` has it."""

    requirement: WorthRequirement

    def unmet(self, evaluation: Evaluation) -> tuple[str, ...]:
        """A sentence for each classifier that is not worth that much."""
        part = evaluation.equivalence
        if isinstance(part, Unavailable):
            return (f"the worth in raters is not known: {part.reason}",)
        return self.requirement.unmet(evaluation.headline_equivalence())


@dataclass(frozen=True)
class CeilingRequirement:
    """A bound on the share of what any classifier could reach; `part` as for the worth."""

    name: str | None
    part: str
    sign: str
    share: float

    def unmet(self, evaluation: Evaluation) -> tuple[str, ...]:
        """A sentence for each classifier that is further from the ceiling."""
        found = {each.name: each.of_oracle for each in evaluation.standings}
        if self.name is not None and self.name not in found:
            raise OptionError(f"There is no classifier {self.name!r} here: {', '.join(found)}.")
        names = list(found) if self.name is None else [self.name]
        return tuple(
            f"{name} is at {found[name].text(percent=True)} of what any classifier could reach, "
            f"and the requirement on the {self._words()} is {self.sign} {100 * self.share:g} %."
            for name in names
            if not self._met(found[name])
        )

    def _words(self) -> str:
        return "estimate" if self.part == "estimate" else f"{self.part} end of the interval"

    def _met(self, share: Estimate) -> bool:
        number = {"estimate": share.value, "low": share.low, "high": share.high}[self.part]
        return number is not None and bool(_SIGNS[self.sign](number, self.share))
