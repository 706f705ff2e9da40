"""Which column is what: usual names are recognised, given names are obeyed."""

from collections.abc import Sequence

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
}


def find_column(role: str, columns: Sequence[str], given: str | None, *, table: str) -> str | None:
    """The column for a role: the one given, else the first alias that is there, else None."""
    if given is not None:
        if given not in columns:
            raise InputError(
                f"{table} has no column {given!r} for the {role}: "
                f"its columns are {listing(columns)}."
            )
        return given
    plain = {_plain(name): name for name in reversed(columns)}
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


def listing(names: Sequence[str], most: int = 12) -> str:
    """Names for a sentence, cut short when there are many."""
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")
