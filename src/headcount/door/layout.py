"""Long, wide or counts: what a row of the table is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

from headcount.door import Source, quote_name
from headcount.door.columns import find_column, listing, require_column
from headcount.errors import InputError, OptionError

Kind = Literal["long", "wide", "counts"]
_RATER_WORDS = ("rater", "worker", "annotator", "coder", "expert", "judge", "scorer", "user")


@dataclass(frozen=True)
class Layout:
    """Which columns hold what.

    "long": a row an answer, with `item`, `label` and perhaps `rater`, `occasion`, `pool`,
    `group`, `weight`. "wide": a row an item, `others` are the raters. "counts": a row an item,
    `others` are the labels.
    """

    kind: Kind
    item: str
    label: str | None = None
    rater: str | None = None
    occasion: str | None = None
    pool: str | None = None
    group: str | None = None
    weight: str | None = None
    others: tuple[str, ...] = ()

    @property
    def named(self) -> bool:
        """Whether it is known who said what."""
        return self.kind == "wide" or self.rater is not None

    def describe(self) -> str:
        """Which columns were taken for what, as a sentence."""
        if self.kind == "long":
            roles = ("item", "rater", "label", "occasion", "pool", "group", "weight")
            taken = [f"{role} = {getattr(self, role)!r}" for role in roles if getattr(self, role)]
            return f"a row an answer: {', '.join(taken)}"
        what = "raters" if self.kind == "wide" else "labels"
        return f"a row an item ({self.item!r}), with the {what} {listing(self.others)} as columns"


def long_layout(
    columns: Sequence[str],
    table: str,
    *,
    item: str | None,
    rater: str | None,
    label: str | None,
    occasion: str | None = None,
    pool: str | None = None,
    group: str | None = None,
    weight: str | None = None,
) -> Layout:
    """A row an answer."""
    return Layout(
        "long",
        require_column("item", columns, item, table=table),
        require_column("label", columns, label, table=table),
        find_column("rater", columns, rater, table=table),
        find_column("occasion", columns, occasion, table=table),
        find_column("pool", columns, pool, table=table),
        find_column("group", columns, group, table=table),
        find_column("weight", columns, weight, table=table),
    )


def row_an_item(kind: Kind, columns: Sequence[str], table: str, *, item: str | None) -> Layout:
    """A row an item: every other column is a rater ("wide") or a label ("counts")."""
    item_column = require_column("item", columns, item, table=table)
    others = tuple(name for name in columns if name != item_column)
    if not others:
        raise InputError(f"{table} has only the column {item_column!r}: it holds no ratings.")
    return Layout(kind, item_column, others=others)


def detect_kind(source: Source, *, item: str | None, label: str | None) -> Kind:
    """Which layout a table has, from its column names and, where they do not tell, its values."""
    columns = source.columns
    if label is not None or find_column("label", columns, None, table=source.name):
        return "long"
    item_column = require_column("item", columns, item, table=source.name)
    others = [name for name in columns if name != item_column]
    if not others:
        raise InputError(f"{source.name} has only the column {item_column!r}: it holds no ratings.")
    if not _all_counts(source, others):
        return "wide"
    if all(name.lower().rstrip("_- 0123456789") in (*_RATER_WORDS, "r", "e") for name in others):
        return "wide"
    if _largest(source, others) > len(others):
        # No column can hold more raters than there are columns of raters.
        return "counts"
    raise InputError(
        f"{source.name} may hold a column a rater or a column a label: say which with "
        'layout="wide" or layout="counts" (--layout on the command line).'
    )


def check_kind(kind: str) -> Kind:
    """`layout=` as given by the user."""
    if kind in get_args(Kind):
        return cast(Kind, kind)
    raise OptionError(f'layout is "long", "wide" or "counts", not {kind!r}.')


def _all_counts(source: Source, columns: Sequence[str]) -> bool:
    values = source.ask(
        "SELECT "
        + ", ".join(
            f"bool_and(coalesce(TRY_CAST({quote_name(c)} AS BIGINT) >= 0, false)) AS c{j}"
            for j, c in enumerate(columns)
        )
        + " FROM source"
    )
    return all(bool(column[0].as_py()) for column in values.columns)


def _largest(source: Source, columns: Sequence[str]) -> int:
    greatest = ", ".join(f"max(TRY_CAST({quote_name(c)} AS BIGINT))" for c in columns)
    return max(int(value or 0) for value in source.ask_row(f"SELECT {greatest} FROM source"))
