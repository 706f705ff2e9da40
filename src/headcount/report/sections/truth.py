"""Estimated accuracy against the truth nobody has."""

from headcount.accuracy import SystemAccuracy
from headcount.charts.evaluation import accuracies, rater_accuracy
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
    """The estimates of method two, and which of them to believe."""
    found = evaluation.accuracy
    if isinstance(found, Unavailable):
        return Section("truth", _TITLE, _QUESTION, unavailable=found.reason)
    order = [each.name for each in evaluation.best_first()]
    if any(found.believed(each).value is None for each in found.classifiers):
        return Section("truth", _TITLE, _QUESTION, unavailable=found.verdict())
    return Section(
        "truth",
        _TITLE,
        _QUESTION,
        lead=(found.verdict(), found.why),
        figures=(_figure(found, order),),
    )


def _figure(found: SystemAccuracy, order: list[str]) -> Figure:
    raters = rater_accuracy(found)
    table: Table = found.table("classifiers")
    return Figure(
        "accuracy",
        fitted(accuracies(found, order=order).to_dict()),
        caption=(
            "Each dot is a classifier, with its interval; the dashed line is a single rater. "
            "Right of the line a classifier is more accurate than the people who judged it."
        ),
        alt=(
            "Dots on a scale of accuracy for "
            + ", ".join(
                f"{each.name} {found.believed(each).text(percent=True)}"
                for each in found.classifiers
            )
            + f"; a single rater is right in {raters.text(percent=True)} of cases."
        ),
        table=table,
    )
