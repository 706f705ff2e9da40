"""What was read and what it can answer: the look before any method runs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from headcount.data import Judged, Predictions, Ratings, judge
from headcount.evaluation.questions import Question, questions
from headcount.results import Result, Table, count


@dataclass(frozen=True)
class Checkup(Result):
    """What the data hold and which questions they can answer.

    `facts` are (what, value) pairs about the ratings; `classifiers` one row each; `questions`
    say what each method would use or what it misses; `notes` what was assumed and left out.
    """

    facts: tuple[tuple[str, str], ...]
    label_shares: tuple[tuple[str, int, float], ...]
    classifiers: tuple[dict[str, Any], ...]
    questions: tuple[Question, ...]
    notes: tuple[str, ...]
    first_rows: tuple[tuple[str, ...], tuple[tuple[str | None, ...], ...]] = ((), ())

    def verdict(self) -> str:
        """How many of the questions can be answered."""
        able = [question for question in self.questions if question.able]
        if len(able) == len(self.questions):
            return f"These data can answer all {len(able)} questions."
        return f"These data can answer {len(able)} of {len(self.questions)} questions."

    def tables(self) -> tuple[Table, ...]:
        """The data, the classifiers, and the questions."""
        tables = [
            Table("What was read", ("what", "value"), self.facts),
            Table("Labels", ("label", "ratings", "share"), self.label_shares),
        ]
        roles, rows = self.first_rows
        if rows:
            shown = tuple(tuple(None if c is None else _short(c) for c in row) for row in rows)
            tables.insert(1, Table("First rows, as they were understood", roles, shown))
        if self.classifiers:
            rows = tuple(tuple(row.values()) for row in self.classifiers)
            heading = ("classifier", "gives", "answered", "of", "unusable answers")
            tables.append(Table("Classifiers", heading, rows))
        tables.append(
            Table(
                "What can be answered",
                ("question", "command", "can it?", "with what, or what is missing"),
                tuple((q.question, q.command, q.able, q.means) for q in self.questions),
            )
        )
        return tuple(tables)

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, merged and left out."""
        return self.notes

    def columns(self) -> dict[str, list[Any]]:
        """The questions as columns."""
        return {
            "question": [q.question for q in self.questions],
            "command": [q.command for q in self.questions],
            "able": [q.able for q in self.questions],
            "means": [q.means for q in self.questions],
        }

    def to_dict(self) -> dict[str, Any]:
        """Facts, labels, classifiers, questions and notes."""
        return {
            "facts": dict(self.facts),
            "labels": [
                {"label": label, "ratings": n, "share": share}
                for label, n, share in self.label_shares
            ],
            "classifiers": [dict(row) for row in self.classifiers],
            "questions": [
                {"question": q.question, "command": q.command, "able": q.able, "means": q.means}
                for q in self.questions
            ],
            "first_rows": [
                dict(zip(self.first_rows[0], row, strict=True)) for row in self.first_rows[1]
            ],
            "notes": list(self.notes),
        }


def examine(
    ratings: Ratings, predictions: Predictions | None = None, *, positive: str | None = None
) -> Checkup:
    """Look at the data: what they hold, and what can be computed from them.

    >>> from headcount import Ratings
    >>> examine(Ratings.from_counts([[2, 1], [0, 3]], labels=["no", "yes"])).verdict()
    'These data can answer 2 of 7 questions.'
    """
    judged = None
    notes = list(ratings.notes)
    if predictions is not None:
        # Answers outside the labels are counted and named here; only the methods refuse them.
        judged = judge(ratings, predictions, positive=positive, unknown="wrong")
        notes += [*predictions.notes, *judged.notes, *_advice(judged)]
    patterns = ratings.patterns()
    totals = patterns.items @ patterns.counts
    shares = tuple(
        (name, int(n), float(n / totals.sum()))
        for name, n in zip(ratings.labels.names, totals, strict=True)
    )
    return Checkup(
        _facts(ratings),
        shares,
        tuple(_classifier_row(judged)),
        questions(ratings, judged),
        tuple(notes),
        _first_rows(ratings),
    )


def _first_rows(
    ratings: Ratings,
) -> tuple[tuple[str, ...], tuple[tuple[str | None, ...], ...]]:
    roles, rows = ratings.preview()
    return roles, tuple(rows)


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


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
        ("labels", f"{ratings.labels.n} ({ratings.labels.scale})"),
        ("distinct patterns of label counts", f"{len(patterns.items):,}"),
    )


def _classifier_row(judged: Judged | None) -> list[dict[str, Any]]:
    if judged is None:
        return []
    return [
        {
            "name": classifier.name,
            "gives": "probabilities" if classifier.soft else "labels",
            "answered": classifier.answered,
            "out_of": classifier.out_of,
            "unusable": classifier.unknown,
        }
        for classifier in judged.classifiers
    ]


def _advice(judged: Judged) -> list[str]:
    return [
        f"{classifier.name}: "
        f"{count(classifier.unknown, 'answer is not a label', 'answers are not labels')}, such as "
        f"{classifier.unknown_example!r}; the methods stop at them until you choose "
        "--unknown wrong (count them as its errors) or --unknown drop (leave those items out)."
        for classifier in judged.classifiers
        if classifier.unknown
    ]
