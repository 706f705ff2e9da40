"""The systems that items are of: which is best, and whether classifiers rank them as people do."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section

_TITLE = "Which system is best?"
_QUESTION = (
    "Which of the systems that were judged is best by people, and would a classifier put them in "
    "the same order?"
)


def ranking(evaluation: Evaluation) -> Section:
    """Systems by people, classifiers as rankers, flips."""
    found = evaluation.ranking
    if isinstance(found, Unavailable):
        return Section("ranking", _TITLE, _QUESTION, unavailable=found.reason)
    tables = [each for each in found.tables() if each.id in ("systems", "judges", "position")]
    return Section(
        "ranking",
        _TITLE,
        _QUESTION,
        lead=tuple(found.verdict().splitlines()),
        tables=tuple(tables),
        remarks=(("What this rests on", found.assumptions()),),
    )
