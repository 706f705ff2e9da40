"""What people said about items, counted on demand and never held whole."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.data.answers import Answers
from headcount.data.coding import answers_from_table, code_texts
from headcount.data.counted import Counted
from headcount.data.counting import SqlCounting
from headcount.data.elsewhere import LazyCounting
from headcount.data.labels import Labels
from headcount.data.meaning import Declared, Meaning
from headcount.data.patterns import ItemCounts, Patterns
from headcount.data.reductions import Grouped, Ints, Reductions
from headcount.data.understanding import understand_and_group
from headcount.door import (
    Source,
    integers,
    is_lazy,
    open_file,
    positions,
    source_of_frame,
    text_column,
    texts,
)
from headcount.door import layout as layouts
from headcount.door.frames import lazy_frame
from headcount.door.layout import Layout
from headcount.door.said import in_list
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.results import count


@dataclass(frozen=True)
class Ratings:
    """Who labelled which item how.

    Build one with `Ratings.read` (a file), `from_frame` (a row an answer), `from_wide` (a row
    an item, a column a rater) or `from_counts` (a row an item, a column a label). Nothing is
    held in memory but counts; what was read, assumed or left out stands in `notes`.
    """

    name: str
    layout: Layout
    meaning: Meaning = field(repr=False)
    reductions: Reductions = field(repr=False)
    grouped: Grouped = field(repr=False)
    unrated: str = "error"

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        item: str | None = None,
        rater: str | None = None,
        label: str | None = None,
        layout: str | None = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        occasion: str | None = None,
        pool: str | None = None,
        group: str | None = None,
        weight: str | None = None,
        unrated: str = "error",
    ) -> "Ratings":
        """Read ratings from CSV, TSV, Parquet or JSON lines, or a gzip of one.

        Columns are recognised by their usual names or named here. `layout` is "long", "wide"
        or "counts" where the file does not tell. `order` lists the labels from lowest to
        highest; `scale` says what they are where that differs from what was detected: "nominal",
        "ordinal" or "numeric". `unrated="drop"` leaves out items that have only missing labels.
        """
        source = open_file(os.fspath(path))
        kind = (
            layouts.detect_kind(source, item=item, label=label)
            if layout is None
            else layouts.check_kind(layout)
        )
        if kind == "long":
            plan = layouts.long_layout(
                source.columns,
                source.name,
                item=item,
                rater=rater,
                label=label,
                occasion=occasion,
                pool=pool,
                group=group,
                weight=weight,
            )
        else:
            plan = layouts.row_an_item(kind, source.columns, source.name, item=item)
        return cls._from_source(source, plan, Declared(order, scale), unrated)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        item: str | None = None,
        rater: str | None = None,
        label: str | None = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        occasion: str | None = None,
        pool: str | None = None,
        group: str | None = None,
        weight: str | None = None,
        unrated: str = "error",
    ) -> "Ratings":
        """Ratings from a frame with a row an answer: pandas, Polars, Arrow, DuckDB, PySpark.

        Lazy frames stay where they are: only counts are fetched from them.

        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 1, 2], "rater": [7, 8, 7], "label": ["x", "y", "x"]})
        >>> Ratings.from_frame(frame).n_items
        2
        """
        plan = layouts.long_layout(
            _columns(frame),
            "the frame",
            item=item,
            rater=rater,
            label=label,
            occasion=occasion,
            pool=pool,
            group=group,
            weight=weight,
        )
        return cls._from_any_frame(frame, plan, Declared(order, scale), unrated)

    @classmethod
    def from_wide(
        cls,
        frame: Any,
        *,
        item: str | None = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        unrated: str = "error",
    ) -> "Ratings":
        """Ratings from a frame with a row an item and a column a rater.

        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 2], "ann": ["x", "x"], "ben": ["y", None]})
        >>> Ratings.from_wide(frame).n_ratings
        3
        """
        plan = layouts.row_an_item("wide", _columns(frame), "the frame", item=item)
        return cls._from_any_frame(frame, plan, Declared(order, scale), unrated)

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        *,
        labels: Sequence[str] | None = None,
        item: str | None = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        unrated: str = "error",
    ) -> "Ratings":
        """Ratings from counts: an array (items × labels, with `labels`) or a frame.

        In an array, items are numbered from 0. In a frame, `labels` picks the count columns
        (all but the item by default).

        >>> Ratings.from_counts([[2, 1], [0, 3]], labels=["no", "yes"]).patterns().items
        array([1, 1])
        """
        if isinstance(counts, np.ndarray | list | tuple):
            counts, item = _frame_of_array(np.asarray(counts), labels), "item"
            labels = None
        source = source_of_frame(counts, "the counts")
        plan = layouts.row_an_item("counts", source.columns, source.name, item=item)
        if labels is not None:
            absent = [name for name in labels if name not in plan.others]
            if absent:
                raise OptionError(f"labels= names {absent[0]!r}, which is not a column of counts.")
            plan = Layout("counts", plan.item, others=tuple(labels))
        return cls._from_source(source, plan, Declared(order, scale), unrated)

    @property
    def labels(self) -> Labels:
        """The labels in order."""
        return self.meaning.labels

    @property
    def named(self) -> bool:
        """Whether it is known who said what."""
        return self.layout.named

    @property
    def n_items(self) -> int:
        """Items with at least one rating."""
        return self.patterns().n_items

    @property
    def n_ratings(self) -> int:
        """Ratings counted: first answers only, where raters were asked twice."""
        return self.patterns().n_ratings

    @cached_property
    def n_raters(self) -> int | None:
        """How many raters there are, or None where they have no names."""
        return self.reductions.raters(self.meaning)

    @property
    def n_retests(self) -> int:
        """Answers beyond a rater's first on the same item."""
        return self._counted[1]

    def patterns(self) -> Patterns:
        """Items grouped by label counts: all that the anonymous methods see."""
        return self._counted[0]

    @cached_property
    def _counted(self) -> tuple[Patterns, int]:
        patterns, suspects = self.grouped.patterns, self.grouped.suspects
        nobody = suspects is not None and len(suspects) == 0
        retests = 0 if nobody else self.reductions.retests(self.meaning, suspects)
        if retests:
            patterns = self.reductions.patterns(self.meaning, first=True).patterns
        rated = patterns.raters > 0
        if not rated.all() and self.unrated == "error":
            self._complain_of_unrated(int(patterns.items[~rated].sum()))
        return patterns.only(rated), retests

    @property
    def n_unrated(self) -> int:
        """Items that have only missing labels; they are left out (`unrated="drop"`)."""
        patterns = self.grouped.patterns
        return int(patterns.items[patterns.raters == 0].sum())

    def item_counts(self) -> ItemCounts:
        """Label counts item by item, ordered by id."""
        return self._item_counts

    @cached_property
    def _item_counts(self) -> ItemCounts:
        table = self.reductions.item_counts(self.meaning, first=self.n_retests > 0)
        counts = np.column_stack([integers(column) for column in table.columns[1:]])
        rated = counts.sum(axis=1) > 0
        items = texts(table["item"])
        return ItemCounts(items[rated], counts[rated].astype(np.int64))

    def met(self, ids: pa.Array, kind: Ints) -> tuple[Ints, Ints, Ints]:
        """Items grouped by label counts and by the kind of the prediction for them.

        `ids` name the predicted items and `kind` numbers their predictions. Gives counts
        (G, L), kinds (G,), −1 without a prediction, and how many items there are (G,).
        """
        table = self.reductions.met(self.meaning, ids, kind, first=self.n_retests > 0)
        *counts, kinds, items = (integers(column) for column in table.columns)
        rated = np.sum(counts, axis=0) > 0
        return np.column_stack(counts)[rated], kinds[rated], items[rated]

    def answers(self) -> Answers:
        """Every answer, coded; only where ratings are not mere counts."""
        return self._answers

    @cached_property
    def _answers(self) -> Answers:
        table = self.reductions.answers(self.meaning, retests=self.n_retests > 0)
        return answers_from_table(table, self.meaning, self.name)

    def arrivals(self, items: NDArray[np.object_]) -> tuple[Ints, Ints]:
        """First answers in the order of the rows: item (its place in `items`) and label codes.

        Answers about other items are left out.
        """
        if self.layout.kind != "long" or not isinstance(self.reductions, SqlCounting):
            raise UnanswerableError(
                f"{self.name} does not tell in which order the answers came: this needs a row an "
                "answer, in the order in which they came."
            )
        table = self.reductions.arrivals(self.meaning, first=self.n_retests > 0)
        ids, item = code_texts(table["item"])
        raw, code = code_texts(table["label"])
        label = np.array([self.meaning.codes[text] for text in raw], dtype=np.int64)[code]
        place = positions(ids, items)[item]
        return place[place >= 0], label[place >= 0]

    @cached_property
    def pools(self) -> tuple[str, ...]:
        """The names in the pool column, if there is one."""
        return self.reductions.pools()

    def pool(self, name: str | None = None, *, raters: Sequence[str] | None = None) -> "Ratings":
        """The ratings of one pool of raters, by the pool column or by naming the raters.

        The label set stays that of all the ratings, so that pools can be compared.
        """
        if (name is None) == (raters is None):
            raise OptionError("pool() takes a pool's name or raters=[…], one of the two.")
        if name is not None and name not in self.pools:
            known = ", ".join(repr(pool) for pool in self.pools) or "none"
            raise OptionError(f"{self.name} has no pool {name!r}; its pools are: {known}.")
        if not self.named and name is None:
            raise OptionError(f"{self.name} does not name its raters: use a pool column.")
        wanted = [name] if name is not None else [str(rater) for rater in raters or ()]
        part = _part(self.reductions, "pool" if name is not None else "rater", wanted)
        grouped = part.patterns(self.meaning, first=False)
        meaning = Meaning(self.labels, self.meaning.codes, grouped.unknown)
        ratings = Ratings(self.name, self.layout, meaning, part, grouped, "drop")
        if not ratings.n_ratings:
            raise OptionError(f"No rating in {self.name} is from {', '.join(map(repr, wanted))}.")
        return ratings

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was read, assumed, merged and left out, one sentence each."""
        notes = [f"{self.name}: {self.layout.describe()}."]
        labels = self.labels
        if labels.scale == "numeric":
            notes.append(f"All labels are numbers, taken in numeric order: {labels.listing()}.")
        if self.meaning.missing:
            notes.append(
                count(self.meaning.missing, "answer is missing", "answers are missing")
                + " (blank, None or NaN) and not counted."
            )
        if self.n_unrated:
            one = "item has no rating at all and was left out."
            many = "items have no rating at all and were left out."
            notes.append(count(self.n_unrated, one, many))
        if self.n_retests:
            notes.append(
                count(self.n_retests, "answer is a retest", "answers are retests")
                + " (a rater asked again about the same item): kept for flip rates, the first "
                "answer is used elsewhere."
            )
            if isinstance(self.reductions, LazyCounting) and self.layout.occasion is None:
                notes.append(
                    "The frame is lazy and has no order of rows, so the first in label order "
                    "stands for a rater's first answer: add an occasion column to choose."
                )
        return tuple(notes)

    @classmethod
    def _from_any_frame(
        cls, frame: Any, plan: Layout, declared: Declared, unrated: str
    ) -> "Ratings":
        if not is_lazy(frame):
            return cls._from_source(source_of_frame(frame, "the frame"), plan, declared, unrated)
        return cls._of(LazyCounting(lazy_frame(frame), plan, "the frame"), plan, declared, unrated)

    @classmethod
    def _from_source(
        cls, source: Source, plan: Layout, declared: Declared, unrated: str
    ) -> "Ratings":
        counting = Counted if plan.kind == "counts" else SqlCounting
        return cls._of(counting(source, plan), plan, declared, unrated, source.name)

    @classmethod
    def _of(
        cls,
        reductions: Reductions,
        plan: Layout,
        declared: Declared,
        unrated: str,
        name: str = "the frame",
    ) -> "Ratings":
        if unrated not in ("error", "drop"):
            raise OptionError(f'unrated is "error" or "drop", not {unrated!r}.')
        if plan.kind == "counts":
            declared = declared.or_columns(plan.others)
        meaning, grouped = understand_and_group(reductions, declared, table=name)
        ratings = cls(name, plan, meaning, reductions, grouped, unrated)
        ratings.patterns()  # counted at once, so that bad input is told of here and not later
        return ratings

    def _complain_of_unrated(self, how_many: int) -> None:
        table = self.reductions.item_counts(self.meaning, first=False)
        totals = np.sum([integers(column) for column in table.columns[1:]], axis=0)
        example = table["item"][int(np.argmin(totals))].as_py()
        raise InputError(
            f"{self.name}: the item {example!r}"
            f"{f' and {how_many - 1:,} more' if how_many > 1 else ''} has no rating, only missing "
            'labels: remove it, or leave such items out with unrated="drop" (--unrated drop).'
        )


def _columns(frame: Any) -> list[str]:
    return list(lazy_frame(frame).collect_schema().names())


def _frame_of_array(counts: np.ndarray, labels: Sequence[str] | None) -> pa.Table:
    if labels is None:
        raise OptionError("An array of counts needs labels=, one a column.")
    if counts.ndim != 2 or counts.shape[1] != len(labels):
        raise OptionError(
            f"counts has the shape {counts.shape}; it must be items × labels, "
            f"here {len(labels)} labels."
        )
    if not np.issubdtype(counts.dtype, np.number) or np.isnan(counts.astype(float)).any():
        raise OptionError("counts must be whole numbers of at least 0 everywhere.")
    columns = {"item": text_column(str(i) for i in range(len(counts)))}
    return pa.table(columns | {str(name): counts[:, j] for j, name in enumerate(labels)})


def _part(reductions: Reductions, column: str, values: list[str]) -> Reductions:
    if isinstance(reductions, SqlCounting):
        keep = in_list(column, values)
        where = f"{reductions.where} AND {keep}" if reductions.where else keep
        return SqlCounting(reductions.source, reductions.layout, where=where)
    if isinstance(reductions, LazyCounting):
        condition = nw.col(column).is_in(values)
        keep_all = condition if reductions.keep is None else reductions.keep & condition
        return LazyCounting(reductions.frame, reductions.layout, reductions.name, keep_all)
    raise OptionError("Ratings that came as counts have no pools.")
