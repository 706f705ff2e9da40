"""The top of the report: what it is about, and a card for each classifier."""

from headcount.data import Nearness
from headcount.equivalence import worth_text
from headcount.evaluation import ClassifierEvaluation, Evaluation
from headcount.report.page import Verdict
from headcount.results import Cell, Table

_MOST_CARDS = 4
"""Classifiers up to which cards alone show the order."""


def title(evaluation: Evaluation) -> str:
    """The question, with who it is about."""
    names = [each.name for each in evaluation.classifiers]
    if len(names) == 1:
        return f"How good is {names[0]}?"
    return f"How good are these {len(names)} classifiers?"


def subtitle(evaluation: Evaluation) -> str:
    """The data in a sentence."""
    data = evaluation.data
    return f"Judged by people who disagree. {data.sentence()}"


def verdicts(evaluation: Evaluation) -> tuple[Verdict, ...]:
    """A card for each classifier, best first."""
    return tuple(_card(each, evaluation.nearness) for each in evaluation.best_first())


def ranked(evaluation: Evaluation) -> Table | None:
    """The classifiers in order, where there are too many cards to see that at a glance."""
    if len(evaluation.classifiers) <= _MOST_CARDS:
        return None
    rows: list[tuple[Cell, ...]] = [
        (
            place,
            each.name,
            worth_text(each.worth, "") if each.worth.known else "–",
            each.agree.share_text(),
        )
        for place, each in enumerate(evaluation.best_first(), start=1)
    ]
    return Table(
        "The classifiers, best first",
        ("place", "classifier", "worth (raters)", evaluation.nearness.people),
        tuple(rows),
        caption="By worth in raters. Which differences are more than chance is told below.",
        id="ranked",
    )


def verdict_note(evaluation: Evaluation) -> str:
    """How to read the numbers."""
    settings = evaluation.settings
    if not settings.n_bootstrap:
        return "No intervals were asked for, so these numbers do not say how sure they are."
    samples = evaluation.samples
    read = (
        f"Numbers in brackets are {100 * settings.confidence:g} % intervals: what "
        f"{samples.sentence()}, could have given."
    )
    said = "What is said of people (“better than two”) holds all over the interval."
    return " ".join([read, *samples.caution(), said])


def _card(classifier: ClassifierEvaluation, nearness: Nearness) -> Verdict:
    number, unit = _headline(classifier, nearness)
    first, *others = classifier.verdict
    return Verdict(classifier.name, number, unit, first, tuple(others))


def _headline(classifier: ClassifierEvaluation, nearness: Nearness) -> tuple[str, str]:
    worth = classifier.worth
    if worth.state == "above" and worth.ceiling is not None:
        return f"> {worth.ceiling:g}", "raters"
    if worth.state == "below":
        return "0", "raters"
    if worth.value is not None:
        return f"{worth.value:.1f}", "rater" if f"{worth.value:.1f}" == "1.0" else "raters"
    if classifier.agree.value is not None:
        unit = f"of {nearness.people}" if nearness.has_order else "of people would agree"
        return classifier.agree.share_text(digits=0, interval=False), unit
    return "", ""
