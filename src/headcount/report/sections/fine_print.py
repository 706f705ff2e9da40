"""The fine print: what the numbers rest on, what became of the data, how to get them again."""

from headcount.evaluation import Evaluation
from headcount.options import described
from headcount.report.page import Section
from headcount.results import Cell, Result, Table

_PARTS = (
    ("agreement", "How much people agree"),
    ("equivalence", "Worth in raters"),
    ("population", "How good a classifier could be"),
    ("scores", "Who would agree"),
    ("accuracy", "Accuracy against the unknown truth"),
    ("next_labels", "What to label next"),
    ("numbers", "Numbers against people's"),
)


def assumptions(evaluation: Evaluation) -> Section:
    """What each part rests on, and whether the data agree."""
    return Section(
        "assumptions",
        "What this rests on",
        "Every number above is true only as far as these sentences are.",
        remarks=_remarks(evaluation, "assumptions"),
    )


def data_notes(evaluation: Evaluation) -> Section:
    """What was read, dropped, retested, clipped and left out."""
    notes = evaluation.data.notes
    told = {*notes, *_told_above(evaluation)}
    by_part = tuple(
        (heading, tuple(sentence for sentence in said if sentence not in told))
        for heading, said in _remarks(evaluation, "unchecked")
    )
    return Section(
        "notes",
        "Notes on the data",
        "What was read, and what was left out or changed on the way: nothing is dropped silently.",
        remarks=(("The files", notes), *((head, said) for head, said in by_part if said)),
    )


def settings(evaluation: Evaluation) -> Section:
    """Everything needed to get the same numbers again."""
    told = described(type(evaluation.settings))
    chosen: tuple[tuple[Cell, ...], ...] = (
        ("version", evaluation.version, "of headcount"),
        *(
            (name, _shown(value), told[name].help)
            for name, value in evaluation.settings.to_dict().items()
        ),
    )
    data = evaluation.data
    files: tuple[tuple[Cell, ...], ...] = (
        ("ratings", data.ratings_from),
        ("predictions", data.predictions_from),
        ("items", data.items),
        ("items with an answer from every classifier", data.items_judged),
        ("ratings counted", data.ratings),
        ("raters", "anonymous" if data.raters is None else data.raters),
        ("answers that are retests", data.retests),
        ("labels", f"{', '.join(data.labels)} ({data.scale})"),
    )
    return Section(
        "settings",
        "Settings",
        "With the same files, version and seed, the same numbers come out again.",
        tables=(
            Table("Settings", ("setting", "value", "what it is"), chosen, id="settings"),
            Table("Data", ("what", "value"), tuple((a, _shown(b)) for a, b in files), id="data"),
        ),
    )


def _told_above(evaluation: Evaluation) -> tuple[str, ...]:
    """What other sections say already."""
    told: list[str] = []
    if evaluation.accuracy:
        told.append(evaluation.accuracy.why)
    if evaluation.scores:
        told += evaluation.scores.flips.notes
    if evaluation.next_labels:
        told += evaluation.next_labels.unchecked()
    return tuple(told)


def _remarks(evaluation: Evaluation, kind: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = [(heading, getattr(evaluation, name)) for name, heading in _PARTS]
    said = [
        (heading, tuple(dict.fromkeys(getattr(part, kind)())))
        for heading, part in found
        if isinstance(part, Result)
    ]
    return tuple((heading, sentences) for heading, sentences in said if sentences)


def _shown(value: object) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
