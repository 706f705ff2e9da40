"""May a classifier replace a person? The test, the difference in agreement, and worth."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section

_TITLE = "May it replace a person?"
_QUESTION = "Would a classifier do in the place of one of the raters?"

_FEW = 3
"""Further classifiers up to which each has its sentences; the table has all of them."""


def replacing(evaluation: Evaluation) -> Section:
    """Four answers side by side, and why they differ where they do."""
    found = evaluation.replacement
    if isinstance(found, Unavailable):
        return Section("replacing", _TITLE, _QUESTION, unavailable=found.reason)
    first, *others = (found[each.name] for each in evaluation.best_first())
    told = [first, *(each for each in others if each.why() or len(others) < _FEW)]
    return Section(
        "replacing",
        _TITLE,
        _QUESTION,
        lead=tuple(" ".join(each.sentences()) for each in told),
        tables=found.tables(),
    )
