"""Counting in SQL, out of core: ratings in files and in-memory frames."""

from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa

from headcount.errors import InputError
from headcount.ratings.layout import Layout
from headcount.ratings.meaning import Meaning
from headcount.ratings.patterns import Patterns
from headcount.ratings.reductions import patterns_of_columns
from headcount.ratings.said import in_list, said_sql
from headcount.tables import Source

_BLANK = "({0} IS NULL OR {0} = '')"


@dataclass(frozen=True)
class SqlCounting:
    """Reductions of a long or wide table. `where` keeps part of the answers, such as one pool."""

    source: Source
    layout: Layout
    where: str = field(default="", kw_only=True)

    @cached_property
    def said(self) -> str:
        """The answers as an SQL subquery."""
        return f"({said_sql(self.source, self.layout, self.where)})"

    def tally(self) -> dict[str | None, int]:
        """How often each raw label text occurs; stops at answers without an item or a rater."""
        blank_item = f"count(*) FILTER (WHERE {_BLANK.format('item')})"
        blank_rater = f"count(*) FILTER (WHERE {_BLANK.format('rater')})"
        table = self.source.ask(
            f"SELECT label, count(*) AS n, {blank_item} AS blank_items, "
            f"{blank_rater if self.layout.named else 0} AS blank_raters "
            f"FROM {self.said} GROUP BY label"
        ).to_pydict()
        if sum(table["blank_items"]):
            self._complain_of_blank("item", sum(table["blank_items"]))
        if sum(table["blank_raters"]):
            self._complain_of_blank("rater", sum(table["blank_raters"]))
        return dict(zip(table["label"], table["n"], strict=True))

    def patterns(self, meaning: Meaning, *, first: bool) -> tuple[Patterns, bool]:
        """Items grouped by counts. One pass: the look-out for retests rides along."""
        names = [f"c{j}" for j in range(meaning.labels.n)]
        watch = self.layout.kind == "long" and self.layout.named and not first
        suspects = f"sum({_MAYBE_TWICE}::INT)" if watch else "0"
        raters = ", rater" if watch else ""
        answers = self._first_answers(meaning) if first else self.said
        by_item = (
            f"SELECT item, {_counts(meaning)}{', ' + _MASKS if watch else ''} "
            f"FROM (SELECT item, label{raters} FROM {answers}) GROUP BY item"
        )
        table = self.source.ask(
            f"SELECT {', '.join(names)}, count(*) AS items, {suspects} AS suspects "
            f"FROM ({by_item}) GROUP BY {', '.join(names)}"
        )
        maybe = any(value for value in table["suspects"].to_pylist())
        return patterns_of_columns(table, meaning.labels.n), maybe

    def retests(self, meaning: Meaning) -> int:
        """Counted exactly, but only among the items where a rater may have answered twice."""
        suspects = (
            f"SELECT item FROM (SELECT item, {_MASKS} FROM {self.said} GROUP BY item) "
            f"WHERE {_MAYBE_TWICE}"
        )
        (extra,) = self.source.ask_row(
            f"SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM {self.said} "
            f"WHERE {_meant(meaning)} AND item IN ({suspects}) GROUP BY item, rater)"
        )
        return int(extra)

    def raters(self, meaning: Meaning) -> int | None:
        """How many raters gave an answer."""
        if not self.layout.named:
            return None
        (n,) = self.source.ask_row(
            f"SELECT count(DISTINCT rater) FROM {self.said} WHERE {_meant(meaning)}"
        )
        return int(n)

    def item_counts(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an item, ordered by id."""
        answers = self._first_answers(meaning) if first else self.said
        return self.source.ask(
            f"SELECT item, {_counts(meaning)} FROM {answers} GROUP BY item ORDER BY item"
        )

    def answers(self, meaning: Meaning, *, retests: bool) -> pa.Table:
        """A row an answer, in a fixed order."""
        named = self.layout.named
        extra = [f'"{role}"' for role in ("group", "weight") if getattr(self.layout, role)]
        fields = ["item", "rater" if named else "'' AS rater", "label", *extra]
        occasion = f"({self._occasion()} - 1)" if retests and named else "0"
        return self.source.ask(
            f"SELECT {', '.join(fields)}, CAST({occasion} AS BIGINT) AS occasion "
            f"FROM {self._numbered(meaning)} ORDER BY item, rater, occasion, label"
        )

    def pools(self) -> tuple[str, ...]:
        """The pools named in the pool column."""
        if self.layout.pool is None:
            return ()
        table = self.source.ask(f"SELECT DISTINCT pool FROM {self.said} ORDER BY pool")
        return tuple(str(name) for name in table["pool"].to_pylist() if name)

    def _first_answers(self, meaning: Meaning) -> str:
        return f"(SELECT * FROM {self._numbered(meaning)} QUALIFY {self._occasion()} = 1)"

    def _numbered(self, meaning: Meaning) -> str:
        """Answers that mean something, with the row they stand in."""
        rows = f"SELECT *, row_number() OVER () AS row FROM {self.said}"
        return f"(SELECT * FROM ({rows}) WHERE {_meant(meaning)})"

    def _occasion(self) -> str:
        order = "row"
        if self.layout.occasion is not None:
            order = "TRY_CAST(occasion AS DOUBLE), occasion, row"
        return f"row_number() OVER (PARTITION BY item, rater ORDER BY {order})"

    def _complain_of_blank(self, role: str, how_many: int) -> None:
        (row,) = self.source.ask_row(
            f"SELECT min(row) FROM (SELECT {role}, row_number() OVER () - 1 AS row "
            f"FROM {self.said}) WHERE {_BLANK.format(role)}"
        )
        remedy = (
            "give each row its item's id"
            if role == "item"
            else "name the rater, or leave the whole rater column out if raters are anonymous"
        )
        column = getattr(self.layout, role)
        raise InputError(
            f"{self.source.place(int(row))}: the {role} (column {column!r}) is blank"
            f"{f', and in {how_many - 1:,} more rows' if how_many > 1 else ''}: {remedy}."
        )


# A rater who answers twice sets the same bit twice. Fewer bits than answers means "perhaps";
# as many means "certainly not". Two independent masks leave few innocent items under suspicion,
# and this costs a fraction of grouping by item and rater.
_MASKS = (
    "count(rater) AS said, "
    "bit_or(1::UBIGINT << (hash(rater) % 64)) AS mask, "
    "bit_or(1::UBIGINT << ((hash(rater) // 64) % 64)) AS other_mask"
)
_MAYBE_TWICE = "(bit_count(mask) < said AND bit_count(other_mask) < said)"


def _counts(meaning: Meaning) -> str:
    return ", ".join(
        f"count(*) FILTER (WHERE {in_list('label', raws)}) AS c{j}"
        for j, raws in enumerate(meaning.spellings())
    )


def _meant(meaning: Meaning) -> str:
    return in_list("label", list(meaning.codes))
