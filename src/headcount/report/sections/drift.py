"""Over time: whether classifiers, items or people changed."""

from headcount import charts
from headcount.charts.grammar import spec_of
from headcount.drift import Drift
from headcount.evaluation import Evaluation, Unavailable
from headcount.report.fitting import fitted
from headcount.report.page import Figure, Section

_TITLE = "Over time"
_QUESTION = "Is it still as good as it was: did the classifier change, the items or the people?"


def drift(evaluation: Evaluation) -> Section:
    """Period by period, a figure of the first classifier that changed."""
    found = evaluation.drift
    if isinstance(found, Unavailable):
        return Section("drift", _TITLE, _QUESTION, unavailable=found.reason)
    tables = found.tables()
    return Section(
        "drift",
        _TITLE,
        _QUESTION,
        lead=tuple(found.verdict().splitlines()),
        figures=(_lines(found),),
        tables=tables[:1],
        folded=tables[1:],
        remarks=(("What this rests on", found.assumptions()),),
    )


def _lines(found: Drift) -> Figure:
    changed = [each for each in found.judges if each.changed != "nothing"]
    judge = (changed or list(found.judges))[0]
    return Figure(
        "over-time",
        fitted(spec_of(charts.recipe(found, judge=judge.name))),
        caption=(
            f"How often a person agrees with {judge.name}, how often two people agree, and the "
            "difference, period by period. Where the first falls and the second stays, the "
            "classifier changed; where both fall alike, the items or the people did."
        ),
        alt=judge.sentence(),
        table=found.table(f"periods-{judge.name}"),
    )
