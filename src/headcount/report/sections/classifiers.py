"""The classifiers side by side."""

from headcount.equivalence import worth_text
from headcount.evaluation import Evaluation
from headcount.report.page import Section
from headcount.results import Cell, Table

_OF_NAMES = (
    "A classifier that is too sure of itself, or not sure enough, is worth more once its "
    "probabilities are calibrated: what it knows is the same, but what it says then means what it "
    "says. Where it was right already, learning that from other items costs a little."
)
_ON_A_SCALE = (
    "A classifier that is too strict or too mild, or uses half of the scale, is worth more once it "
    "is calibrated: what it knows is the same, but what it says is then put on people's scale. "
    "Learning that from other items costs a little."
)


def _taken(evaluation: Evaluation) -> str:
    return "answers" if evaluation.nearness.has_order else "probabilities"


def classifiers(evaluation: Evaluation) -> Section:
    """The table of classifiers, and how calibration changes their worth."""
    best_first = evaluation.best_first()
    tables = list(evaluation.tables())
    rows: list[tuple[Cell, ...]] = [
        (each.name, worth_text(each.worth_as_it_stands, ""), worth_text(each.worth, ""))
        for each in best_first
        if each.worth_as_it_stands is not None
    ]
    if rows:
        tables.append(
            Table(
                "What calibration changes (worth in raters)",
                ("classifier", f"{_taken(evaluation)} taken at their word", "calibrated"),
                tuple(rows),
                caption=_ON_A_SCALE if evaluation.nearness.has_order else _OF_NAMES,
                id="calibration",
            )
        )
    return Section(
        "classifiers",
        "The classifiers",
        "Every classifier by every measure, on the same items.",
        lead=tuple(" ".join(said) for said in evaluation.verdicts().values()),
        tables=tuple(tables),
    )
