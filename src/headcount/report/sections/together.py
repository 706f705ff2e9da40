"""The best classifier together with people: what it adds, and whom one must still ask."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section

_TITLE = "What does it add to people?"
_QUESTION = (
    "If people are still asked, how many of them does the best classifier stand for, and on which "
    "items can asking be left out?"
)


def together(evaluation: Evaluation) -> Section:
    """The worth of people with it, and the policies."""
    found = evaluation.together
    if isinstance(found, Unavailable):
        return Section("together", _TITLE, _QUESTION, unavailable=found.reason)
    tables = [each for each in found.tables() if each.id in ("together", "policies")]
    return Section(
        "together",
        _TITLE,
        _QUESTION,
        lead=tuple(found.verdict().splitlines()),
        tables=tuple(tables),
        remarks=(("What this rests on", found.assumptions()[:2]),),
    )
