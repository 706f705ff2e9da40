"""What to label next."""

from headcount import charts
from headcount.charts.grammar import spec_of
from headcount.evaluation import Evaluation, Unavailable
from headcount.plan import PilotPlan, ScorePlan
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.results import Cell, Table

_TITLE = "What to label next"
_QUESTION = (
    "Which classifier should be chosen, what does choosing it now lose, and would more labels "
    "save enough of that?"
)


def next_labels(evaluation: Evaluation) -> Section:
    """What choosing now loses, and what more labels would save."""
    found = evaluation.next_labels
    if isinstance(found, Unavailable):
        return Section("next", _TITLE, _QUESTION, unavailable=found.reason)
    if isinstance(found, ScorePlan):
        return _of_scores(found)
    return Section(
        "next",
        _TITLE,
        _QUESTION,
        lead=(found.verdict(),),
        figures=(_figure(found),),
        tables=(found.table("more"),),
        folded=(found.table("aims"), found.table("classifiers")),
        remarks=(("Before you spend it", found.unchecked()),) if found.unchecked() else (),
    )


def _of_scores(found: ScorePlan) -> Section:
    return Section(
        "next",
        _TITLE,
        _QUESTION,
        lead=(found.verdict(),),
        tables=(found.table("more"),),
        folded=(found.table("classifiers"),),
    )


def _figure(found: PilotPlan) -> Figure:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (each.labels, 100 * each.loss, each.probability) for each in found.more
    )
    return Figure(
        "plans",
        fitted(spec_of(charts.recipe(found, part="loss"))),
        caption=(
            f"How far the one chosen after so many more labels is expected to be behind the best, "
            f"in points; today {found.leader} would be chosen. Labels on items where all "
            "contenders say the same tell nothing about which is better."
        ),
        alt=(
            "Two lines that fall with the number of labels: labels only where the contenders "
            "differ, and labels on items as they come, which fall later."
        ),
        table=Table(
            "Expected loss by labels",
            ("labels where they differ", "points behind the best", "probability"),
            rows,
        ),
    )
