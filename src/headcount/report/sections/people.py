"""How much people agree with each other."""

from headcount import charts
from headcount.agreement import Agreement
from headcount.charts.grammar import spec_of
from headcount.evaluation import Evaluation, Unavailable
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.results import Table

_TITLE = "How much people agree"
_QUESTION = "If two people look at the same item, how often do they say the same?"
_ON_A_SCALE = "If two people look at the same item, how far apart are their answers?"


def people(evaluation: Evaluation) -> Section:
    """Agreement between raters, and how divided the items are."""
    found = evaluation.agreement
    question = _ON_A_SCALE if evaluation.nearness.has_order else _QUESTION
    if isinstance(found, Unavailable):
        return Section("people", _TITLE, question, unavailable=found.reason)
    return Section(
        "people",
        _TITLE,
        question,
        lead=(found.verdict(),),
        figures=(_figure(found),),
        tables=(found.table("coefficients"),),
        folded=tuple(table for table in found.tables() if table.id in ("raters", "pairwise")),
    )


def _figure(found: Agreement) -> Figure:
    united = found.disagreement[0].items
    compared = sum(each.items for each in found.disagreement)
    rows = tuple(
        (
            "none" if each.high == 0 else f"{100 * each.low:.0f} to {100 * each.high:.0f} %",
            each.items,
        )
        for each in found.disagreement
        if each.items
    )
    return Figure(
        "divided-items",
        fitted(spec_of(charts.recipe(found, part="items"))),
        caption=(
            f"{_united(found)} on {united:,} of {compared:,} items with two ratings or more "
            f"({100 * united / max(compared, 1):.0f} %). The further right an item stands, the "
            f"more {found.disagreeing} it has."
        ),
        alt=f"Bars: how many of {compared:,} items have which share of {found.disagreeing}.",
        table=Table("How divided the items are", (found.disagreeing, "items"), rows),
    )


def _united(found: Agreement) -> str:
    if not found.nearness.has_order:
        return "Raters are of one mind"
    return f"All raters are {found.nearness.within} of each other"
