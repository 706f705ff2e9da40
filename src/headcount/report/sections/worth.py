"""How many people each classifier is worth: the rater power curve."""

import numpy as np

from headcount import charts
from headcount.charts.grammar import spec_of
from headcount.equivalence import SurveyEquivalence
from headcount.evaluation import Evaluation, Unavailable
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.results import Cell, Table
from headcount.results.words import people

_TITLE = "Worth in raters"
_QUESTION = (
    "How many people would you have to ask about an item to predict the next person's answer as "
    "well as the classifier does?"
)


def worth(evaluation: Evaluation) -> Section:
    """The rater power curve with every classifier."""
    if isinstance(evaluation.equivalence, Unavailable):
        return Section("worth", _TITLE, _QUESTION, unavailable=evaluation.equivalence.reason)
    shown = evaluation.ranked_equivalence()
    return Section(
        "worth",
        _TITLE,
        _QUESTION,
        lead=(_first_rater(shown),),
        figures=(_figure(evaluation, shown),),
        tables=evaluation.readings.tables() if evaluation.readings else (),
    )


def _first_rater(found: SurveyEquivalence) -> str:
    curve = found.curve
    first, total = curve.gain(1).value if curve.most else None, curve.gain(curve.most).value
    if first is None or total is None or not 0 < first <= total or curve.most < 2:
        return "See how the curve changes with each rater who is asked."
    share = f"the first brings {100 * first / total:.0f} % of what {curve.most} together bring."
    if (np.diff(curve.values, n=2) < 0).all():
        return f"More people predict the next one better, but each adds less than before: {share}"
    return f"More people predict the next one better: {share}"


def _figure(evaluation: Evaluation, shown: SurveyEquivalence) -> Figure:
    curve = shown.curve
    confidence = evaluation.settings.confidence
    bars = f" Bars and bands are {100 * confidence:g} % intervals." if curve.draws.size else ""
    calibrated = (
        " Each classifier's answers are read as how often raters then give each label "
        "(calibrated on other items), so that bold and careful ones are compared fairly."
        if shown.classifiers[0].reading == "calibrated"
        else ""
    )
    names = ", ".join(shown.names)
    return Figure(
        "power-curve",
        fitted(spec_of(charts.recipe(shown))),
        caption=(
            "The curve is people: how well the answers of 0, 1, 2, … raters, taken together, "
            "predict one more rater (higher is better). Each level line is a classifier; where "
            f"it meets the curve is the number of raters it is worth.{calibrated}{bars}"
        ),
        alt=(
            f"Rater power curve from 0 to {curve.most} raters, rising from "
            f"{curve.values[0]:.3f} to {curve.values[-1]:.3f}, with level lines for {names}."
        ),
        table=_numbers(shown),
    )


def _numbers(shown: SurveyEquivalence) -> Table:
    curve = shown.curve
    rows: list[tuple[Cell, ...]] = [
        ("nobody" if k == 0 else people(k, digits=True), curve.score(k))
        for k in range(curve.most + 1)
    ]
    rows += [(each.name, each.score) for each in shown.classifiers]
    return Table(
        f"How well the next rater is predicted ({curve.asked.scorer})",
        ("who", "score"),
        tuple(rows),
    )
