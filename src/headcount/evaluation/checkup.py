"""What was read and what it can answer: the look before any method runs."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from headcount.data import Judged, Ratings, Study, as_study
from headcount.evaluation.questions import Question, questions
from headcount.results import Record, Result, Table, count, record
from headcount.scores import numbers_of


@record
class LabelShare(Record):
    """How often a label was given."""

    label: str
    ratings: int
    share: float


@record
class ClassifierCoverage(Record):
    """What a classifier gives, and on how many of the rated items."""

    name: str
    gives: str
    answered: int
    out_of: int
    unusable: int


@record
class Checkup(Result):
    """What the data hold and which questions they can answer.

    `facts` are what was read, by name; `first_rows` some of it, by role; `questions` say what
    each method would use or what it misses; `notes` what was assumed and left out; `settings` what
    was set in a file, and which.
    """

    facts: dict[str, str]
    labels: tuple[LabelShare, ...]
    classifiers: tuple[ClassifierCoverage, ...]
    questions: tuple[Question, ...]
    first_rows: tuple[dict[str, str | None], ...]
    notes: tuple[str, ...]
    settings: dict[str, str]

    rows: ClassVar[str] = "questions"

    def verdict(self) -> str:
        """How many of the questions can be answered."""
        able = [question for question in self.questions if question.able]
        if len(able) == len(self.questions):
            return f"These data can answer all {len(able)} questions."
        return f"These data can answer {len(able)} of {len(self.questions)} questions."

    def tables(self) -> tuple[Table, ...]:
        """The data, some of its rows, the classifiers, and the questions."""
        tables = [Table("What was read", ("what", "value"), tuple(self.facts.items()), id="facts")]
        if self.settings:
            said = tuple(self.settings.items())
            tables.append(Table("Settings", ("setting", "value"), said, id="settings"))
        if self.first_rows:
            shown = tuple(tuple(map(_short, row.values())) for row in self.first_rows)
            heading = tuple(self.first_rows[0])
            tables.append(Table("First rows, as they were understood", heading, shown, id="rows"))
        shares = tuple((each.label, each.ratings, each.share) for each in self.labels)
        if shares:
            tables.append(Table("Labels", ("label", "ratings", "share"), shares, id="labels"))
        if self.classifiers:
            heading = ("classifier", "gives", "answered", "of", "unusable answers")
            rows = tuple(tuple(each.told().values()) for each in self.classifiers)
            tables.append(Table("Classifiers", heading, rows, id="classifiers"))
        asked = tuple((q.question, q.command, q.able, q.means) for q in self.questions)
        heading = ("question", "command", "can it?", "with what, or what is missing")
        tables.append(Table("What can be answered", heading, asked, id="questions"))
        return tuple(tables)

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, merged and left out."""
        return self.notes


def examine(
    ratings: Any,
    predictions: Any = None,
    *,
    positive: str | None = None,
    unknown: str = "error",
    settings: Mapping[str, str] | None = None,
) -> Checkup:
    """Look at the data: what they hold, and what can be computed from them.

    `unknown` says what answers outside the labels will be taken for: where that was not chosen yet,
    they are counted and it is advised. `settings` are those that a file holds, to be shown too.

    >>> from headcount import Ratings
    >>> examine(Ratings.from_counts([[2, 1], [0, 3]], labels=["no", "yes"])).verdict()
    'These data can answer 2 of 7 questions.'
    """
    # Answers outside the labels are counted and named here; only the methods refuse them.
    study = as_study(ratings, predictions, positive=positive, unknown="wrong")
    if study.scale.kind == "numeric":
        return _of_numbers(study, dict(settings or {}))
    people, judged = study.ratings, study.judged
    notes = list(people.notes)
    if study.predictions is not None:
        notes += [*study.predictions.notes, *judged.notes]
        notes += _advice(judged) if unknown == "error" else []
    roles, rows = people.preview()
    return Checkup(
        facts=dict(_facts(people)),
        labels=_labels(people),
        classifiers=_coverage(judged),
        questions=questions(study),
        first_rows=tuple(dict(zip(roles, row, strict=True)) for row in rows),
        notes=tuple(notes),
        settings=dict(settings or {}),
        library=study.library,
    )


def _of_numbers(study: Study, settings: dict[str, str]) -> Checkup:
    """The same of numbers, which are not listed as labels are."""
    ratings, found = study.ratings, numbers_of(study, unknown="drop")
    roles, rows = ratings.preview()
    raters = "anonymous" if ratings.n_raters is None else f"{ratings.n_raters:,}"
    facts = {
        "file": ratings.name,
        "layout": ratings.layout.describe(),
        "items": f"{ratings.n_items:,}",
        "ratings": f"{ratings.n_ratings:,}",
        "raters": raters,
        "retests": f"{ratings.n_retests:,}",
        "copies of rows": f"{ratings.n_copies:,}",
        "missing answers": f"{ratings.n_missing:,}",
        "labels": f"{found.least:g} to {found.most:g} (numeric)",
    }
    return Checkup(
        facts=facts,
        labels=(),
        classifiers=tuple(
            ClassifierCoverage(name, "numbers", answered, found.out_of, 0)
            for name, answered in found.answered.items()
        ),
        questions=questions(study),
        first_rows=tuple(dict(zip(roles, row, strict=True)) for row in rows),
        notes=tuple(dict.fromkeys((*ratings.notes, *found.notes))),
        settings=settings,
        library=study.library,
    )


def _labels(ratings: Ratings) -> tuple[LabelShare, ...]:
    patterns = ratings.patterns()
    totals = patterns.items @ patterns.counts
    return tuple(
        LabelShare(name, int(n), float(n / totals.sum()))
        for name, n in zip(ratings.labels.names, totals, strict=True)
    )


def _short(text: str | None, most: int = 40) -> str | None:
    return text if text is None or len(text) <= most else text[: most - 1] + "…"


def _facts(ratings: Ratings) -> tuple[tuple[str, str], ...]:
    patterns = ratings.patterns()
    per_item = np.repeat(patterns.raters, patterns.items)
    low, middle, high = (int(x) for x in np.percentile(per_item, [0, 50, 100], method="nearest"))
    spread = f"{low} each" if low == high else f"{low} to {high}, half have {middle} or more"
    raters = "anonymous" if ratings.n_raters is None else f"{ratings.n_raters:,}"
    return (
        ("file", ratings.name),
        ("layout", ratings.layout.describe()),
        ("items", f"{ratings.n_items:,}"),
        ("ratings", f"{ratings.n_ratings:,}"),
        ("raters", raters),
        ("ratings per item", spread),
        ("retests", f"{ratings.n_retests:,}"),
        ("copies of rows", f"{ratings.n_copies:,}"),
        ("missing answers", f"{ratings.n_missing:,}"),
        ("labels", f"{ratings.labels.n} ({ratings.scale.kind})"),
        ("distinct patterns of label counts", f"{len(patterns.items):,}"),
    )


def _coverage(judged: Judged) -> tuple[ClassifierCoverage, ...]:
    return tuple(
        ClassifierCoverage(
            each.name,
            "probabilities" if each.soft else "labels",
            each.answered,
            each.out_of,
            each.unknown,
        )
        for each in judged.classifiers
    )


def _advice(judged: Judged) -> list[str]:
    return [
        f"{classifier.name}: "
        f"{count(classifier.unknown, 'answer is not a label', 'answers are not labels')}, such as "
        f"{classifier.unknown_example!r}; the methods stop at them until you choose "
        "--unknown wrong (count them as its errors) or --unknown drop (leave those items out)."
        for classifier in judged.classifiers
        if classifier.unknown
    ]
