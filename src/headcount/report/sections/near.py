"""How near each classifier comes to people on a scale, and how near anyone could."""

from headcount.charts.evaluation import near as draw
from headcount.charts.grammar import spec_of
from headcount.evaluation import Evaluation, Unavailable
from headcount.population import PopulationOfItems
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.results import Cell, Estimate, Table

_TITLE = "How near it comes"


def near(evaluation: Evaluation) -> Section:
    """The share of people near its answers and its distance, beside people and the best."""
    within = evaluation.nearness.within
    return Section(
        "agreeing",
        _TITLE,
        f"What share of people are {within} of the classifier's answers, how far is it from them, "
        "and how near could any classifier come?",
        lead=_lead(evaluation),
        figures=(_figure(evaluation),),
    )


def _lead(evaluation: Evaluation) -> tuple[str, ...]:
    people = evaluation.population
    if isinstance(people, Unavailable):
        return () if people.moot else (f"How near any could come is not known: {people.reason}",)
    assert people.people_distance is not None
    assert people.least_distance is not None
    nearness = evaluation.nearness
    return (
        f"Two people are {people.people_distance.text(2)}{nearness.unit} apart on one item. The "
        f"best possible answers would be {nearness.within} of {people.ceiling.text(percent=True)} "
        f"of people, and {people.least_distance.text(2)}{nearness.unit} from them on average.",
    )


def _ceiling(people: PopulationOfItems | Unavailable) -> Estimate:
    return Estimate.undefined(people.reason) if isinstance(people, Unavailable) else people.ceiling


def _figure(evaluation: Evaluation) -> Figure:
    ceiling, order = _ceiling(evaluation.population), evaluation.best_first()
    shares = ", ".join(f"{each.name} {each.agree.share_text(interval=False)}" for each in order)
    dashed = "" if ceiling.value is None else " The dashed line is the best that is possible."
    return Figure(
        "how-near",
        fitted(spec_of(draw(order, evaluation.nearness, ceiling))),
        caption=f"Each dot is a classifier, with its interval: the share of "
        f"{evaluation.nearness.people}.{dashed}",
        alt=f"Dots on a scale of shares: {shares}.",
        table=_numbers(evaluation, ceiling),
    )


def _numbers(evaluation: Evaluation, ceiling: Estimate) -> Table:
    people = evaluation.population
    rows: list[tuple[Cell, ...]] = [
        (
            each.name,
            each.agree.share_text(),
            each.of_ceiling.share_text(),
            "–" if each.distance is None else each.distance.text(2),
        )
        for each in evaluation.best_first()
    ]
    if not isinstance(people, Unavailable) and people.least_distance is not None:
        best = people.least_distance.text(2)
        rows.append(("the best possible", ceiling.share_text(), "100 %", best))
    return Table(
        f"Share of {evaluation.nearness.people}, and distance",
        ("classifier", evaluation.nearness.people, "of the ceiling", "distance to a person"),
        tuple(rows),
        caption="Distance: the mean distance between an answer and a person's.",
        id="near",
    )
