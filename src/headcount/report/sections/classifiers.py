"""The classifiers side by side."""

from headcount.equivalence.words import worth_text
from headcount.evaluation import Evaluation
from headcount.report.page import Section
from headcount.results import Cell, Table


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
                ("classifier", "probabilities taken at their word", "calibrated"),
                tuple(rows),
                caption="A classifier that is too sure of itself, or not sure enough, is worth "
                "more once its probabilities are calibrated: what it knows is the same, but "
                "what it says then means what it says. Where it was right already, learning that "
                "from other items costs a little.",
                id="calibration",
            )
        )
    return Section(
        "classifiers",
        "The classifiers",
        "Every classifier by every measure, on the same items.",
        tables=tuple(tables),
    )
