"""What people say where a classifier says something, and where it stands alone."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section

_TITLE = "Label by label"
_QUESTION = "What do people say where a classifier says something, and where is it alone?"


def confusion(evaluation: Evaluation) -> Section:
    """Precision, recall and specificity against people, and the items where it stands alone."""
    found = evaluation.confusion
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
