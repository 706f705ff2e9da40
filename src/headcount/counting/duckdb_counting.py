"""Counting in DuckDB: ratings in files and in-memory frames, a row or a cell an answer.

A table of usual size is read once and held in memory, coded; every question is asked there. A
large one is counted where it lies, in one pass that notices whatever else must be known; the
second question reads it again to hold it, if it fits. The largest are asked anew each time: their
items are counted once and kept in the database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from headcount.counting import size
from headcount.counting.join import AnswerCodes, Kinds, KindsHere, Met, met_sql
from headcount.counting.ordered_rows import InOrder, stand_together, stretches_of
from headcount.counting.part_of_items import is_drawn
from headcount.counting.protocol import (
    Grouped,
    Meaning,
    Suspects,
    patterns_of_columns,
)
from headcount.counting.sql_answers import (
    BLANK,
    IS_NUMBER,
    NUMBER,
    SqlAnswers,
    complain_of_second_row,
    counts_sql,
    mask_fields,
    maybe_answered,
    maybe_twice,
    meant_sql,
)
from headcount.door import Source, text_column, whole
from headcount.door.database import Kept, connect
from headcount.door.layout import Layout
from headcount.door.said import said_in
from headcount.door.text import PLAIN, SPACED
from headcount.frozen import frozen
from headcount.later import Later

if TYPE_CHECKING:
    import duckdb
else:
    duckdb = Later("duckdb")


_NOBODY = ("NULL::VARCHAR", "''")  # the names that `BLANK` finds


@frozen
class SqlCounting(SqlAnswers):
    """Reductions of a long or wide table."""

    @classmethod
    def of(cls, source: Source, layout: Layout) -> SqlCounting:
        """The answers in a source, held in memory where they are few."""
        if source.size <= size.HELD_AT_ONCE:
            return cls(layout, said_in(source, layout).held())
        return cls(layout, said_in(source, layout, raw=True))

    @property
    def _few(self) -> bool:
        """Whether looking at every item for retests costs less than finding the suspects."""
        table = self.source.arrow
        return table is not None and table.num_rows <= size.FEW_ROWS and not self.said.raw

    @cached_property
    def again(self) -> SqlCounting:
        """The same answers for a question after the first: in memory, if they fit."""
        if self.source.arrow is not None or self.keep is not None:
            return self
        if self.source.size > size.HELD_AT_ALL:
            return self
        return SqlCounting(self.layout, self.said.held())

    def without_spaces(self) -> SqlCounting:
        """The same answers with the spaces around them taken off, row by row."""
        if not self.said.raw:
            return self
        return SqlCounting(self.layout, said_in(self.source, self.layout), keep=self.keep)

    def part(self, column: str, values: list[str]) -> SqlCounting:
        """Only the answers whose pool or rater is one of these."""
        again = self.again
        return SqlCounting(self.layout, again.said, keep=(column, tuple(values)))

    def drawn(self, meaning: Meaning, bound: str) -> SqlCounting:
        """The answers about a part of the items, in memory: one more pass over the answers.

        Where items were counted and kept their ids are hashed there, else once each here.
        """
        kept, few = self._items.of(meaning), is_drawn("item", bound)
        if kept is None:
            again = self.again
            ids = again._ask(f"SELECT item FROM {again._answers} GROUP BY item HAVING {few}")
        else:
            again = self
            ids = self._ask(f"SELECT item FROM ({kept}) WHERE {few}", meaning, part=True)
        said = again.said.of("SELECT item FROM drawn").held(drawn=ids)
        return SqlCounting(self.layout, said, keep=self.keep)

    @cached_property
    def _items(self) -> KeptItems:
        return KeptItems()

    def tally(self) -> dict[str | None, int]:
        """How often each raw label text occurs."""
        held = self.said.column("label") if self.keep is None else None
        if held is not None:
            texts, numbers = pc.value_counts(held).flatten()
            return dict(zip(texts.to_pylist(), numbers.to_pylist(), strict=True))
        table = self._ask(f"SELECT label, count(*) AS n FROM {self._answers} GROUP BY label")
        return dict(zip(table["label"].to_pylist(), table["n"].to_pylist(), strict=True))

    def glance(self) -> dict[str | None, int]:
        """How often each raw label text occurs in the first rows, where reading all is dear."""
        if self.source.arrow is not None or self.layout.kind != "long":
            return {}
        assert self.layout.label is not None
        return dict(Counter(self.source.seen(self.layout.label)))

    def patterns(self, meaning: Meaning, *, first: bool) -> Grouped:
        """Items grouped by counts.

        Where the rows of an item stand together they are read in their order, which tells who
        answered twice. Elsewhere counting notices who may have, in the same pass.
        """
        found = None if first else self._in_order(meaning)
        return self._counted(meaning, first=first) if found is None else found

    def _in_order(self, meaning: Meaning) -> Grouped | None:
        """Items counted as a large file is read in the order of its rows.

        None where it is not worth a try, where it cannot be done, where an item or a rater is
        blank or has spaces around it, and where rows of an item stand apart.
        """
        source, layout = self.source, self.layout
        all_of_it = self.keep is None and self.said.raw and source.size > size.LARGE_FILE
        if not (all_of_it and layout.rater and layout.label) or "_stands_apart" in vars(self):
            return None
        if meaning.as_numbers or meaning.n_counts > size.MOST_COUNTS:
            return None
        if source.first_row is not None or not stand_together(source.seen(layout.item)):
            return None
        look = partial(stretches_of, codes=meaning.codes, n_labels=meaning.n_counts)
        seen = InOrder()
        pieces = source.in_order([layout.item, layout.rater, layout.label], look)
        kept = self._items.put(seen.tables(pieces), meaning)
        if kept is None or seen.failed or not self._once_each(seen, kept):
            self._items.drop(meaning)
            vars(self)["_stands_apart"] = True  # not to be tried again for other labels
            return None
        names = ", ".join(f"n{j}" for j in range(meaning.n_counts))
        grouped = f"SELECT {names}, count(*) AS items {kept} GROUP BY {names}"
        patterns = patterns_of_columns(self._ask(grouped, part=True), meaning.n_counts)
        return Grouped(patterns, text_column(sorted(seen.twice)), seen.rows - patterns.n_ratings)

    def _once_each(self, seen: InOrder, kept: str) -> bool:
        """Whether every item has one stretch of rows: stretches of one have one hash."""
        if seen.distinct:
            return True
        table = self._ask(f"SELECT count(DISTINCT hash(item)) {kept}", part=True)
        return bool(table.column(0)[0].as_py() == seen.n)

    def _counted(self, meaning: Meaning, *, first: bool) -> Grouped:
        """Counted in one pass: whatever else must be known is noticed in it."""
        names = [f"n{j}" for j in range(meaning.n_counts)]
        doubt = self.layout.kind == "long" and self.layout.named and not first
        watch = doubt and not self._few
        by_item = self._noticed(meaning, watch=watch, first=first)
        used, kept = self._used(by_item, meaning), None
        if not first and self.source.size > size.LARGE_FILE:
            kept = self._items.keep(self.source, by_item, used, meaning, also=("said",))
        most = "max(said)" if self.layout.kind == "wide" else "0"
        suspects = "list(item) FILTER (WHERE maybe)" if watch else "[]::VARCHAR[]"
        table = self._ask(
            f"SELECT {', '.join(names)}, count(*) AS items, {suspects} AS suspects, "
            f"sum(said)::BIGINT AS said, {most} AS most, "
            f"count(CASE WHEN {PLAIN.format('item')} THEN 1 END) AS plain "
            f"FROM ({kept or by_item}) GROUP BY {', '.join(names)}",
            meaning,
            part=kept is not None,
        )
        patterns = patterns_of_columns(table, meaning.n_counts)
        plain = sum(table["plain"].to_pylist()) == patterns.n_items
        apart = not plain and self._item_spaces(kept or by_item, meaning, part=kept is not None)
        if self.layout.kind == "wide" and max(table["most"].to_pylist()) > len(self.layout.others):
            complain_of_second_row(self._answers, self._ask, self.source, self.layout)
        said = sum(table["said"].to_pylist())
        found = None if doubt and self._few else whole(pc.list_flatten(table["suspects"]))
        apart = apart or (watch and self._rater_spaces())
        return Grouped(patterns, found, said - patterns.n_ratings, apart)

    def _item_spaces(self, by_item: str, meaning: Meaning, *, part: bool) -> bool:
        """Whether items came with spaces around them that were left in place; none may be blank."""
        table = self._ask(
            f"SELECT count(CASE WHEN {BLANK.format('item')} THEN 1 END), "
            f"count(CASE WHEN {SPACED.format('item')} THEN 1 END) FROM ({by_item})",
            meaning,
            part=part,
        )
        blank, spaced = (column[0].as_py() for column in table.columns)
        if blank:
            self._complain_of_blank("item")
        return self.said.raw and bool(spaced)

    def _noticed(self, meaning: Meaning, *, watch: bool, first: bool) -> str:
        """A row an item: its counts, how many answers it has and, where raters are watched,
        whether one may have answered it twice.
        """
        answers = self._first_answers(meaning) if first else self._answers
        fields = ["item", counts_sql(meaning)]
        if not watch:
            return f"SELECT {', '.join(fields)}, count(*) AS said FROM {answers} GROUP BY item"
        by_item = (
            f"SELECT {', '.join([*fields, mask_fields('rater')])} FROM {answers} GROUP BY item"
        )
        suspicion = " OR ".join([maybe_twice(), *map(maybe_answered, _NOBODY)])
        names = ", ".join(f"n{j}" for j in range(meaning.n_counts))
        return f"SELECT item, {names}, said, {suspicion} AS maybe FROM ({by_item})"

    def _rater_spaces(self) -> bool:
        """Whether raters' names came with spaces around them that were left in place.

        A question of its own: where names come coded it is asked of each name, not of each row.
        """
        rater = self.said.bare("rater")
        if not self.said.raw or rater is None:
            return False
        odd = f"NOT {PLAIN.format(rater)} AND {rater} <> ''"
        table = self._ask(f"SELECT count(*) FROM source WHERE {odd}")
        return bool(table.column(0)[0].as_py())

    def may_be_many(self, labels: int) -> bool:
        """Whether there may be so many different answers: by their codes, or by the first rows."""
        if self.source.arrow is None:
            return len(self.glance()) > size.MANY_LABELS_SEEN
        column = self.source.arrow.column(self.said.names.index("label"))
        return any(
            pa.types.is_dictionary(column.type) and len(chunk.dictionary) > labels
            for chunk in column.chunks
        )

    def no_numbers(self) -> tuple[dict[str | None, int], int]:
        """Texts that are no numbers, each with how often it occurs, and about how many are."""
        text = f"CASE WHEN {IS_NUMBER} THEN NULL ELSE label END"
        table = self._ask(
            f"SELECT {IS_NUMBER} AS number, {text} AS text, count(*) AS n, "
            f"approx_count_distinct(label) AS kinds FROM {self._answers} GROUP BY 1, 2"
        )
        rows = table.to_pylist()
        kinds = sum(row["kinds"] for row in rows if row["number"])
        return {row["text"]: row["n"] for row in rows if not row["number"]}, kinds

    def sums(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an item, ordered by id: variances about each item's own mean, so none cancel."""
        answers = self._first_answers(meaning) if first else self._answers
        return self._ask(
            "SELECT item, count(*) AS n, avg(x) AS mean, coalesce(var_samp(x), 0) AS within, "
            "min(x) AS least, max(x) AS most, bool_and(x = floor(x)) AS whole FROM "
            f"(SELECT item, {NUMBER} AS x FROM {answers} WHERE {meant_sql(meaning)}) "
            "GROUP BY item ORDER BY item",
            meaning,
        )

    def numbers(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an answer, ordered by item and value."""
        answers = self._first_answers(meaning) if first else self._answers
        rater = "rater" if self.layout.named else "'' AS rater"
        return self._ask(
            f"SELECT item, {rater}, {NUMBER} AS value FROM {answers} "
            f"WHERE {meant_sql(meaning)} ORDER BY item, value, rater",
            meaning,
        )

    def repeats(self, meaning: Meaning, suspects: Suspects) -> tuple[int, int]:
        """Counted exactly, but only among the items where a rater may have answered twice, or
        everywhere where nobody looked for them.

        Where all of their answers have different hashes, none can be a retest: usually that
        settles it.
        """
        wanted = {} if suspects is None else {"suspects": pa.table({"item": suspects})}
        among = self.said.of("SELECT item FROM suspects") if wanted else self.said
        chosen = f"FROM {self._kept(among.sql)} WHERE true"
        meant = meant_sql(meaning)
        table = self._ask(
            f"SELECT count_if({BLANK.format('rater')}) AS blank, count(*) FILTER (WHERE {meant}) "
            f"- count(DISTINCT hash(item, rater)) FILTER (WHERE {meant}) AS alike {chosen}",
            meaning,
            **wanted,
        )
        blank, alike = (column[0].as_py() for column in table.columns)
        if blank:
            self._complain_of_blank("rater")
        if not alike:
            return 0, 0
        twins = "count(DISTINCT twin)" if "twin" in self.said.names else "count(*)"
        table = self._ask(
            f"SELECT coalesce(sum(n - kinds), 0)::BIGINT, coalesce(sum(kinds - 1), 0)::BIGINT FROM "
            f"(SELECT count(*) AS n, {twins} AS kinds {chosen} AND {meant} GROUP BY item, rater)",
            meaning,
            **wanted,
        )
        copies, retests = (int(column[0].as_py()) for column in table.columns)
        return copies, retests

    def raters(self, meaning: Meaning, *, most: int | None = None) -> int | None:
        """How many raters gave an answer, counted up to `most`."""
        if not self.layout.named:
            return None
        # Numbers are asked about once or twice, and too many to be held as texts; nor is it
        # likely that so many answers are looked at one by one.
        again = self if meaning.as_numbers or self.source.size > size.LARGE_FILE else self.again
        limit = "" if most is None else f" LIMIT {most}"
        raters = f"SELECT DISTINCT rater FROM {again._answers} WHERE {meant_sql(meaning)}{limit}"
        table = again._ask(f"SELECT count(*) FROM ({raters})", meaning, part=most is not None)
        return int(table.column(0)[0].as_py())

    def item_counts(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an item, ordered by id."""
        kept = None if first else self._items.of(meaning)
        if kept is not None:
            return self._ask(f"{kept} ORDER BY item", meaning, part=True)
        again = self.again
        return again._ask(f"{again._by_item(meaning, first=first)} ORDER BY item", meaning)

    def item_columns(self) -> pa.Table:
        """A row an item, ordered by id."""
        again = self.again
        names = [f"i{j}" for j in range(len(self.layout.of_items))]
        fields = [f"min({name}) AS {name}" for name in names]
        fields += [f"count(DISTINCT {name}) > 1 AS v{j}" for j, name in enumerate(names)]
        listed = ", ".join(["item", *fields])
        return again._ask(f"SELECT {listed} FROM {again._answers} GROUP BY item ORDER BY item")

    def met(self, meaning: Meaning, said: Kinds, *, first: bool) -> Met | None:
        """Joined and grouped in SQL: no id leaves the database."""
        kept = None if first else self._items.of(meaning)
        by_item = kept or self._by_item(meaning, first=first)
        if isinstance(said, KindsHere):
            sql = met_sql(by_item, meaning.n_labels)
            return Met.of(self._ask(sql, meaning, part=kept is not None, **said.tables()))
        if said.sql is None:
            return None
        codes = AnswerCodes.of(said.kinds)
        sql = codes.met_sql(by_item, meaning.n_labels, said.sql)
        values = self._used(sql, meaning, **codes.values)
        table = codes.decoded(self.source.ask(sql, values, part=kept is not None))
        return Met.there(table, said, meaning.n_labels)

    def answers(self, meaning: Meaning, *, retests: bool) -> pa.Table:
        """A row an answer, in a fixed order."""
        again = self.again
        named = self.layout.named
        extra = [name for name in again.said.names if name in ("weight", "time") or name[0] == "g"]
        fields = ["item", "rater" if named else "'' AS rater", "label", *extra]
        # Where nobody answered twice, no answer has to be told from another of the same rater.
        occasion = f"({again._occasion()} - 1)" if retests and named else "0"
        plain = f"(SELECT * FROM {again._answers} WHERE {meant_sql(meaning)})"
        return again._ask(
            f"SELECT {', '.join(fields)}, CAST({occasion} AS BIGINT) AS occasion "
            f"FROM {again._numbered(meaning) if retests else plain} "
            "ORDER BY item, rater, occasion, label",
            meaning,
        )

    @property
    def in_order(self) -> bool:
        """Rows of a file stand in an order."""
        return True

    def arrivals(self, meaning: Meaning, *, first: bool) -> pa.Table | None:
        """Item and raw label of every answer, in the order of the rows."""
        if self.layout.kind != "long":
            return None
        again = self.again
        answers = again._first_answers(meaning) if first else again._numbered(meaning)
        return again._ask(f"SELECT item, label FROM {answers} ORDER BY row", meaning)

    def pools(self) -> tuple[str, ...]:
        """The pools named in the pool column."""
        if self.layout.pool is None:
            return ()
        again = self.again
        table = again._ask(f"SELECT DISTINCT pool FROM {again._answers} ORDER BY pool")
        return tuple(str(name) for name in table["pool"].to_pylist() if name)


_Key = tuple[Any, ...]


@frozen
class KeptItems:
    """What was counted for each item, by what answers were taken to mean.

    An item takes some twenty bytes, of the memory that the database may have.
    """

    _tables: dict[_Key, Kept] = field(default_factory=dict)

    def keep(
        self,
        source: Source,
        by_item: str,
        values: Mapping[str, Any],
        meaning: Meaning,
        *,
        also: Sequence[str] = (),
    ) -> str | None:
        """Work out the query `by_item` (item, n0, n1, …, and what `also` it counts) and keep it.

        Returns the SQL of what was kept; None where the source is in memory or cannot be read.
        """
        # Where there are a hundred million items, every byte counts.
        names = (*(f"n{j}" for j in range(meaning.n_counts)), *also)
        small = ", ".join(f"CAST({name} AS INTEGER) AS {name}" for name in names)
        kept = source.keep(f"SELECT * REPLACE ({small}) FROM ({by_item})", values)
        if kept is None:
            return None
        self._tables[_key(meaning)] = kept
        return f"FROM {kept.name}"

    def put(self, tables: Iterable[pa.Table], meaning: Meaning) -> str | None:
        """Keep what was counted elsewhere, tables of item, n0, n1, …, as they come.

        Returns the SQL of what was kept; None where there is nothing, or no room for it.
        """
        kept: Kept | None = None
        try:
            with connect() as connection:
                for table in tables:
                    connection.register("counted", table)
                    if kept is None:
                        kept = Kept(connection, "FROM counted")
                    else:
                        kept.add(connection, "FROM counted")
        except duckdb.Error:
            return None
        if kept is None:
            return None
        self._tables[_key(meaning)] = kept
        return f"FROM {kept.name}"

    def drop(self, meaning: Meaning) -> None:
        """Forget what was kept."""
        self._tables.pop(_key(meaning), None)

    def of(self, meaning: Meaning) -> str | None:
        """The SQL of the items' counts (item, n0, n1, …); None where none were kept."""
        kept = self._tables.get(_key(meaning))
        if kept is None or not kept.there:
            return None
        return (
            f"SELECT item, {', '.join(f'n{j}' for j in range(meaning.n_counts))} FROM {kept.name}"
        )


def _key(meaning: Meaning) -> _Key:
    return (meaning.n_counts, meaning.as_numbers, meaning.no_answers, *meaning.codes.items())
