"""Judge less people: bias, limits of agreement, error against the true score, and in parts."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section
from headcount.scores import ScoreAgreement
from headcount.scores.words import people_sentence

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
    shown = ("classifiers", "people", "by_level")
    tables = found.tables()
    return Section(
        "numbers",
        _TITLE,
        _QUESTION,
        lead=_lead(found),
        tables=tuple(table for table in tables if table.id in shown),
        folded=tuple(table for table in tables if table.id not in shown),
    )


def _lead(found: ScoreAgreement) -> tuple[str, ...]:
    return (people_sentence(found),)
