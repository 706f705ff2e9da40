"""What people say where a classifier says something, and where it stands alone."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.evaluation.confusion import Confusions
from headcount.report.page import Section

_TITLE = "Label by label"
_QUESTION = "What do people say where a classifier says something, and where is it alone?"


def confusion(evaluation: Evaluation) -> Section:
    """Precision, recall and specificity against people, and the items where it stands alone."""
    found = evaluation.confusion
    if evaluation.nearness.has_order and not isinstance(found, Unavailable):
        return _by_level(found)
    if isinstance(found, Unavailable):
        return Section("confusion", _TITLE, _QUESTION, unavailable=found.reason)
    shown = [table for table in found.tables() if table.id == "label-by-label"]
    return Section(
        "confusion",
        _TITLE,
        _QUESTION,
        lead=(found.verdict(),),
        tables=tuple(shown),
        folded=tuple(table for table in found.tables() if table not in shown),
    )


def _by_level(found: Confusions) -> Section:
    """On a scale: what people say where it says each level, and where it is far from everyone."""
    tables = found.tables()
    return Section(
        "confusion",
        "Level by level",
        "What do people say where a classifier says something, and where is it far from them all?",
        lead=(found.verdict(),),
        tables=tuple(table for table in tables if table.id == "alone"),
        folded=tuple(table for table in tables if table.id != "alone"),
    )
