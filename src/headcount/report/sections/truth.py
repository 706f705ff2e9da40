"""Estimated accuracy against the truth nobody has."""

from headcount.accuracy import SystemAccuracy
from headcount.charts.evaluation import accuracies
from headcount.charts.grammar import spec_of
from headcount.evaluation import Evaluation, Unavailable
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section
from headcount.results import Table

_TITLE = "Accuracy against the unknown truth"
_QUESTION = (
    "If there is a right answer that nobody knows, how often does the classifier give it? It can "
    "be right more often than the people who judge it."
)


def truth(evaluation: Evaluation) -> Section:
    """The spans of method two (or what gold says), what they rest on, and what only you know."""
    found = evaluation.accuracy
    if isinstance(found, Unavailable):
        return Section("truth", _TITLE, _QUESTION, unavailable=found.reason)
    order = [each.name for each in evaluation.best_first()]
    if not any(each.accuracy.has_interval for each in found.classifiers):
        return Section("truth", _TITLE, _QUESTION, unavailable=found.verdict())
    asked = found.check("trained_on_raters").text
    return Section(
        "truth",
        _TITLE,
        _QUESTION,
        lead=(found.verdict(),),
        figures=(_figure(found, order),),
        folded=(found.table("estimates"),),
        remarks=(
            ("A question for you", (asked,)),
            ("What gold says", found.about_gold())
            if found.gold is not None
            else ("What gold would do", found.about_gold()),
        ),
    )


def _figure(found: SystemAccuracy, order: list[str]) -> Figure:
    raters = found.raters_span
    table: Table = found.table("classifiers")
    marks = "dot is a classifier, with its interval" if found.gold else "bar is a classifier's span"
    return Figure(
        "accuracy",
        fitted(spec_of(accuracies(found, order=order))),
        caption=(f"Each {marks}; the dashed line is a single rater, if raters err on their own."),
        alt=(
            "A scale of accuracy with "
            + ", ".join(
                f"{each.name} {each.accuracy.text(percent=True)}" for each in found.classifiers
            )
            + ("" if raters is None else f"; a rater in {raters.estimate().text(percent=True)}.")
        ),
        table=table,
    )
