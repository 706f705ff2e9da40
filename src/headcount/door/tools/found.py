"""What another tool's export holds: ratings, answers of classifiers, truth."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headcount.door.documents import cell
from headcount.frozen import frozen

Record = dict[str, Any]
Cells = dict[tuple[str, str], str]


@frozen
class Rating:
    """One person's answer: `ticks` are the options chosen, one of them in most exports."""

    item: str
    rater: str | None
    question: str
    ticks: tuple[str, ...]
    occasion: str = ""


@dataclass
class Found:
    """The content of one export.

    `answers` are classifiers' labels by (item, classifier), `scores` their numbers, `soft` their
    probabilities by (item, "classifier:label"), `outputs` the answers of the model that was
    evaluated. `questions_of` names the question that a classifier answers, where it answers one.
    `truth` and `text` go by item; `left_out` counts what was no rating, by reason, and
    `unanswered` blank answers, by question; `main` is the question that an export puts first,
    where it does; `anonymous` says that several people answered each item and none of them is
    named. `own` are the user's ids of the items, where the fields called `own_names` were asked
    for, and then in place of the tool's. `compared` has, by item, the prompt and the two systems
    of a comparison, in the order of their names.
    """

    tool: str
    ratings: list[Rating] = field(default_factory=list)
    answers: Cells = field(default_factory=dict)
    scores: Cells = field(default_factory=dict)
    soft: Cells = field(default_factory=dict)
    outputs: Cells = field(default_factory=dict)
    questions_of: dict[str, str] = field(default_factory=dict)
    truth: dict[str, str] = field(default_factory=dict)
    controls: set[str] = field(default_factory=set)
    text: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    main: str | None = None
    anonymous: bool = False
    own_names: tuple[str, ...] = ()
    compared: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    own: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def rate(
        self, item: Any, rater: Any, ticks: Any, question: str = "", occasion: Any = None
    ) -> None:
        """Add a rating; one without any option ticked is left out and counted."""
        chosen = ticks if isinstance(ticks, list | tuple) else [ticks]
        texts = tuple(text for each in chosen if (text := cell(each)) is not None)
        key = cell(item)
        if not texts or key is None:
            self.unanswered[question] += 1
            return
        self.ratings.append(Rating(key, cell(rater), question, texts, cell(occasion) or ""))

    def put(self, where: Cells, item: Any, classifier: Any, value: Any) -> None:
        """Add a classifier's answer, score or probability; an empty one is none."""
        key, text = cell(item), cell(value)
        if key is not None:
            if text is None:
                where.setdefault((key, str(classifier)), "")
            else:
                where[key, str(classifier)] = text

    def questions(self) -> list[str]:
        """The questions people answered, in the order of their first answer."""
        return list(dict.fromkeys(rating.question for rating in self.ratings))

    def add(self, other: "Found") -> None:
        """Add another file's content."""
        self.ratings += other.ratings
        for mine, theirs in (
            (self.answers, other.answers),
            (self.scores, other.scores),
            (self.soft, other.soft),
            (self.outputs, other.outputs),
        ):
            mine.update(theirs)
        self.questions_of.update(other.questions_of)
        self.truth.update(other.truth)
        self.text.update(other.text)
        self.controls |= other.controls
        self.left_out.update(other.left_out)
        self.unanswered.update(other.unanswered)
        self.main = self.main or other.main
        self.own.update(other.own)
        self.compared.update(other.compared)


@frozen
class Export:
    """A file that may be a tool's export: its path, and its records or its whole document.

    `columns` are those of a text table, whose records hold texts; () for JSON. `question` is the
    one asked for, where the structure alone does not tell what is a question.
    """

    path: Path
    document: Any
    columns: tuple[str, ...] = ()
    question: str | None = None

    @property
    def records(self) -> list[Record]:
        """The records, where the document is a list of objects."""
        if isinstance(self.document, list) and all(isinstance(r, dict) for r in self.document):
            return self.document
        return []

    def first(self, n: int = 20) -> list[Record]:
        """The first records."""
        return self.records[:n]

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return self.path.name.split(".", 1)[0] or self.path.name


def by_key(document: Any) -> Iterator[tuple[str, Record]]:
    """The records of an object that holds them by id."""
    if isinstance(document, Mapping):
        for key, record in document.items():
            if isinstance(record, dict):
                yield str(key), record


def split_at_commas(text: Any) -> list[str]:
    """The parts of a text joined by commas."""
    return [part.strip() for part in str(text).split(",")] if text not in (None, "") else []


def every(records: Sequence[Record], *keys: str) -> bool:
    """Whether there are records and each of them has these keys."""
    return bool(records) and all(key in record for record in records for key in keys)


def as_flag(value: Any) -> str | None:
    """Whether a test was passed, as a label."""
    return None if value is None else ("pass" if value is True else "fail")
