"""Which column is what: usual names are recognised, given names and patterns are obeyed."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase

from headcount.errors import InputError

ALIASES: dict[str, tuple[str, ...]] = {
    "item": (
        *("item", "item_id", "task", "task_id", "id", "unit", "unit_id", "example", "example_id"),
        *("case", "case_id", "document", "document_id", "doc_id", "comment_id", "question_id"),
    ),
    "rater": (
        *("rater", "rater_id", "worker", "worker_id", "annotator", "annotator_id", "coder"),
        *("coder_id", "expert", "expert_id", "judge", "judge_id", "user", "user_id"),
    ),
    "label": ("label", "rating", "score", "annotation", "answer", "category", "class", "response"),
    "occasion": ("occasion", "session", "round", "timestamp", "time"),
    "pool": ("pool",),
    "gold": ("gold", "gold_label", "ground_truth", "truth", "true_label"),
    "text": ("text", "comment", "sentence", "content"),
    "cluster": ("cluster", "cluster_id"),
    "classifier": ("classifier", "model", "judge", "system", "scorer", "evaluator", "predictor"),
    "probability": ("probability", "prob", "confidence", "p"),
    "run": ("run", "run_id", "epoch", "trial", "replicate", "sample"),
}


@dataclass(frozen=True)
class Roles:
    """What the user says of the columns; None or () where nothing was said.

    `raters` and `classifiers` are names or patterns of columns ("reader*"), `slices` and `groups`
    names of columns; the others name one column each.
    """

    item: str | None = None
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
    pool: str | None = None
    weight: str | None = None
    run: str | None = None

    def named(self) -> dict[str, str]:
        """Every column that is named, by name, with its role."""
        found: dict[str, str] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("raters", "classifiers") or not value:
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


def require_column(role: str, columns: Sequence[str], given: str | None, *, table: str) -> str:
    """`find_column`, or an error that names the columns there are."""
    found = find_column(role, columns, given, table=table)
    if found is None:
        raise InputError(
            f"{table} has no column that looks like the {role} "
            f"({', '.join(ALIASES[role][:4])}, …); its columns are {listing(columns)}: "
            f"name the right one with {role}= (--{role} on the command line)."
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


def command(table: str, **options: str | Sequence[str] | None) -> str:
    """The command that reads a table with these options, for a refusal to print."""
    words = ["headcount", "doctor", table]
    for option, value in options.items():
        for each in (value,) if isinstance(value, str) else value or ():
            words += [f"--{option.replace('_', '-')}", each]
    return shlex.join(words)


def plain_name(name: str) -> str:
    """A column's name as aliases are written."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")
