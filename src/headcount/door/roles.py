"""Which column is what: usual names are recognised, given names and patterns are obeyed."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import fields
from fnmatch import fnmatchcase

from headcount.errors import InputError
from headcount.frozen import frozen

ALIASES: dict[str, tuple[str, ...]] = {
    "item": (
        *("item", "item_id", "task", "task_id", "unit", "unit_id", "id", "example", "example_id"),
        *("case", "case_id", "document", "document_id", "doc_id", "comment_id", "question_id"),
        *("doc", "sample_id", "prompt_id", "text_id", "sentence_id", "post_id", "tweet_id"),
        *("image_id", "image", "uid", "uuid", "passage_id", "segment", "segment_id", "docno"),
        *("patient_id",),
    ),
    "rater": (
        *("rater", "rater_id", "worker", "worker_id", "annotator", "annotator_id", "coder"),
        *("coder_id", "expert", "expert_id", "judge", "judge_id", "user", "user_id", "assessor"),
        *("assessor_id",),
    ),
    "label": ("label", "rating", "score", "annotation", "answer", "category", "class", "response"),
    "occasion": (
        *("occasion", "session", "round", "timestamp", "time", "datetime", "created_at"),
        *("submitted_at",),
    ),
    "time": (
        *("time", "timestamp", "datetime", "date", "created_at", "submitted_at", "rated_at"),
        *("labeled_at", "labelled_at", "annotated_at", "judged_at", "month", "week", "day"),
        *("quarter", "period", "wave"),
    ),
    "pool": ("pool",),
    "gold": ("gold", "gold_label", "ground_truth", "truth", "true_label"),
    "text": ("text", "comment", "sentence", "content"),
    "cluster": ("cluster", "cluster_id"),
    "classifier": ("classifier", "model", "judge", "system", "scorer", "evaluator", "predictor"),
    "probability": ("probability", "prob", "confidence", "p"),
    "variant": (
        *("variant", "prompt_variant", "prompt_id", "prompt_name", "prompt_version", "template"),
        *("prompt_template", "order", "position_order", "condition", "temperature", "rubric"),
    ),
    "run": ("run", "run_id", "epoch", "trial", "replicate", "sample"),
}

_NO_COLUMN = ("raters", "classifiers", "parts", "sets", "options", "variants", "systems")
"""Fields of roles that do not name one column each."""
_HUMP = re.compile(r"([a-z])([A-Z])")


@frozen
class Roles:
    """What the user says of the columns; None or () where nothing was said.

    `raters` and `classifiers` are names or patterns of columns ("reader*"), `slices` and `groups`
    names of columns; the others name one column each. An item that several columns name together
    is given as all of them; once they are joined, `item` is the joint column and `parts` are they.
    `sets` say how several labels an answer are written and `offered` which column lists what could
    be ticked, or what could by item; once they are yes/no questions, `options` are all of these.
    `asked` are the questions by item that classifiers' sets are to answer. `a`, `b` and `winner`
    name the two systems of a comparison and the column that says which was better; once answers
    are turned to one order, `systems` are the columns of the two. `system` names the column with
    the system that an item is of.
    """

    item: str | tuple[str, ...] | None = None
    rater: str | None = None
    label: str | None = None
    raters: tuple[str, ...] = ()
    classifiers: tuple[str, ...] = ()
    text: str | None = None
    slices: tuple[str, ...] = ()
    cluster: str | None = None
    groups: tuple[str, ...] = ()
    gold: str | None = None
    occasion: str | None = None
    time: str | None = None
    pool: str | None = None
    weight: str | None = None
    run: str | None = None
    variants: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    offered: str | Mapping[str, str] | None = None
    options: tuple[str, ...] = ()
    asked: Mapping[str, Sequence[str]] | None = None
    a: str | None = None
    b: str | None = None
    winner: str | None = None
    system: str | None = None
    systems: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """The columns that name the item; one, in most tables."""
        if not self.item:
            return ()
        return (self.item,) if isinstance(self.item, str) else self.item

    @property
    def item_column(self) -> str | None:
        """The one column that names the item."""
        return self.items[0] if self.items else None

    def named(self) -> dict[str, str]:
        """Every column that is named, by name, with its role."""
        found: dict[str, str] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in _NO_COLUMN or not value or isinstance(value, Mapping):
                continue
            for name in (value,) if isinstance(value, str) else value:
                found[name] = field.name
        return found


def find_column(role: str, columns: Sequence[str], given: str | None, *, table: str) -> str | None:
    """The column for a role: the one given, else the first alias that is there, else None.

    "" says that no column has this role, whatever it is called.
    """
    if given == "":
        return None
    if given is not None:
        if given not in columns:
            raise InputError(
                f"{table} has no column {given!r} for the {role}: "
                f"its columns are {listing(columns)}."
            )
        return given
    plain = {plain_name(name): name for name in reversed(columns)}
    return next((plain[alias] for alias in ALIASES.get(role, ()) if alias in plain), None)


def require_column(
    role: str,
    columns: Sequence[str],
    given: str | None,
    *,
    table: str,
    option: str | None = None,
) -> str:
    """`find_column`, or an error that names the columns there are.

    `option` is how the role is named on the command line, where that is not its name.
    """
    found = find_column(role, columns, given, table=table)
    if found is None:
        raise InputError(
            f"{table} has no column that looks like the {role} "
            f"({', '.join(ALIASES[role][:4])}, …); its columns are {listing(columns)}: "
            f"name the right one with {role}= (--{option or role})."
        )
    return found


def match_columns(
    role: str, patterns: Sequence[str], columns: Sequence[str], *, table: str
) -> tuple[str, ...]:
    """The columns that names or patterns mean, in the order of the table."""
    for pattern in patterns:
        if not any(name == pattern or fnmatchcase(name, pattern) for name in columns):
            raise InputError(
                f"{table} has no column that fits {pattern!r} for the {role}: its columns are "
                f"{listing(columns)}."
            )
    return tuple(
        name
        for name in columns
        if any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)
    )


def listing(names: Sequence[str], most: int = 12) -> str:
    """Names for a sentence, cut short when there are many."""
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def command(call: Sequence[str] | None, **options: str | Sequence[str] | None) -> str:
    """The command that reads a table with these options, for a refusal to print.

    `call` are the words that name the table on the command line; None for a frame, which is read
    in Python.
    """
    given = {option: value for option, value in options.items() if value}
    if call is None:
        told = [f"{option}={_as_python(value)}" for option, value in given.items()]
        return f"Ratings.read({', '.join(['frame', *told])})"
    words = ["headcount", "doctor", *call]
    for option, value in given.items():
        for each in (value,) if isinstance(value, str) else value or ():
            words += [f"--{option}", each]
    return shlex.join(words)


def _as_python(value: str | Sequence[str] | None) -> str:
    if value is None or isinstance(value, str):
        return repr(value)
    return repr(value[0]) if len(value) == 1 else repr(list(value))


def plain_name(name: str) -> str:
    """A column's name as aliases are written.

    >>> plain_name("Task ID"), plain_name("userId"), plain_name("_WORKER-ID")
    ('task_id', 'user_id', 'worker_id')
    """
    apart = _HUMP.sub(r"\1_\2", name.strip().lstrip("_"))
    return apart.lower().replace(" ", "_").replace("-", "_")
