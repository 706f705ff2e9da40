"""Counting where the data live: lazy frames (DuckDB relations, Polars, Spark) through Narwhals.

A lazy frame of usual size is fetched, only the columns that are needed, and then counted like any
other table. A larger one stays where it is: only counts come back.

In Spark, grouping by item and rater, to see whether anybody answered twice, moves every answer
between machines. Bit masks of an item's raters move one row an item: a rater who answers twice sets
the same bits again, so an item with as many bits as answers is cleared. The few that are left are
looked at one by one. What was counted is kept there, for the questions after it.
"""

from __future__ import annotations

import weakref
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from headcount.counting import size
from headcount.counting.answers_elsewhere import text_of
from headcount.counting.duckdb_counting import SqlCounting
from headcount.counting.join import Kinds, KindsHere, Met, met_sql
from headcount.counting.part_of_items import drawn_there
from headcount.counting.protocol import (
    Grouped,
    Meaning,
    Suspects,
    patterns_of_columns,
)
from headcount.door import table_source, text_column
from headcount.door.frames import fetched, lazy_frame, source_of_frame
from headcount.door.layout import Layout
from headcount.errors import InputError
from headcount.frozen import frozen
from headcount.later import Later
from headcount.results import count

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = Later("narwhals")


def is_large(frame: nw.LazyFrame[Any], name: str) -> bool:
    """Whether a lazy frame is better counted where it lives."""
    (row,) = _fetch(frame.select(nw.len().alias("n")), name).to_pylist()
    return int(row["n"]) > size.LARGE


@frozen
class LazyCounting:
    """Reductions of a lazy frame: only counts come back, never the answers themselves.

    A lazy frame has no row order, so where a rater rated an item twice without an `occasion`
    column, the first answer is the first in label order: deterministic, and noted.
    `keep` is a condition on the renamed columns, such as one pool.
    """

    frame: nw.LazyFrame[Any]
    layout: Layout
    name: str
    keep: nw.Expr | None = None

    def part(self, column: str, values: list[str]) -> LazyCounting:
        """Only the answers whose pool or rater is one of these."""
        condition = nw.col(column).is_in(values)
        keep = condition if self.keep is None else self.keep & condition
        return LazyCounting(self.frame, self.layout, self.name, keep)

    def drawn(self, meaning: Meaning, bound: str) -> SqlCounting | None:
        """The rows about a part of the items, fetched: the frame is read through once more.

        They are put in the order in which a rater's answers count here. A pool has none.
        """
        if self.keep is not None:
            return None
        kept = self._kept.get(tuple(meaning.codes.items()))
        items = self.said.select("item").unique() if kept is None else kept.frame.select("item")
        few, layout = drawn_there(items, bound, self.name), self.layout
        texts = [self._text(layout.item, "item")]
        if layout.label is not None:
            texts.append(self._text(layout.label, "label"))
        told = [text.alias(f"headcount {j}") for j, text in enumerate(texts)]
        few = few.select(nw.col("item").alias("headcount 0"))
        rows = self.frame.with_columns(*told).join(few, on="headcount 0", how="semi")
        table = self._fetch(rows).sort_by(
            [(f"headcount {j}", "ascending") for j in range(len(told))]
        )
        source = source_of_frame(
            table.drop_columns([f"headcount {j}" for j in range(len(told))]), self.name
        )
        return SqlCounting.of(source, layout)

    @cached_property
    def said(self) -> nw.LazyFrame[Any]:
        """A row an answer, columns renamed to what they are."""
        layout = self.layout
        if layout.kind == "wide":
            cells = [self._text(name, f"c{j}") for j, name in enumerate(layout.others)]
            wide = self.frame.select(self._text(layout.item, "item"), *cells)
            places = [f"c{j}" for j in range(len(layout.others))]
            long = wide.unpivot(
                on=places, index="item", variable_name="rater", value_name="label"
            ).with_columns(
                nw.col("rater").replace_strict(places, list(layout.others), return_dtype=nw.String)
            )
        else:
            roles = [
                (role, getattr(layout, role)) for role in ("item", "rater", "label", "time", "pool")
            ]
            taken = [self._text(name, role) for role, name in roles if name is not None]
            taken += [self._text(name, f"g{j}") for j, name in enumerate(layout.groups)]
            if layout.occasion is not None:  # numbers and dates keep their own order
                taken.append(nw.col(layout.occasion).alias("occasion"))
            if layout.weight is not None:
                taken.append(nw.col(layout.weight).cast(nw.Float64).alias("weight"))
            long = self.frame.select(*taken)
        return long if self.keep is None else long.filter(self.keep)

    @cached_property
    def _once(self) -> LazyCounting:
        """The same answers without copies of rows."""
        if self.layout.kind == "wide" or not self.layout.named:
            return self
        return replace(self, frame=self.frame.unique())

    def tally(self) -> dict[str | None, int]:
        """How often each raw label text occurs."""
        roles = ("item", "rater") if self.layout.named else ("item",)
        blanks = [
            (nw.col(role).is_null() | (nw.col(role) == "")).cast(nw.Int64).alias(f"blank {role}")
            for role in roles
        ]
        # In one pass: each one reads everything there is.
        looked = self.said.select("label", *blanks).group_by("label")
        sums = [nw.col(f"blank {role}").sum() for role in roles]
        rows = self._fetch(looked.agg(nw.len().alias("n"), *sums)).to_pylist()
        for role in roles:
            self._check_no_blank(role, sum(int(row[f"blank {role}"] or 0) for row in rows))
        return {row["label"]: int(row["n"]) for row in rows}

    def glance(self) -> dict[str | None, int]:
        """A lazy frame has no first rows."""
        return {}

    def patterns(self, meaning: Meaning, *, first: bool) -> Grouped:
        """Items grouped by counts, grouped where they live."""
        names = [f"n{j}" for j in range(meaning.n_labels)]
        watch = self.layout.kind == "long" and self.layout.named and not first
        by_item = self._watched(meaning, names) if watch else self._by_item(meaning, first=first)
        told = [nw.col("extra").sum()] if watch else []
        table = self._fetch(by_item.group_by(*names).agg(nw.len().alias("items"), *told))
        patterns = patterns_of_columns(table.select([*names, "items"]), len(names))
        again = watch and any(table["extra"].to_pylist())
        if again and is_spark(by_item):  # so far somebody may have answered twice
            suspects = suspects_of(self._meant(meaning), by_item)
            again = self._extra(suspects, "item", "rater") > 0
        return Grouped(patterns, None if again else text_column([]))

    def _watched(self, meaning: Meaning, names: list[str]) -> nw.LazyFrame[Any]:
        """Counts of each item, and how many answers are beyond a rater's first: in one pass.

        In Spark, 1 where there may be any, and kept there: each pass reads everything there is.
        """
        if is_spark(self.said):
            kept = KeptThere(watched(self.said, meaning.spellings()))
            self._kept[tuple(meaning.codes.items())] = kept
            return kept.frame
        by_rater = self.said.group_by("item", "rater").agg(*_counts(meaning))
        said = nw.sum_horizontal(*(nw.col(name) for name in names))
        extra = (said - (said > 0).cast(nw.Int64)).alias("extra")
        summed = [nw.col(name).sum() for name in (*names, "extra")]
        return by_rater.with_columns(extra).group_by("item").agg(*summed)

    def repeats(self, meaning: Meaning, suspects: Suspects) -> tuple[int, int]:
        """Answers beyond a rater's first on an item; rows alike in all columns are copies."""
        extra = self._extra(self._meant(meaning), "item", "rater")
        retests = self._once._extra(self._once._meant(meaning), "item", "rater") if extra else 0
        return extra - retests, retests

    def _extra(self, frame: nw.LazyFrame[Any], *keys: str) -> int:
        grouped = frame.group_by(*keys).agg((nw.len() - 1).alias("headcount extra"))
        (row,) = self._fetch(grouped.select(nw.col("headcount extra").sum().alias("n"))).to_pylist()
        return int(row["n"] or 0)

    def raters(self, meaning: Meaning, *, most: int | None = None) -> int | None:
        """How many raters gave an answer."""
        if not self.layout.named:
            return None
        distinct = self._meant(meaning).select("rater").unique()
        (row,) = self._fetch(distinct.select(nw.len().alias("n"))).to_pylist()
        return int(row["n"])

    def item_counts(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an item, ordered by id."""
        return self._fetch(self._by_item(meaning, first=first)).sort_by("item")

    def item_columns(self) -> pa.Table:
        """A row an item, ordered by id."""
        names = list(self.layout.of_items.values())
        cells = [text_of(self.frame, name, f"i{j}") for j, name in enumerate(names)]
        said = self.frame.select(text_of(self.frame, self.layout.item, "item"), *cells)
        told = [nw.col(f"i{j}").min().alias(f"i{j}") for j in range(len(names))]
        told += [
            (nw.col(f"i{j}").min() != nw.col(f"i{j}").max()).alias(f"v{j}")
            for j in range(len(names))
        ]
        table = self._fetch(said.group_by("item").agg(*told)).sort_by("item")
        for j in range(len(names)):
            place = table.column_names.index(f"v{j}")
            table = table.set_column(place, f"v{j}", pc.fill_null(table[f"v{j}"], False))
        return table

    def met(self, meaning: Meaning, said: Kinds, *, first: bool) -> Met | None:
        """Joined where both live; predictions that are here meet counts that are fetched."""
        by_item = self._by_item(meaning, first=first)
        if isinstance(said, KindsHere):
            table = self._fetch(by_item)
            here = table_source(self.name, table.column_names, table)
            names = ", ".join(f"c{j} AS {name}" for j, name in enumerate(table.column_names))
            sql = met_sql(f"SELECT {names} FROM source", meaning.n_labels)
            return Met.of(here.ask(sql, **said.tables()))
        if said.frame is None or said.frame.implementation != self.frame.implementation:
            return None
        keys = [f"n{j}" for j in range(meaning.n_labels)]
        keys += [*said.kinds.column_names, "there"]
        there = said.frame.with_columns(nw.lit(1).alias("there"))
        joined = by_item.join(there, on="item", how="left")
        grouped = joined.group_by(*keys).agg(nw.len().alias("items"))
        return Met.there(self._fetch(grouped.select(*keys, "items")), said, meaning.n_labels)

    def answers(self, meaning: Meaning, *, retests: bool) -> pa.Table:
        """A row an answer: the one reduction that fetches them all."""
        fields = ["item", "label", *(f"g{j}" for j in range(len(self.layout.groups)))]
        fields += [role for role in ("rater", "weight") if self._has(role)]
        fields += ["time"] if self.layout.time is not None and self.layout.kind == "long" else []
        frame = (self._once if retests else self)._meant(meaning)
        occasion = self._occasion() if retests else nw.lit(0)
        table = self._fetch(frame.with_columns(occasion=occasion).select(*fields, "occasion"))
        if "rater" not in table.column_names:
            table = table.append_column("rater", text_column([""] * table.num_rows))
        keys = ["item", "rater", "occasion", "label"]
        return table.sort_by([(key, "ascending") for key in keys])

    @property
    def in_order(self) -> bool:
        """A lazy frame has no order of rows."""
        return False

    def without_spaces(self) -> LazyCounting:
        """Spaces are taken off wherever it is asked."""
        return self

    def arrivals(self, meaning: Meaning, *, first: bool) -> None:
        """A lazy frame has no order of rows."""
        return

    def pools(self) -> tuple[str, ...]:
        """The pools named in the pool column."""
        if self.layout.pool is None:
            return ()
        rows = self._fetch(self.said.select("pool").unique()).to_pylist()
        return tuple(sorted(str(row["pool"]) for row in rows if row["pool"]))

    def _text(self, column: str, role: str) -> nw.Expr:
        return text_of(self.frame, column, role)

    def _has(self, role: str) -> bool:
        return getattr(self.layout, role) is not None or (
            role == "rater" and self.layout.kind == "wide"
        )

    def _meant(self, meaning: Meaning) -> nw.LazyFrame[Any]:
        return self.said.filter(nw.col("label").is_in(list(meaning.codes)))

    @cached_property
    def _kept(self) -> dict[tuple[tuple[str, int], ...], KeptThere]:
        return {}

    def _by_item(self, meaning: Meaning, *, first: bool) -> nw.LazyFrame[Any]:
        answers = self.said
        kept = None if first else self._kept.get(tuple(meaning.codes.items()))
        if kept is not None:
            return kept.frame.drop("extra")
        if first:
            answers = self._once._meant(meaning).with_columns(occasion=self._occasion())
            answers = answers.filter(nw.col("occasion") == 0)
        return answers.group_by("item").agg(*_counts(meaning))

    def _occasion(self) -> nw.Expr:
        order = ["occasion", "label"] if self.layout.occasion is not None else ["label"]
        ones = nw.col("label").is_null().cast(nw.Int64) + 1  # every kept label is there: always 1
        return ones.cum_sum().over("item", "rater", order_by=order) - 1

    def _check_no_blank(self, role: str, blank: int) -> None:
        if blank:
            raise InputError(
                f"{self.name}: the {role} is blank in {count(blank, 'row', 'rows')}: fill it in"
                f"{'' if role == 'item' else ', or leave the rater column out'}."
            )

    def _fetch(self, frame: nw.LazyFrame[Any]) -> pa.Table:
        return _fetch(frame, self.name)


def _counts(meaning: Meaning) -> list[nw.Expr]:
    """How often each label was given, n0, n1 and so on."""
    return [
        nw.col("label").is_in(raws).cast(nw.Int64).sum().alias(f"n{j}")
        for j, raws in enumerate(meaning.spellings())
    ]


def _fetch(frame: nw.LazyFrame[Any], name: str) -> pa.Table:
    table: pa.Table = fetched(frame, name).to_native()
    return table


# Of 64 bits each: at ten ratings an item one innocent item in two hundred stays suspect.
_MASKS = 8


def is_spark(frame: nw.LazyFrame[Any]) -> bool:
    """Whether a lazy frame lives in Spark."""
    return bool(frame.implementation == nw.Implementation.PYSPARK)


def watched(said: nw.LazyFrame[Any], spellings: list[list[str]]) -> nw.LazyFrame[Any]:
    """A row an item: n0, n1, … and `extra`, 1 where a rater may have answered twice.

    `said` has item, rater and label; `spellings` are the texts that mean each label.
    """
    from pyspark.sql import functions as f

    label = f.col("label")
    known = label.isin([raw for raws in spellings for raw in raws])
    bit = f.xxhash64("rater")
    masks = [
        f.bit_or(f.when(known, f.expr(f"shiftleft(1L, CAST(({_bits(j)}) AS INT))"))).alias(f"m{j}")
        for j in range(_MASKS)
    ]
    counts = [
        f.sum(label.isin(raws).cast("long") if raws else f.lit(0)).alias(f"n{j}")
        for j, raws in enumerate(spellings)
    ]
    said_of = sum((f.col(f"n{j}") for j in range(len(spellings))), start=f.lit(0))
    maybe = f.lit(True)
    for j in range(_MASKS):
        maybe = maybe & (f.bit_count(f"m{j}") < said_of)
    native = said.to_native().withColumn("h", bit).groupBy("item").agg(*counts, *masks)
    names = [f"n{j}" for j in range(len(spellings))]
    return lazy_frame(native.select("item", *names, maybe.cast("long").alias("extra")))


def _bits(mask: int) -> str:
    return f"shiftright(h, {6 * mask}) & 63"


def suspects_of(said: nw.LazyFrame[Any], by_item: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """The answers about items that `watched` did not clear."""
    suspects = by_item.to_native().filter("extra > 0").select("item")
    return lazy_frame(said.to_native().join(suspects, "item", "left_semi"))


class KeptThere:
    """A frame that Spark keeps, in memory or on disk, as long as somebody holds this."""

    def __init__(self, frame: nw.LazyFrame[Any]) -> None:
        from pyspark import StorageLevel

        native = frame.to_native().persist(StorageLevel.MEMORY_AND_DISK)
        self.frame = lazy_frame(native)
        weakref.finalize(self, _let_go, native).atexit = False


def _let_go(native: Any) -> None:
    with suppress(Exception):  # the session may have been stopped before
        native.unpersist()
