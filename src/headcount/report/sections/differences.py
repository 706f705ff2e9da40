"""Which classifier is better, and by how much: every pair, all looks counted."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section

_TITLE = "Which is better"
_QUESTION = "Is the difference between two classifiers more than chance?"


def differences(evaluation: Evaluation) -> Section:
    """Every pair of classifiers on every headline number."""
    found = evaluation.differences
    if isinstance(found, Unavailable):
        return Section("differences", _TITLE, _QUESTION, unavailable=found.reason)
    return Section(
        "differences",
        _TITLE,
        _QUESTION,
        lead=(found.verdict(),),
        tables=found.tables(),
    )
