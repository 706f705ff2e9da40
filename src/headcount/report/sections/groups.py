"""Groups of raters: whose side each classifier is on."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section

_TITLE = "Groups of people"
_QUESTION = "Do some groups of people agree with a classifier more than others?"
_ON_A_SCALE = "Are some groups of people nearer to a classifier's answers than others?"


def groups(evaluation: Evaluation) -> Section:
    """Each group's view of the classifiers, and agreement within and between groups."""
    found = evaluation.groups
    question = _ON_A_SCALE if evaluation.nearness.has_order else _QUESTION
    if isinstance(found, Unavailable):
        return Section("groups", _TITLE, question, unavailable=found.reason)
    return Section(
        "groups",
        _TITLE,
        question,
        lead=(found.verdict(),),
        tables=tuple(table for table in found.tables() if table.id != "group-agreement"),
        folded=(found.table("group-agreement"),),
        remarks=(("What this rests on", found.assumptions()),),
    )
