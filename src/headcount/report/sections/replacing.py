"""May a classifier replace a person? The test, the difference in agreement, and worth."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section

_TITLE = "May it replace a person?"
_QUESTION = "Would a classifier do in the place of one of the raters?"


def replacing(evaluation: Evaluation) -> Section:
    """Four answers side by side, and why they differ where they do."""
    found = evaluation.replacement
    if isinstance(found, Unavailable):
        return Section("replacing", _TITLE, _QUESTION, unavailable=found.reason)
    return Section(
        "replacing",
        _TITLE,
        _QUESTION,
        lead=tuple(" ".join(found[each.name].sentences()) for each in evaluation.best_first()),
        tables=found.tables(),
    )
