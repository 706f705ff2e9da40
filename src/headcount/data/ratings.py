"""What people said about items: made from files, frames and counts."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from headcount.counting import Counted, LazyCounting, Reductions, SqlCounting, is_large, label_names
from headcount.data.design import check_stopped
from headcount.data.meaning import Declared, understand_and_group
from headcount.data.rated import Rated, in_words
from headcount.door import (
    Source,
    is_lazy,
    number_column,
    source_of_frame,
    table_source,
    text_column,
)
from headcount.door.frames import lazy_frame, library_of
from headcount.door.joint_keys import with_joint_item
from headcount.door.layout import Layout
from headcount.door.reading import Asked, open_ratings
from headcount.door.repairs import without_unanswered
from headcount.door.roles import Roles, find_column
from headcount.door.source import GLANCE
from headcount.door.understanding import understand_table
from headcount.errors import OptionError
from headcount.frozen import frozen

Names = str | Sequence[str] | None


@frozen
class Ratings(Rated):
    """Who labelled which item how.

    Build one with `Ratings.read` (a file, several files, another tool's export), `from_frame` (a
    row an answer), `from_wide` (a row an item, a column a rater) or `from_counts` (a row an item,
    a column a label). What was read, assumed or left out stands in `notes`.

    Examples
    --------
    >>> import headcount as hc
    >>> ratings = hc.simulate.make("comments", items=20).ratings
    >>> ratings.labels.names, ratings.named, ratings.n_items
    (('fine', 'toxic'), True, 20)
    """

    def __repr__(self) -> str:
        return f"<Ratings: {in_words(self)}>"

    @classmethod
    def read(
        cls,
        path: Any,
        *,
        item: Names = None,
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
        time: str | None = None,
        pool: str | None = None,
        group: str | None = None,
        weight: str | None = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        mapping: Mapping[str, str] | None = None,
        fold_case: bool = False,
        missing: Names = None,
        unrated: str = "error",
        stopped: str | None = None,
        question: str | None = None,
        rater_from: str | None = None,
        controls: str = "keep",
        sheet: str | None = None,
        sets: Names = None,
        offered: str | Mapping[str, str] | None = None,
        a: str | None = None,
        b: str | None = None,
        winner: str | None = None,
        system: str | None = None,
    ) -> "Ratings":
        r"""Read ratings from a table in a file, or from another tool's export.

        Parameters
        ----------
        path : path, sequence of paths, or frame
            CSV, TSV, Parquet, JSON lines, a JSON document or an Excel workbook, each plain or
            with ``.gz`` after it; an export of an annotation tool; a folder or a pattern such as
            ``"readers/*.csv"``; ``"-"`` for standard input; or a frame of any library.
        item, rater, label : str (item also sequence of str), optional
            The columns of a table with a row an answer, where they are not called as usual. In
            nested JSON, a path such as ``"annotations[].result[].value"``. Several columns that
            name the item together are a list: ``item=["question", "model"]``.
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
        time : str, optional
            Column with the time of an answer: dates of any usual form, numbers, or an order.
        pool, weight : str, optional
            Columns with the pool of raters and with the answer's weight.
        group : str, optional
            One column of groups; the same as ``groups``.
        order : sequence of str, optional
            The labels from lowest to highest. A label named here is never taken for missing.
        scale : {"nominal", "ordered", "numeric"}, optional
            What the labels are, where that differs from what was detected: names, levels from
            low to high, or numbers.
        mapping : mapping of str to str, optional
            Answers to be read as other labels: ``{"TOXIC": "toxic"}``.
        fold_case : bool
            Whether upper and lower case are the same.
        missing : str or sequence of str, optional
            Spellings of "no answer" beside blank, NaN, NA, null and None.
        unrated : {"error", "drop"}
            What to do with items that have only missing labels.
        stopped : {"answers", "before", "random"}, optional
            What decided when an item had ratings enough, where that differs from what counts show:
            its answers so far (a third where two differ), something known before anybody was asked,
            or nothing that has to do with the item.
        question : str, optional
            Which question of an export with several.
        rater_from : {"file", "folder"}, optional
            Take the rater from the name of the file or of its folder.
        controls : {"keep", "drop"}
            Whether control tasks of an export, whose answer was known beforehand, are kept.
        sheet : str, optional
            The sheet of a workbook.
        sets : str or sequence of str, optional
            Answers tick several options: what stands between these (``"|"``, ``";"``), ``"list"``
            where a cell holds a list, ``"rows"`` where each tick has a row, or the columns that
            are an option each. Every option becomes a yes/no question, with the item as cluster.
        offered : str or mapping, optional
            The column that lists what could be ticked on an item, or that text by item; else
            everything could.
        a, b, winner : str, optional
            Answers say which of two is better: the columns with the two systems and with the
            winner (A, B or a tie in any usual spelling, graded ones too, or a system's name).
            Usual names are recognised. Items are then comparisons, turned to one order.
        system : str, optional
            The column with the system that an item is of, for `hc.rank`.

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
            item=_key(item),
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
            time=time,
            pool=pool,
            weight=weight,
            sets=_names(sets),
            offered=offered,
            a=a,
            b=b,
            winner=winner,
            system=system,
        )
        declared = Declared(order, scale, dict(mapping or {}), fold_case, _names(missing))
        if not _is_path(path):
            found = cls._from_any_frame(path, roles, layout, declared, unrated, stopped)
            return replace(found, library=library_of(path))
        asked = Asked(question, rater_from, sheet, controls)
        source, roles = with_joint_item(open_ratings(path, roles, asked), roles)
        plan = understand_table(source, roles, layout)
        return cls._from_source(without_unanswered(source, plan), plan, declared, unrated, stopped)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        item: Names = None,
        rater: str | None = None,
        label: str | None = None,
        text: str | None = None,
        slices: Names = None,
        cluster: str | None = None,
        groups: Names = None,
        gold: str | None = None,
        occasion: str | None = None,
        time: str | None = None,
        pool: str | None = None,
        group: str | None = None,
        weight: str | None = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        mapping: Mapping[str, str] | None = None,
        fold_case: bool = False,
        missing: Names = None,
        unrated: str = "error",
        stopped: str | None = None,
        sets: Names = None,
        offered: str | Mapping[str, str] | None = None,
        a: str | None = None,
        b: str | None = None,
        winner: str | None = None,
        system: str | None = None,
    ) -> "Ratings":
        """Ratings from a frame with a row an answer: pandas, Polars, Arrow, DuckDB, PySpark.

        Large lazy frames stay where they are: only counts are fetched from them.

        Parameters
        ----------
        frame : frame
            A row an answer.
        item, rater, label : str, optional
            The columns with the item, who answered and what was answered, where they are not called
            as usual.
        text, slices, cluster, groups, gold, occasion, time, pool, group, weight : str, optional
            Further columns, as in `Ratings.read`.
        order, scale, mapping, fold_case, missing, unrated, stopped
            What the labels are, and what decided on their number, as in `Ratings.read`.
        sets, offered
            Answers that tick several options, as in `Ratings.read`.
        a, b, winner, system
            Answers about pairs of systems, or about items of a system, as in `Ratings.read`.

        Returns
        -------
        Ratings

        Examples
        --------
        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 1, 2], "rater": [7, 8, 7], "label": ["x", "y", "x"]})
        >>> Ratings.from_frame(frame).n_items
        2
        """
        roles = Roles(
            item=_key(item),
            rater=rater,
            label=label,
            text=text,
            slices=_names(slices),
            cluster=cluster,
            groups=_names(groups) or _names(group),
            gold=gold,
            occasion=occasion,
            time=time,
            pool=pool,
            weight=weight,
            sets=_names(sets),
            offered=offered,
            a=a,
            b=b,
            winner=winner,
            system=system,
        )
        declared = Declared(order, scale, dict(mapping or {}), fold_case, _names(missing))
        found = cls._from_any_frame(frame, roles, "long", declared, unrated, stopped)
        return replace(found, library=library_of(frame))

    @classmethod
    def from_wide(
        cls,
        frame: Any,
        *,
        item: Names = None,
        raters: Names = None,
        classifiers: Names = None,
        text: str | None = None,
        slices: Names = None,
        cluster: str | None = None,
        gold: str | None = None,
        order: Sequence[str] | None = None,
        scale: str | None = None,
        mapping: Mapping[str, str] | None = None,
        fold_case: bool = False,
        missing: Names = None,
        unrated: str = "error",
        stopped: str | None = None,
    ) -> "Ratings":
        """Ratings from a frame with a row an item and a column a rater.

        Parameters
        ----------
        frame : frame
            A row an item.
        item : str, optional
            The column with the item, where it is not called as usual.
        raters : str or sequence of str, optional
            The raters' columns, or patterns of them; by default all that have no other role.
        classifiers, text, slices, cluster, gold : str, optional
            Further columns, as in `Ratings.read`. What belongs to a single answer, such as its
            occasion, or to a rater, such as a group, has no place in a row of all answers.
        order, scale, mapping, fold_case, missing, unrated, stopped
            What the labels are, and what decided on their number, as in `Ratings.read`.

        Returns
        -------
        Ratings

        Examples
        --------
        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 2], "ann": ["x", "x"], "ben": ["y", None]})
        >>> Ratings.from_wide(frame).n_ratings
        3
        """
        roles = Roles(
            item=_key(item),
            raters=_names(raters),
            classifiers=_names(classifiers),
            text=text,
            slices=_names(slices),
            cluster=cluster,
            gold=gold,
        )
        declared = Declared(order, scale, dict(mapping or {}), fold_case, _names(missing))
        found = cls._from_any_frame(frame, roles, "wide", declared, unrated, stopped)
        return replace(found, library=library_of(frame))

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
        stopped: str | None = None,
    ) -> "Ratings":
        """Ratings from counts: how many people gave each label.

        Parameters
        ----------
        counts : array_like or frame
            Items × labels. In an array, items are numbered from 0.
        labels : sequence of str, optional
            The labels of an array's columns; in a frame, which columns are counts (all but the item
            by default).
        item : str, optional
            The column with the item, in a frame where it is not called as usual.
        order, scale, unrated, stopped
            As in `Ratings.read`.

        Returns
        -------
        Ratings
            Without names of raters: what needs to know who said what has no answer.

        Examples
        --------
        >>> Ratings.from_counts([[2, 1], [0, 3]], labels=["no", "yes"]).patterns().items
        array([1, 1])
        """
        if isinstance(counts, np.ndarray | list | tuple):
            declared = Declared(order, scale)
            return cls._from_array(np.asarray(counts), labels, declared, unrated, stopped)
        source = source_of_frame(counts, "the counts")
        plan = understand_table(source, Roles(item=item), "counts")
        if labels is not None:
            absent = [name for name in labels if name not in plan.others]
            if absent:
                raise OptionError(f"labels= names {absent[0]!r}, which is not a column of counts.")
            plan = Layout("counts", plan.item, others=tuple(labels))
        found = cls._from_source(source, plan, Declared(order, scale), unrated, stopped)
        return replace(found, library=library_of(counts))

    def of_systems(self, system: str, cluster: str | None = None) -> "Ratings":
        """The same ratings with the column that says which system each item is of.

        Parameters
        ----------
        system : str
            A column of the table they came in.
        cluster : str, optional
            The column of what several systems were asked: a prompt, a document.

        Returns
        -------
        Ratings

        Examples
        --------
        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 2], "label": [3, 4], "model": ["x", "y"]})
        >>> Ratings.from_frame(frame).of_systems("model").layout.systems
        ('model',)
        """
        source = self.source
        if source is None or self.layout.kind == "counts":
            raise OptionError(
                f"{self.name} does not hold its rows any more: name the system when it is read, "
                "with system= (--system)."
            )
        for role, name in (("system", system), ("cluster", cluster)):
            find_column(role, source.columns, name, table=source.name)
        used = {system, cluster}
        layout = replace(
            self.layout,
            systems=(system,),
            cluster=cluster or self.layout.cluster,
            unused=tuple(name for name in self.layout.unused if name not in used),
        )
        counting = SqlCounting.of(source, layout)
        if self.grouped.spaced or self.meaning.spaced:
            counting = counting.without_spaces()
        return replace(self, layout=layout, reductions=counting)

    @classmethod
    def _from_any_frame(
        cls,
        frame: Any,
        roles: Roles,
        layout: str | None,
        declared: Declared,
        unrated: str,
        stopped: str | None,
    ) -> "Ratings":
        lazy = lazy_frame(frame) if is_lazy(frame) else None
        whole = len(roles.items) > 1 or roles.sets or roles.a
        if lazy is None or whole or not is_large(lazy, "the frame"):
            source, roles = with_joint_item(source_of_frame(frame, "the frame"), roles)
            plan = understand_table(source, roles, layout)
            return cls._from_source(
                without_unanswered(source, plan), plan, declared, unrated, stopped
            )
        plan = understand_table(source_of_frame(lazy.head(GLANCE), "the frame"), roles, layout)
        if plan.kind == "counts":
            source = source_of_frame(frame, "the frame")
            return cls._from_source(source, plan, declared, unrated, stopped)
        counting = LazyCounting(lazy, plan, "the frame")
        return cls._of(counting, plan, declared, unrated, stopped, "the frame")

    @classmethod
    def _from_array(
        cls,
        counts: np.ndarray,
        labels: Sequence[str] | None,
        declared: Declared,
        unrated: str,
        stopped: str | None,
    ) -> "Ratings":
        names = label_names(counts, labels)
        item = "item"
        while item in names:  # a label may be called so
            item += "_"
        ids = text_column(str(i) for i in range(len(counts)))
        cells = [number_column(counts[:, j]) for j in range(len(names))]
        table = pa.table([ids, *cells], [f"c{j}" for j in range(len(names) + 1)])
        source = table_source("the counts", [item, *names], table)
        plan = Layout("counts", item, others=names)
        return cls._from_source(source, plan, declared, unrated, stopped)

    @classmethod
    def _from_source(
        cls,
        source: Source,
        plan: Layout,
        declared: Declared,
        unrated: str,
        stopped: str | None,
    ) -> "Ratings":
        counting: Reductions = (
            Counted(source, plan) if plan.kind == "counts" else SqlCounting.of(source, plan)
        )
        return cls._of(counting, plan, declared, unrated, stopped, source.name, source)

    @classmethod
    def _of(
        cls,
        reductions: Reductions,
        plan: Layout,
        declared: Declared,
        unrated: str,
        stopped: str | None,
        name: str,
        source: Source | None = None,
    ) -> "Ratings":
        if unrated not in ("error", "drop"):
            raise OptionError(f'unrated is "error" or "drop", not {unrated!r}.')
        check_stopped(stopped)
        if plan.kind == "counts":
            declared = declared.or_columns(plan.others)
        meaning, grouped = understand_and_group(reductions, declared, table=name)
        if grouped.spaced or meaning.spaced:
            reductions = reductions.without_spaces()
            meaning, grouped = understand_and_group(reductions, declared, table=name)
        remarks = () if source is None else source.notes
        ratings = cls(name, plan, meaning, reductions, grouped, unrated, remarks, source, stopped)
        _ = ratings.n_items  # counted at once, so that bad input is told of here and not later
        return ratings


def _is_path(value: Any) -> bool:
    if isinstance(value, str | os.PathLike):
        return True
    return isinstance(value, list | tuple) and all(isinstance(v, str | os.PathLike) for v in value)


def _key(given: Names) -> str | tuple[str, ...] | None:
    """One column that names the item, or the several that do together."""
    names = _names(given)
    return names if len(names) > 1 else (names[0] if names else None)


def _names(given: Names) -> tuple[str, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(str(name) for name in given)
