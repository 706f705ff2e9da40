"""Judge less people: bias, limits of agreement, error against the true score, and in parts."""

from headcount import charts
from headcount.charts.grammar import spec_of
from headcount.evaluation import Evaluation, Unavailable
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.scores import ScoreAgreement, people_sentence

_TITLE = "Numbers against people's"
_QUESTION = (
    "Does a classifier rate higher or lower than people, where, and how far is it from the true "
    "score, which nobody knows?"
)


def numbers(evaluation: Evaluation) -> Section:
    """The numbers of every classifier against people's."""
    found = evaluation.numbers
    if isinstance(found, Unavailable):
        return Section("numbers", _TITLE, _QUESTION, unavailable=found.reason)
    shown = ("people", "by_level")
    tables = found.tables()
    return Section(
        "numbers",
        _TITLE,
        _QUESTION,
        lead=_lead(found),
        figures=_figures(found),
        tables=tuple(table for table in tables if table.id in shown),
        folded=tuple(table for table in tables if table.id not in (*shown, "classifiers")),
    )


def _figures(found: ScoreAgreement) -> tuple[Figure, ...]:
    if not any(each.cells is not None for each in found.classifiers):
        return ()
    names = ", ".join(each.name for each in found.best_first())
    return (
        Figure(
            "judge-against-people",
            fitted(spec_of(charts.recipe(found))),
            caption="Items by what people say of them on average (across) and what the classifier "
            "says (up), darker where there are more; on the diagonal they say the same. The line "
            "is the classifier's mean where other people say each level.",
            alt=f"A square of cells for each of {names}, with its mean at each level of people's.",
            table=found.table("classifiers"),
        ),
    )


def _lead(found: ScoreAgreement) -> tuple[str, ...]:
    return (people_sentence(found),)
