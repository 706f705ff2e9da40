"""One person's label on each item: the classifier beside that person."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section

_TITLE = "Beside the one person"
_QUESTION = "How often does a classifier say what the person says, and where does it not?"


def one_person(evaluation: Evaluation) -> Section:
    """Agreement, kappa, label by label, and the items to read."""
    found = evaluation.one_person
    if isinstance(found, Unavailable):
        return Section("one-person", _TITLE, _QUESTION, unavailable=found.reason)
    return Section(
        "one-person",
        _TITLE,
        _QUESTION,
        lead=(found.verdict(),),
        tables=found.tables(),
        remarks=(("What this rests on", found.assumptions()),),
    )
