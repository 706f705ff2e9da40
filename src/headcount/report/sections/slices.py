"""Slices of items: where each classifier does worse."""

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.page import Section

_TITLE = "Kinds of items"
_QUESTION = "On which kinds of items do people agree with a classifier less?"
_ON_A_SCALE = "On which kinds of items are fewer people near a classifier's answers?"


def slices(evaluation: Evaluation) -> Section:
    """Every slice for each classifier, the most worrying first."""
    found = evaluation.slices
    question = _ON_A_SCALE if evaluation.nearness.has_order else _QUESTION
    if isinstance(found, Unavailable):
        return Section("slices", _TITLE, question, unavailable=found.reason)
    tables = found.tables()
    return Section(
        "slices",
        _TITLE,
        question,
        lead=(found.verdict(),),
        tables=tables[:_SHOWN],
        folded=tables[_SHOWN:],
        remarks=(("What this rests on", found.assumptions()),),
    )


_SHOWN = 2
"""Classifiers whose table is open at once."""
