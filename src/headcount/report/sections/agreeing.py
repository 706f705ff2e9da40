"""What share of people would agree with each classifier, and the ceiling."""

from headcount.charts.evaluation import agreeing as draw
from headcount.deconvolution import Score, Scores
from headcount.evaluation import Evaluation, Unavailable
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.results import Cell, Table

_TITLE = "Who would agree"
_QUESTION = (
    "What share of people would agree with the classifier's decisions, and what is the most that "
    "any classifier could reach?"
)


def agreeing(evaluation: Evaluation) -> Section:
    """Adjusted accuracy and the oracle."""
    found = evaluation.scores
    if isinstance(found, Unavailable):
        return Section("agreeing", _TITLE, _QUESTION, unavailable=found.reason)
    order = [each.name for each in evaluation.best_first()]
    return Section(
        "agreeing",
        _TITLE,
        _QUESTION,
        lead=(_ceiling(found), *found.flips.notes),
        figures=(_figure(found, order),),
        folded=_flip_tables(found),
    )


def _ceiling(found: Scores) -> str:
    best = found.oracle_for().adjusted
    return (
        "People disagree, so nobody can please them all: a classifier that always gave the answer "
        f"most people hold would have {best.text(percent=True)} of people on its side."
    )


def _figure(found: Scores, order: list[str]) -> Figure:
    slips = (
        "people's slips are set aside"
        if found.flips.mean
        else "labels are taken as they were given"
    )
    return Figure(
        "who-would-agree",
        fitted(draw(found, order=order).to_dict()),
        caption=(
            f"Each dot is a classifier, with its interval; {slips}. The dashed line is the "
            "ceiling: the share of people who hold the majority's answer, item by item."
        ),
        alt=(
            "Dots on a scale of shares: "
            + ", ".join(f"{name} {_percent(found[name])}" for name in order)
            + f"; the ceiling is {_percent(found.oracle_for())}."
        ),
        table=_numbers(found, order),
    )


def _percent(score: Score) -> str:
    value = score.adjusted.value
    return "undefined" if value is None else f"{100 * value:.1f} %"


def _numbers(found: Scores, order: list[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for score in [*(found[name] for name in order), found.oracle_for()]:
        share = score.of_oracle.value
        rows.append(
            (
                score.name,
                score.aggregated.text(percent=True),
                score.raw.text(percent=True),
                score.adjusted.text(percent=True),
                None if share is None else f"{100 * share:.1f} %",
            )
        )
    return Table(
        "Share of people who would agree",
        (
            "classifier",
            "equals the majority label",
            "agrees with labels as given",
            "agrees with labels people hold",
            "of the ceiling",
        ),
        tuple(rows),
        caption="The first column is the usual accuracy against a majority vote: it hides that "
        "people disagree. The third is the one to quote"
        + (": it sets slips aside." if found.flips.mean else "; slips are not known here."),
    )


def _flip_tables(found: Scores) -> tuple[Table, ...]:
    return found.flips.tables()
