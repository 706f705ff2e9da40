"""Counting in SQL, out of core: ratings in files and in-memory frames."""

from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from headcount.data.masks import mask_fields, maybe_answered, maybe_twice
from headcount.data.meaning import Meaning
from headcount.data.meeting import met_sql, predicted
from headcount.data.reductions import Grouped, Ints, Suspects, patterns_of_columns
from headcount.door import Source, whole
from headcount.door.layout import Layout
from headcount.door.said import in_list, said_sql
from headcount.errors import InputError

_BLANK = "({0} IS NULL OR {0} = '')"
_NOBODY = ("NULL::VARCHAR", "''")  # the names that `_BLANK` finds
_GLANCE = 20_000


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
        """How often each raw label text occurs."""
        return self._tally(self.said)

    def glance(self) -> dict[str | None, int]:
        """How often each raw label text occurs in the first rows."""
        return self._tally(f"(SELECT label FROM {self.said} LIMIT {_GLANCE})")

    def _tally(self, answers: str) -> dict[str | None, int]:
        table = self.source.ask(f"SELECT label, count(*) AS n FROM {answers} GROUP BY label")
        return dict(zip(table["label"].to_pylist(), table["n"].to_pylist(), strict=True))

    def patterns(self, meaning: Meaning, *, first: bool) -> Grouped:
        """Items grouped by counts. One pass: whatever else must be known is noticed in it."""
        names = [f"c{j}" for j in range(meaning.labels.n)]
        watch = self.layout.rater is not None and not first
        suspicion = " OR ".join([maybe_twice(), *map(maybe_answered, _NOBODY)])
        suspects = f"list(item) FILTER (WHERE {suspicion})" if watch else "NULL::VARCHAR[]"
        noticed = mask_fields("rater") if watch else "count(*) AS said"
        answers = self._first_answers(meaning) if first else self.said
        by_item = f"SELECT item, {_counts(meaning)}, {noticed} FROM {answers} GROUP BY item"
        table = self.source.ask(
            f"SELECT {', '.join(names)}, count(*) AS items, {suspects} AS suspects, "
            f"sum(said)::BIGINT AS said, count(*) FILTER (WHERE {_BLANK.format('item')}) AS blank "
            f"FROM ({by_item}) GROUP BY {', '.join(names)}"
        )
        if any(table["blank"].to_pylist()):
            self._complain_of_blank("item")
        patterns = patterns_of_columns(table, meaning.labels.n)
        said = sum(table["said"].to_pylist())
        found = whole(pc.list_flatten(table["suspects"]))
        return Grouped(patterns, found, said - patterns.n_ratings)

    def retests(self, meaning: Meaning, suspects: Suspects) -> int:
        """Counted exactly, but only among the items where a rater may have answered twice.

        Where all of their answers have different hashes, none can be a retest: usually that
        settles it.
        """
        wanted = {"suspects": pa.table({"item": suspects})}
        chosen = f"FROM {self.said} WHERE item IN (SELECT item FROM suspects)"
        meant = _meant(meaning)
        blank, alike = self.source.ask_row(
            f"SELECT count_if({_BLANK.format('rater')}), count(*) FILTER (WHERE {meant}) - "
            f"count(DISTINCT hash(item, rater)) FILTER (WHERE {meant}) {chosen}",
            **wanted,
        )
        if blank:
            self._complain_of_blank("rater")
        if not alike:
            return 0
        (extra,) = self.source.ask_row(
            f"SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n {chosen} AND {meant} "
            "GROUP BY item, rater)",
            **wanted,
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

    def met(self, meaning: Meaning, ids: pa.Array, kind: Ints, *, first: bool) -> pa.Table:
        """Joined and grouped in SQL: no id leaves the database."""
        answers = self._first_answers(meaning) if first else self.said
        by_item = f"SELECT item, {_counts(meaning)} FROM {answers} GROUP BY item"
        return self.source.ask(met_sql(by_item, meaning.labels.n), **predicted(ids, kind))

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

    def arrivals(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """Item and raw label of every answer, in the order of the rows."""
        answers = self._first_answers(meaning) if first else self._numbered(meaning)
        return self.source.ask(f"SELECT item, label FROM {answers} ORDER BY row")

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

    def _complain_of_blank(self, role: str) -> None:
        how_many, row = self.source.ask_row(
            f"SELECT count(*), min(row) FROM (SELECT {role}, row_number() OVER () - 1 AS row "
            f"FROM {self.said}) WHERE {_BLANK.format(role)}"
        )
        remedy = (
            "give each row its item's id"
            if role == "item"
            else "name the rater, or leave the whole rater column out if raters are anonymous"
        )
        # In a wide table an answer is a cell, so its number among the answers is not its line.
        place = self.source.name if self.layout.kind == "wide" else self.source.place(int(row))
        raise InputError(
            f"{place}: the {role} (column {getattr(self.layout, role)!r}) is blank"
            f"{f', and in {how_many - 1:,} more rows' if how_many > 1 else ''}: {remedy}."
        )


def _counts(meaning: Meaning) -> str:
    return ", ".join(
        f"coalesce(CAST(count_if({in_list('label', raws)}) AS BIGINT), 0) AS c{j}"
        for j, raws in enumerate(meaning.spellings())
    )


def _meant(meaning: Meaning) -> str:
    """Answers that are labels; where none is missing there is nothing to compare."""
    return in_list("label", list(meaning.codes)) if meaning.missing else "true"
