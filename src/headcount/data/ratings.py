"""What people said about items, counted on demand."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.data.answers import Answers, Column
from headcount.data.coding import answers_from_table, code_column, code_texts
from headcount.data.counted import Counted
from headcount.data.counting import SqlCounting
from headcount.data.elsewhere import LazyCounting, is_large
from headcount.data.labels import Labels
from headcount.data.meaning import Declared, Meaning, understand
from headcount.data.patterns import ItemCounts, Patterns
from headcount.data.reductions import Grouped, Ints, Reductions
from headcount.door import (
    Source,
    integers,
    is_lazy,
    number_column,
    positions,
    source_of_frame,
    table_source,
    text_column,
    texts,
)
from headcount.door.frames import columns_of, lazy_frame
from headcount.door.layout import Layout
from headcount.door.reading import Asked, open_ratings
from headcount.door.roles import Roles, listing
from headcount.door.understanding import understand_table
from headcount.errors import HeadcountError, InputError, OptionError, UnanswerableError
from headcount.results import count

_FEW_LABELS = 50  # with more, counting on a guess costs more than looking at the labels first
Names = str | Sequence[str] | None


@dataclass(frozen=True)
class Ratings:
    """Who labelled which item how.

    Build one with `Ratings.read` (a file, several files, another tool's export), `from_frame` (a
    row an answer), `from_wide` (a row an item, a column a rater) or `from_counts` (a row an item,
    a column a label). What was read, assumed or left out stands in `notes`.
    """

    name: str
    layout: Layout
    meaning: Meaning = field(repr=False)
    reductions: Reductions = field(repr=False)
    grouped: Grouped = field(repr=False)
    unrated: str = "error"
    remarks: tuple[str, ...] = field(default=(), repr=False)
    source: Source | None = field(default=None, repr=False)

    @classmethod
    def read(
        cls,
        path: Any,
        *,
        item: str | None = None,
        rater: str | None = None,
        label: str | None = None,
        raters: Names = None,
        classifiers: Names = None,
        layout: str | None = None,
        text: str | None = None,
        slices: Names = None,
        cluster: str | None = None,
        groups: Names = None,
        gold: str | None = None,
        occasion: str | None = None,
        pool: str | None = None,
        group: str | None = None,
        weight: str | None = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        mapping: Mapping[str, str] | None = None,
        fold_case: bool = False,
        missing: Names = None,
        unrated: str = "error",
        question: str | None = None,
        rater_from: str | None = None,
        controls: str = "keep",
        sheet: str | None = None,
    ) -> "Ratings":
        r"""Read ratings from a table in a file, or from another tool's export.

        Parameters
        ----------
        path : path, sequence of paths, or frame
            CSV, TSV, Parquet, JSON lines, a JSON document or an Excel workbook, each plain or
            with ``.gz`` after it; an export of an annotation tool; a folder or a pattern such as
            ``"readers/*.csv"``; ``"-"`` for standard input; or a frame of any library.
        item, rater, label : str, optional
            The columns of a table with a row an answer, where they are not called as usual. In
            nested JSON, a path such as ``"annotations[].result[].value"``.
        raters : str or sequence of str, optional
            Columns of a table with a row an item, one a rater: names or patterns (``"reader*"``).
        classifiers : str or sequence of str, optional
            Columns of the same table that are classifiers' answers and so not ratings.
        layout : {"long", "wide", "counts"}, optional
            What a row is, where the table does not tell.
        text, cluster, gold : str, optional
            Columns that say something of the item: its text, the cluster it comes from (document,
            patient, prompt), the answer known to be right.
        slices, groups : str or sequence of str, optional
            Columns to look at parts of the items by, and at parts of the raters by.
        occasion : str, optional
            Column that orders a rater's repeated answers.
        pool, weight : str, optional
            Columns with the pool of raters and with the answer's weight.
        group : str, optional
            One column of groups; the same as ``groups``.
        order : sequence of str, optional
            The labels from lowest to highest. A label named here is never taken for missing.
        scale : {"nominal", "ordinal", "numeric"}, optional
            What the labels are, where that differs from what was detected.
        mapping : mapping of str to str, optional
            Answers to be read as other labels: ``{"TOXIC": "toxic"}``.
        fold_case : bool
            Whether upper and lower case are the same.
        missing : str or sequence of str, optional
            Spellings of "no answer" beside blank, NaN, NA, null and None.
        unrated : {"error", "drop"}
            What to do with items that have only missing labels.
        question : str, optional
            Which question of an export with several.
        rater_from : {"file", "folder"}, optional
            Take the rater from the name of the file or of its folder.
        controls : {"keep", "drop"}
            Whether control tasks of an export, whose answer was known beforehand, are kept.
        sheet : str, optional
            The sheet of a workbook.

        Returns
        -------
        Ratings

        Examples
        --------
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "ratings.csv"
        >>> _ = file.write_text("item,rater,label\n1,ann,yes\n1,ben,no\n2,ann,yes\n")
        >>> Ratings.read(file).n_ratings
        3
        """
        roles = Roles(
            item=item,
            rater=rater,
            label=label,
            raters=_names(raters),
            classifiers=_names(classifiers),
            text=text,
            slices=_names(slices),
            cluster=cluster,
            groups=_names(groups) or _names(group),
            gold=gold,
            occasion=occasion,
            pool=pool,
            weight=weight,
        )
        declared = Declared(order, scale, dict(mapping or {}), fold_case, _names(missing))
        if not _is_path(path):
            return cls._from_any_frame(path, roles, layout, declared, unrated)
        asked = Asked(question, rater_from, sheet, controls)
        source = open_ratings(path, roles, asked)
        plan = understand_table(source, roles, layout)
        return cls._from_source(source, plan, declared, unrated)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        item: str | None = None,
        rater: str | None = None,
        label: str | None = None,
        text: str | None = None,
        slices: Names = None,
        cluster: str | None = None,
        groups: Names = None,
        gold: str | None = None,
        occasion: str | None = None,
        pool: str | None = None,
        group: str | None = None,
        weight: str | None = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        mapping: Mapping[str, str] | None = None,
        fold_case: bool = False,
        missing: Names = None,
        unrated: str = "error",
    ) -> "Ratings":
        """Ratings from a frame with a row an answer: pandas, Polars, Arrow, DuckDB, PySpark.

        The options are those of `Ratings.read`. Large lazy frames stay where they are: only
        counts are fetched from them.

        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 1, 2], "rater": [7, 8, 7], "label": ["x", "y", "x"]})
        >>> Ratings.from_frame(frame).n_items
        2
        """
        roles = Roles(
            item=item,
            rater=rater,
            label=label,
            text=text,
            slices=_names(slices),
            cluster=cluster,
            groups=_names(groups) or _names(group),
            gold=gold,
            occasion=occasion,
            pool=pool,
            weight=weight,
        )
        declared = Declared(order, scale, dict(mapping or {}), fold_case, _names(missing))
        return cls._from_any_frame(frame, roles, "long", declared, unrated)

    @classmethod
    def from_wide(
        cls,
        frame: Any,
        *,
        item: str | None = None,
        raters: Names = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        mapping: Mapping[str, str] | None = None,
        fold_case: bool = False,
        missing: Names = None,
        unrated: str = "error",
    ) -> "Ratings":
        """Ratings from a frame with a row an item and a column a rater.

        `raters` names the columns, or patterns of them; by default all but the item are raters.

        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 2], "ann": ["x", "x"], "ben": ["y", None]})
        >>> Ratings.from_wide(frame).n_ratings
        3
        """
        roles = Roles(item=item, raters=_names(raters))
        declared = Declared(order, scale, dict(mapping or {}), fold_case, _names(missing))
        return cls._from_any_frame(frame, roles, "wide", declared, unrated)

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
            return cls._from_array(np.asarray(counts), labels, Declared(order, scale), unrated)
        source = source_of_frame(counts, "the counts")
        plan = understand_table(source, Roles(item=item), "counts")
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
        """Answers beyond a rater's first on the same item, copies of rows left out."""
        return self._counted[1]

    @property
    def n_copies(self) -> int:
        """Rows that are exact copies of another one, where no occasion tells them apart."""
        return self._counted[2]

    @property
    def retests_tell(self) -> bool:
        """Whether the retests show how often people change their minds.

        Where rows were copied and nothing tells a copy from a second answer that is the same,
        only second answers that differ are known: no rate can be had from them.
        """
        return self.n_retests > 0 and not self.n_copies

    @property
    def n_missing(self) -> int:
        """Answers that are blank, None, NaN or declared to be missing."""
        return self.meaning.missing

    def patterns(self) -> Patterns:
        """Items grouped by label counts: all that the anonymous methods see."""
        return self._counted[0]

    @cached_property
    def _counted(self) -> tuple[Patterns, int, int]:
        patterns, suspects = self.grouped.patterns, self.grouped.suspects
        nobody = suspects is not None and len(suspects) == 0
        copies, retests = (0, 0) if nobody else self.reductions.repeats(self.meaning, suspects)
        if retests or copies:
            patterns = self.reductions.patterns(self.meaning, first=True).patterns
            unrated = self.grouped.patterns.only(self.grouped.patterns.raters == 0)
            counts = np.concatenate([patterns.counts, unrated.counts])
            patterns = Patterns.of(counts, np.concatenate([patterns.items, unrated.items]))
        rated = patterns.raters > 0
        if not rated.all() and self.unrated == "error":
            self._complain_of_unrated(int(patterns.items[~rated].sum()))
        return patterns.only(rated), retests, copies

    @property
    def _repeated(self) -> bool:
        return self.n_retests + self.n_copies > 0

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
        table = self.reductions.item_counts(self.meaning, first=self._repeated)
        counts = np.column_stack([integers(column) for column in table.columns[1:]])
        rated = counts.sum(axis=1) > 0
        items = texts(table["item"])
        return ItemCounts(items[rated], counts[rated].astype(np.int64))

    def item_columns(self) -> dict[str, Column]:
        """What is said of the items, coded and in the order of `item_counts().items`.

        The keys are "text", "cluster" and "gold" where there are such columns, and the names of
        the slices.

        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 2], "label": ["x", "y"], "topic": ["art", "law"]})
        >>> Ratings.from_frame(frame, slices="topic").item_columns()["topic"].names
        ('art', 'law')
        """
        return self._item_columns

    @cached_property
    def _item_columns(self) -> dict[str, Column]:
        if not self.layout.of_items:
            return {}
        table = self.reductions.item_columns()
        rows = positions(self.item_counts().items, text_column(table["item"].to_pylist()))
        found: dict[str, Column] = {}
        for j, (role, name) in enumerate(self.layout.of_items.items()):
            varies = table[f"v{j}"].to_pylist()
            if role != "text" and any(varies):
                item = table["item"][varies.index(True)].as_py()
                raise InputError(
                    f"{self.name}: the column {name!r} has different values for the item {item!r}: "
                    f"a column that says something of the item ({role}) must say one thing."
                )
            found[role] = code_column(table[f"i{j}"].take(number_column(rows)), "(none)")
        return found

    def preview(self, rows: int = 5) -> tuple[tuple[str, ...], list[tuple[str | None, ...]]]:
        """The first rows as they were understood: the roles, and what stands there.

        >>> Ratings.from_counts([[2, 1]], labels=["no", "yes"]).preview()
        (('item', 'no', 'yes'), [('0', '2', '1')])
        """
        if self.source is None:
            return (), []
        layout = self.layout
        if layout.kind == "long":
            roles = ("item", "rater", "label", "occasion", "pool", "weight")
            named = {role: name for role in roles if (name := getattr(layout, role))}
            named |= {f"group {name}": name for name in layout.groups}
        else:
            named = {"item": layout.item} | {name: name for name in layout.others[:8]}
        named |= {
            ("slice " + role if role == name else role): name
            for role, name in layout.of_items.items()
        }
        columns = [self.source.seen(name)[:rows] for name in named.values()]
        return tuple(named), list(zip(*columns, strict=True))

    def met(self, ids: pa.Array, kind: Ints) -> tuple[Ints, Ints, Ints]:
        """Items grouped by label counts and by the kind of the prediction for them.

        `ids` name the predicted items and `kind` numbers their predictions. Gives counts
        (G, L), kinds (G,), −1 without a prediction, and how many items there are (G,).
        """
        table = self.reductions.met(self.meaning, ids, kind, first=self._repeated)
        *counts, kinds, items = (integers(column) for column in table.columns)
        rated = np.sum(counts, axis=0) > 0
        return np.column_stack(counts)[rated], kinds[rated], items[rated]

    def answers(self) -> Answers:
        """Every answer, coded; only where ratings are not mere counts."""
        return self._answers

    @cached_property
    def _answers(self) -> Answers:
        table = self.reductions.answers(self.meaning, retests=self._repeated)
        return answers_from_table(table, self.meaning, self.name, self.layout.groups)

    def arrivals(self, items: NDArray[np.object_]) -> tuple[Ints, Ints]:
        """First answers in the order of the rows: item (its place in `items`) and label codes.

        Answers about other items are left out.
        """
        if self.layout.kind != "long" or not isinstance(self.reductions, SqlCounting):
            raise UnanswerableError(
                f"{self.name} does not tell in which order the answers came: this needs a row an "
                "answer, in the order in which they came."
            )
        table = self.reductions.arrivals(self.meaning, first=self._repeated)
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
        part = self.reductions.part("pool" if name is not None else "rater", wanted)
        grouped = part.patterns(self.meaning, first=False)
        meaning = Meaning(self.labels, self.meaning.codes, grouped.unknown)
        ratings = Ratings(self.name, self.layout, meaning, part, grouped, "drop")
        if not ratings.n_ratings:
            raise OptionError(f"No rating in {self.name} is from {', '.join(map(repr, wanted))}.")
        return ratings

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was read, assumed, merged and left out, one sentence each."""
        notes = [f"{self.name}: {self.layout.describe()}.", *self.remarks]
        if self.layout.unused:
            notes.append(f"Columns that were not used: {listing(self.layout.unused)}.")
        notes += self.meaning.notes
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
        if self.n_copies:
            notes.append(
                count(self.n_copies, "row is an exact copy", "rows are exact copies")
                + " of another row and nothing tells when each was given: used once. If they are "
                "second answers, name the column that orders them with occasion= (--occasion)."
            )
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
        cls, frame: Any, roles: Roles, layout: str | None, declared: Declared, unrated: str
    ) -> "Ratings":
        if not is_lazy(frame) or layout is None:
            source = source_of_frame(frame, "the frame")
            plan = understand_table(source, roles, layout)
            return cls._from_source(source, plan, declared, unrated)
        names = columns_of(frame)
        plan = understand_table(Source("the frame", tuple(names), ()), roles, layout)
        lazy = lazy_frame(frame)
        if not is_large(lazy, "the frame"):
            source = source_of_frame(frame, "the frame")
            return cls._from_source(source, plan, declared, unrated)
        return cls._of(LazyCounting(lazy, plan, "the frame"), plan, declared, unrated, "the frame")

    @classmethod
    def _from_array(
        cls,
        counts: np.ndarray,
        labels: Sequence[str] | None,
        declared: Declared,
        unrated: str,
    ) -> "Ratings":
        names = _label_names(counts, labels)
        item = "item"
        while item in names:  # a label may be called so
            item += "_"
        ids = text_column(str(i) for i in range(len(counts)))
        cells = [number_column(counts[:, j]) for j in range(len(names))]
        table = pa.table([ids, *cells], [f"c{j}" for j in range(len(names) + 1)])
        source = table_source("the counts", [item, *names], table)
        return cls._from_source(source, Layout("counts", item, others=names), declared, unrated)

    @classmethod
    def _from_source(
        cls, source: Source, plan: Layout, declared: Declared, unrated: str
    ) -> "Ratings":
        counting: Reductions = (
            Counted(source, plan) if plan.kind == "counts" else SqlCounting.of(source, plan)
        )
        return cls._of(counting, plan, declared, unrated, source.name, source)

    @classmethod
    def _of(
        cls,
        reductions: Reductions,
        plan: Layout,
        declared: Declared,
        unrated: str,
        name: str,
        source: Source | None = None,
    ) -> "Ratings":
        if unrated not in ("error", "drop"):
            raise OptionError(f'unrated is "error" or "drop", not {unrated!r}.')
        if plan.kind == "counts":
            declared = declared.or_columns(plan.others)
        meaning, grouped = understand_and_group(reductions, declared, table=name)
        if grouped.spaced and isinstance(reductions, SqlCounting):
            reductions = reductions.without_spaces()
            grouped = reductions.patterns(meaning, first=False)
        remarks = () if source is None else source.notes
        ratings = cls(name, plan, meaning, reductions, grouped, unrated, remarks, source)
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


def understand_and_group(
    reductions: Reductions, declared: Declared, *, table: str
) -> tuple[Meaning, Grouped]:
    """Settle the label set and count every answer, also a rater's second ones on an item.

    The labels of the first rows are taken for all there are. Counting shows whether that is
    so; only if it is not, every row is asked for its label, and counted again if one is new.
    """
    guess = _guess(reductions, declared, table)
    if guess is None:
        meaning = understand(reductions.tally(), declared, table=table)
        return meaning, reductions.patterns(meaning, first=False)
    grouped = reductions.patterns(guess, first=False)
    if not grouped.unknown:
        return guess, grouped
    meaning = understand(reductions.tally(), declared, table=table)
    if meaning.codes != guess.codes:
        grouped = reductions.patterns(meaning, first=False)
    return meaning, grouped


def _guess(reductions: Reductions, declared: Declared, table: str) -> Meaning | None:
    """What the first rows say, unless it is plain that all rows must be asked."""
    seen = reductions.glance()
    if not 0 < len(seen) <= _FEW_LABELS or any(declared.is_missing(raw) for raw in seen):
        return None
    try:
        return understand(seen, declared, table=table)
    except HeadcountError:  # to be told with all rows in view
        return None


def _is_path(value: Any) -> bool:
    if isinstance(value, str | os.PathLike):
        return True
    return isinstance(value, list | tuple) and all(isinstance(v, str | os.PathLike) for v in value)


def _names(given: Names) -> tuple[str, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(str(name) for name in given)


def _label_names(counts: np.ndarray, labels: Sequence[str] | None) -> tuple[str, ...]:
    """The labels of an array of counts, after checking that it is one."""
    if labels is None:
        raise OptionError("An array of counts needs labels=, one a column.")
    names = tuple(str(name) for name in labels)
    if counts.ndim != 2 or counts.shape[1] != len(names):
        raise OptionError(
            f"counts has the shape {counts.shape}; it must be items × labels, "
            f"here {len(names)} labels."
        )
    if len(set(names)) < len(names):
        raise OptionError(f"labels= names a label twice: {listing(names)}.")
    if not np.issubdtype(counts.dtype, np.number) or np.isnan(counts.astype(float)).any():
        raise OptionError("counts must be whole numbers of at least 0 everywhere.")
    return names
