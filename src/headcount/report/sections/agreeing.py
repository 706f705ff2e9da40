"""What share of people would agree with each classifier, and the ceiling."""

from headcount.charts.evaluation import agreeing as draw
from headcount.charts.grammar import spec_of
from headcount.deconvolution import Scores
from headcount.evaluation import ClassifierEvaluation, Evaluation, Unavailable
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.report.sections.near import near
from headcount.results import Cell, Estimate, Table

_TITLE = "Who would agree"
_QUESTION = (
    "What share of people would agree with the classifier's decisions, and what is the most that "
    "any classifier could reach?"
)


def agreeing(evaluation: Evaluation) -> Section:
    """The share of people who would agree, beside the ceiling; on a scale, how near it comes."""
    if evaluation.nearness.has_order:
        return near(evaluation)
    found = evaluation.scores
    if isinstance(found, Unavailable):
        return Section("agreeing", _TITLE, _QUESTION, unavailable=found.reason)
    ceiling = _ceiling(evaluation)
    return Section(
        "agreeing",
        _TITLE,
        _QUESTION,
        lead=(_lead(ceiling), *found.flips.notes),
        figures=(_figure(found, evaluation.best_first(), ceiling),),
        folded=found.flips.tables(),
    )


def _ceiling(evaluation: Evaluation) -> Estimate:
    people = evaluation.population
    if isinstance(people, Unavailable):
        return Estimate.undefined(people.reason)
    return people.ceiling


def _lead(ceiling: Estimate) -> str:
    if ceiling.value is None:
        return f"The most that any classifier could reach is not known: {ceiling.note}"
    return (
        "People disagree, so nobody can please them all: the best possible decisions would have "
        f"{ceiling.text(percent=True)} of people on their side."
    )


def _figure(
    found: Scores, classifiers: tuple[ClassifierEvaluation, ...], ceiling: Estimate
) -> Figure:
    slips = (
        "people's slips are set aside"
        if found.flips.mean
        else "labels are taken as they were given"
    )
    order = [each.name for each in classifiers]
    shares = ", ".join(
        f"{each.name} {each.agree.share_text(interval=False)}" for each in classifiers
    )
    return Figure(
        "who-would-agree",
        fitted(spec_of(draw(found, order=order, ceiling=ceiling))),
        caption=(
            f"Each dot is a classifier, with its interval; {slips}. The dashed line is the "
            "ceiling: the share of people who hold their item's commonest view, estimated for "
            "people at large."
        ),
        alt=f"Dots on a scale of shares: {shares}; the ceiling is "
        f"{ceiling.share_text(interval=False)}.",
        table=_numbers(found, classifiers, ceiling),
    )


def _numbers(
    found: Scores, classifiers: tuple[ClassifierEvaluation, ...], ceiling: Estimate
) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            each.name,
            found[each.name].aggregated.text(percent=True),
            found[each.name].raw.text(percent=True),
            each.agree.text(percent=True),
            each.of_ceiling.share_text(),
        )
        for each in classifiers
    ]
    rows.append(("the best possible", None, None, ceiling.share_text(), "100 %"))
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
        id="agreeing",
    )
