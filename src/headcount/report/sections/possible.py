"""How good a classifier could be: the population of items behind the ratings."""

from headcount import charts
from headcount.charts.grammar import spec_of
from headcount.evaluation import Evaluation, Unavailable
from headcount.population import PopulationOfItems
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section

_TITLE = "How good could a classifier be?"
_QUESTION = (
    "How much do people differ from item to item, and what is the best that could be done about it?"
)


def possible(evaluation: Evaluation) -> Section:
    """The ceiling, the ideal classifier, and how contested the items are."""
    found = evaluation.population
    if isinstance(found, Unavailable):
        return Section("possible", _TITLE, _QUESTION, unavailable=found.reason)
    return Section(
        "possible",
        _TITLE,
        _QUESTION,
        lead=(found.verdict(),),
        figures=(_items(found), _curve(found)),
        tables=(found.table("best"),),
    )


def _items(found: PopulationOfItems) -> Figure:
    return Figure(
        "contested-items",
        fitted(spec_of(charts.recipe(found, part="items"))),
        caption=(
            f"Items by {_views(found)}: on the right everybody sees them alike, on the left "
            "opinions are divided. This is estimated for people at large, not counted in the few "
            "ratings of each item."
        ),
        alt=f"Bars: {100 * found.clear:.0f} % of items are clear, "
        f"{100 * found.contested:.0f} % contested.",
        table=found.table("shares"),
    )


def _views(found: PopulationOfItems) -> str:
    if found.nearness.has_order:
        return f"the share of {found.views}"
    return "how many people hold their commonest view"


def _curve(found: PopulationOfItems) -> Figure:
    known = found.fitted.most_ratings - 1
    scorer = found.scorer.replace("_", "-")
    return Figure(
        "endless-curve",
        fitted(spec_of(charts.recipe(found, part="curve"))),
        caption=(
            f"How well k people together predict one more ({scorer}, higher is better). "
            f"Past {known} the curve is modelled (dashed): it follows from how items differ. The "
            "dotted line is the ideal classifier, which knows each item's shares of people."
            f"{_slips(found)}"
        ),
        alt=f"A rising curve that levels off towards the ideal of {found.ideal.text(3)}.",
        table=found.table("curve"),
    )


def _slips(found: PopulationOfItems) -> str:
    """Why these scores are higher than those of the curve that classifiers are set against."""
    if not found.flip_rate:
        return ""
    return (
        f" People's slips ({100 * found.flip_rate:.1f} % of answers) are set aside here, so the "
        "scores are higher than those of the curve under worth, which predicts answers as given."
    )
