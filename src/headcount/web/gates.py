"""What is required of a study, alone or beside an earlier one, as the command line has it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.results import Requirement, hold

if TYPE_CHECKING:
    from headcount.evaluation import Evaluation

# How many requirements a study may have.
MOST = 50

# How long each may be.
MOST_LETTERS = 500


@frozen
class Gates:
    """What must hold of a study: requirements as they were written, and the id of a baseline."""

    require: tuple[str, ...] = ()
    baseline: str | None = None

    def check(self, names: Sequence[str]) -> None:
        """Refuse what could not be decided, before any work; `names` are the classifiers."""
        from headcount.evaluation.gates import check_requirements  # a server that waits is small

        parsed = [read_requirement(text) for text in self.require]
        check_requirements(parsed, names, baseline=self.baseline is not None)


def read_gates(lines: Sequence[str], baseline: str | None) -> Gates:
    """Requirements, a text each; one that the command line would refuse is refused in its words."""
    texts = tuple(text for line in lines if (text := line.strip()))
    if len(texts) > MOST:
        raise OptionError(f"A study has at most {MOST} requirements.")
    for text in texts:
        if len(text) > MOST_LETTERS or len(text.splitlines()) > 1:
            raise OptionError(f"A requirement is one line of at most {MOST_LETTERS} letters.")
        read_requirement(text)
    return Gates(texts, baseline or None)


def read_requirement(text: str) -> Requirement:
    """One requirement on an evaluation."""
    from headcount.evaluation.gates import QUANTITIES

    return Requirement.parse(text, among=QUANTITIES)


def held(found: "Evaluation", gates: Gates, before: Mapping[str, Any] | None) -> dict[str, Any]:
    """What became of the requirements, and what changed since `before`, an earlier result."""
    from headcount.evaluation.baseline import since
    from headcount.evaluation.gates import changes_table, difference_in
    from headcount.web.looking import plain_table

    changes = None if before is None else since(found, before)
    difference, estimates = difference_in(found, changes), found.estimates()
    said = [(text, hold([read_requirement(text)], estimates, difference)) for text in gates.require]
    return {
        "sentence": sentence([not each.unmet for _, each in said]),
        "met": all(not each.unmet for _, each in said),
        "requirements": [
            {"text": text, "met": not each.unmet, "sentences": [*each.unmet, *each.luck]}
            for text, each in said
        ],
        "since": changes and plain_table(changes_table(changes, found.nearness.people)),
    }


def sentence(met: Sequence[bool]) -> str:
    """How many requirements are met.

    >>> sentence([True, False])
    '1 of 2 requirements is not met.'
    >>> sentence([True, True])
    'All 2 requirements are met.'
    >>> sentence([False])
    'The requirement is not met.'
    """
    missed, several = len(met) - sum(met), len(met) > 1
    if not met:
        return ""
    if missed and several:
        return f"{missed} of {len(met)} requirements {'is' if missed == 1 else 'are'} not met."
    if missed:
        return "The requirement is not met."
    return f"All {len(met)} requirements are met." if several else "The requirement is met."
