"""What to label next."""

from headcount import charts
from headcount.evaluation import Evaluation, Unavailable
from headcount.evaluation.pilot_result import PilotPlan
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.results import Cell, Table

_TITLE = "What to label next"
_QUESTION = (
    "To tell the two best classifiers apart, how many more items, and how many labels for each?"
)


def next_labels(evaluation: Evaluation) -> Section:
    """The plan for telling the two best classifiers apart."""
    found = evaluation.next_labels
    if isinstance(found, Unavailable):
        return Section("next", _TITLE, _QUESTION, unavailable=found.reason)
    said, plan, *others = found.tables()
    return Section(
        "next",
        _TITLE,
        _QUESTION,
        lead=(found.verdict(),),
        figures=(_figure(found),),
        tables=(plan,),
        folded=(said, *others),
        remarks=(("Before you spend it", found.unchecked()),) if found.unchecked() else (),
    )


def _figure(found: PilotPlan) -> Figure:
    plan = found.plan
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (offer.strategy.name, offer.items, f"{offer.cost:,.0f}", offer.probability)
        for offer in plan.plans
    )
    return Figure(
        "plans",
        fitted(charts.draw(plan, theme=None, part="probability").to_dict()),
        caption=(
            f"The more is spent, the surer it is that the better of {found.better} and "
            f"{found.worse} comes out first. Each line is a way to spend it: one label for each "
            "item, or several. The dashed line is the probability asked for."
        ),
        alt=(
            f"Lines rising with the number of labels, one for each of {len(plan.plans)} ways to "
            "label; the way with the fewest labels for the probability asked for is "
            f"{plan.best.strategy.name} an item."
        ),
        table=Table(
            "Ways to spend labels",
            ("labels an item", "items", "cost in labels", "probability"),
            rows,
        ),
    )
