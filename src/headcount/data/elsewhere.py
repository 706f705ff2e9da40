"""Counting where the data live: lazy frames (DuckDB relations, Polars, Spark) through Narwhals."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals as nw
import pyarrow as pa

from headcount.data.meaning import Meaning
from headcount.data.meeting import met_sql, predicted
from headcount.data.reductions import Grouped, Ints, Suspects, patterns_of_columns
from headcount.door import Source, text_column
from headcount.door.layout import Layout
from headcount.errors import InputError
from headcount.results import count


@dataclass(frozen=True)
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

    @cached_property
    def said(self) -> nw.LazyFrame[Any]:
        """A row an answer, columns renamed to what they are."""
        if self.layout.kind == "wide":
            text = [
                nw.col(name).cast(nw.String) for name in (self.layout.item, *self.layout.others)
            ]
            long = (
                self.frame.select(*text)
                .unpivot(
                    on=list(self.layout.others),
                    index=self.layout.item,
                    variable_name="headcount_rater",
                    value_name="headcount_label",
                )
                .select(
                    nw.col(self.layout.item).alias("item"),
                    nw.col("headcount_rater").alias("rater"),
                    nw.col("headcount_label").alias("label"),
                )
            )
        else:
            roles = ("item", "rater", "label", "occasion", "pool", "group", "weight")
            taken = [(role, getattr(self.layout, role)) for role in roles]
            long = self.frame.select(
                *(self._text(column, role) for role, column in taken if column is not None)
            )
        return long if self.keep is None else long.filter(self.keep)

    def tally(self) -> dict[str | None, int]:
        """How often each raw label text occurs."""
        for role in ("item", "rater"):
            if role == "item" or self.layout.named:
                self._check_no_blank(role)
        rows = _fetch(self.said.group_by("label").agg(nw.len().alias("n"))).to_pylist()
        return {row["label"]: int(row["n"]) for row in rows}

    def glance(self) -> dict[str | None, int]:
        """A lazy frame has no first rows."""
        return {}

    def patterns(self, meaning: Meaning, *, first: bool) -> Grouped:
        """Items grouped by counts, grouped where they live."""
        names = [f"c{j}" for j in range(meaning.labels.n)]
        table = self._by_item(meaning, first=first).group_by(*names).agg(nw.len().alias("items"))
        patterns = patterns_of_columns(_fetch(table.select(*names, "items")), len(names))
        watch = self.layout.kind == "long" and self.layout.named and not first
        return Grouped(patterns, None if watch else text_column([]))

    def retests(self, meaning: Meaning, suspects: Suspects) -> int:
        """Answers beyond a rater's first on an item."""
        extra = self._meant(meaning).group_by("item", "rater").agg((nw.len() - 1).alias("extra"))
        (row,) = _fetch(extra.select(nw.col("extra").sum())).to_pylist()
        return int(row["extra"] or 0)

    def raters(self, meaning: Meaning) -> int | None:
        """How many raters gave an answer."""
        if not self.layout.named:
            return None
        distinct = self._meant(meaning).select("rater").unique()
        (row,) = _fetch(distinct.select(nw.len().alias("n"))).to_pylist()
        return int(row["n"])

    def item_counts(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an item, ordered by id."""
        return _fetch(self._by_item(meaning, first=first)).sort_by("item")

    def met(self, meaning: Meaning, ids: pa.Array, kind: Ints, *, first: bool) -> pa.Table:
        """Counts come from where the answers live; predictions meet them here."""
        here = Source(self.name, (), arrow=_fetch(self._by_item(meaning, first=first)))
        return here.ask(met_sql("SELECT * FROM source", meaning.labels.n), **predicted(ids, kind))

    def answers(self, meaning: Meaning, *, retests: bool) -> pa.Table:
        """A row an answer: the one reduction that fetches them all."""
        fields = ["item", "label"]
        fields += [role for role in ("rater", "group", "weight") if self._has(role)]
        frame = self._meant(meaning)
        if retests:
            frame = frame.with_columns(occasion=self._occasion())
        else:
            frame = frame.with_columns(occasion=nw.lit(0))
        table = _fetch(frame.select(*fields, "occasion"))
        if "rater" not in table.column_names:
            table = table.append_column("rater", text_column([""] * table.num_rows))
        keys = ["item", "rater", "occasion", "label"]
        return table.sort_by([(key, "ascending") for key in keys])

    def pools(self) -> tuple[str, ...]:
        """The pools named in the pool column."""
        if self.layout.pool is None:
            return ()
        rows = _fetch(self.said.select("pool").unique()).to_pylist()
        return tuple(sorted(str(row["pool"]) for row in rows if row["pool"]))

    def _text(self, column: str, role: str) -> nw.Expr:
        if role == "occasion":  # numbers and dates keep their own order
            return nw.col(column).alias(role)
        kind = nw.Float64 if role == "weight" else nw.String
        return nw.col(column).cast(kind).alias(role)

    def _has(self, role: str) -> bool:
        return getattr(self.layout, role) is not None or (
            role == "rater" and self.layout.kind == "wide"
        )

    def _meant(self, meaning: Meaning) -> nw.LazyFrame[Any]:
        return self.said.filter(nw.col("label").is_in(list(meaning.codes)))

    def _by_item(self, meaning: Meaning, *, first: bool) -> nw.LazyFrame[Any]:
        answers = self.said
        if first:
            answers = self._meant(meaning).with_columns(occasion=self._occasion())
            answers = answers.filter(nw.col("occasion") == 0)
        return answers.group_by("item").agg(
            *(
                nw.col("label").is_in(raws).cast(nw.Int64).sum().alias(f"c{j}")
                for j, raws in enumerate(meaning.spellings())
            )
        )

    def _occasion(self) -> nw.Expr:
        order = ["occasion", "label"] if self.layout.occasion is not None else ["label"]
        ones = nw.col("label").is_null().cast(nw.Int64) + 1  # every kept label is there: always 1
        return ones.cum_sum().over("item", "rater", order_by=order) - 1

    def _check_no_blank(self, role: str) -> None:
        blank = self.said.filter(nw.col(role).is_null() | (nw.col(role) == ""))
        (row,) = _fetch(blank.select(nw.len().alias("n"))).to_pylist()
        if row["n"]:
            raise InputError(
                f"{self.name}: the {role} is blank in {count(row['n'], 'row', 'rows')}: fill it in"
                f"{'' if role == 'item' else ', or leave the rater column out'}."
            )


def _fetch(frame: nw.LazyFrame[Any]) -> pa.Table:
    table: pa.Table = frame.collect("pyarrow").to_native()
    return table
