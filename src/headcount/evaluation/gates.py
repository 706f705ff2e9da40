"""Requirements held against an evaluation, alone or beside an earlier one.

The command line and the page ask here, so that both refuse with the same words and decide alike.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from headcount.errors import InputError, OptionError
from headcount.results import Estimate, Held, Requirement, Table, hold
from headcount.results.requirement import BASELINE, Difference

if TYPE_CHECKING:
    from headcount.evaluation.evaluation import Evaluation

QUANTITIES = ("worth", "agree", "ceiling", "ideal", "accuracy", "kappa", "saves")
"""What can be required of an evaluation."""
Changes = Mapping[str, Mapping[str, Estimate]]
"""What changed since a baseline: by classifier, then by quantity."""


def check_requirements(
    requirements: Sequence[Requirement], names: Sequence[str], *, baseline: bool
) -> None:
    """Refuse what could not be decided after the work: unknown names, a baseline that is not there.

    `names` are the classifiers; `baseline` says whether there is an earlier result.
    """
    for each in requirements:
        each.check_name(names)
        if each.needs_baseline(names) and not baseline:
            raise OptionError(
                "A requirement names the baseline, and there is none: give an earlier result to "
                "compare with (--baseline)."
            )


def hold_requirements(result: "Evaluation", requirements: Sequence[str]) -> Held:
    """Requirements as they are written on the command line, held against one evaluation.

    >>> import headcount as hc
    >>> made = hc.simulate.make("comments", seed=1, items=60)
    >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=0)
    >>> hold_requirements(found, ["fine_tuned:agree>=99%"]).unmet
    ('... of people would agree with fine_tuned, and the requirement ... >= 99 %.',)
    """
    read = [Requirement.parse(text, among=QUANTITIES) for text in requirements]
    check_requirements(read, [each.name for each in result.classifiers], baseline=False)
    return hold(read, result.estimates(), difference_in(result, None))


def check_baseline(told: Any, name: str) -> dict[str, Any]:
    """An earlier result as its JSON told it; refused where it is something else."""
    known = told.get("classifiers") if isinstance(told, dict) else None
    if not isinstance(known, list) or not all(map(_is_classifier, known)):
        raise InputError(
            f"{name} is not an earlier result: write one with headcount evaluate --save FILE."
        )
    return dict(told)


def _is_classifier(told: Any) -> bool:
    return isinstance(told, dict) and isinstance(told.get("name"), str)


def difference_in(result: "Evaluation", changes: Changes | None) -> Difference:
    """What requirements compare: two classifiers of a result, or one with itself before."""

    def difference(first: str, second: str, quantity: str) -> Estimate:
        if second != BASELINE or changes is None:
            return result.difference(first, second, quantity)
        return changes[first][quantity]

    return difference


def changes_table(changes: Changes, people: str) -> Table:
    """What changed since the baseline; `people` is what sharing an answer is called."""
    shown = [numbers[each] for numbers in changes.values() for each in ("agree", "worth")]
    notes = [each.note for each in shown if each.value is not None and each.note]
    rows = tuple(
        (
            name,
            numbers["worth"].text(2) if numbers["worth"].value is not None else "–",
            numbers["agree"].points_text(),
        )
        for name, numbers in changes.items()
    )
    return Table(
        "Since the baseline",
        ("classifier", "worth (raters)", f"{people} (points)"),
        rows,
        caption=" ".join(["Now less then.", *(_sentence(note) for note in dict.fromkeys(notes))]),
        id="baseline",
    )


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}."
