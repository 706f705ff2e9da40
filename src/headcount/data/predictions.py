"""What classifiers said, as it stands in the file: nothing is settled until labels are known."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.counting import Afar, answers_afar, answers_in_files, is_large
from headcount.data.rated import Rated
from headcount.data.raw_answers import RawColumn, to_few_digits
from headcount.door import is_lazy, positions, whole
from headcount.door.answered import Answered, RawClassifier, open_predictions
from headcount.door.frames import lazy_frame, library_of
from headcount.door.reading import Asked, parquet_source
from headcount.door.roles import Roles, listing
from headcount.door.sets import questions_of
from headcount.door.text import is_missing
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.results import count

Names = str | Sequence[str] | None
__all__ = ["Predictions", "RawClassifier", "beside"]


@frozen
class Predictions:
    """One or more classifiers' answers, by item id.

    A column of labels is a hard classifier; columns `name:label` are a soft one; a bare number
    column on a task with two labels is the probability of the positive label. Build one with
    `Predictions.read` (a file or another tool's export) or `Predictions.from_frame`.

    Attributes
    ----------
    name : str
        The file or frame they came from, as messages call it.
    classifiers : tuple of RawClassifier
        Each with its `name` and its columns.
    table : pyarrow.Table
        The ids in its first column and the answers as text in the others.
    first_row : int or None
        The line of the file that the first row stands on.
    notes : tuple of str
        What was assumed in reading them.
    runs : pyarrow.Table or None
        Where a classifier answered an item several times or in several ways, every answer (item,
        classifier, run, answer; with variants also judge and variant).
    rule : str or None
        By which of several runs counts ("first", "majority"), where a classifier was asked again.
    times : pyarrow.Table or None
        When classifiers answered (item, classifier, time), where a column says so.
    mapping : mapping of str to str
        Answers to be read as other labels.
    missing : tuple of str
        Further spellings of "no answer".
    afar : Afar or None
        Where they stay in a large lazy frame: the table then has a row for each different answer
        of all classifiers, with one of the items that got it.
    fetch : callable or None
        Fetches all of them where they stay afar; `here` calls it.
    library : str
        The frame library they came in, in which results answer.

    Examples
    --------
    >>> import headcount as hc
    >>> hc.simulate.make("comments", items=20).predictions.names
    ('word_list', 'fine_tuned', 'llm_judge')
    """

    name: str
    classifiers: tuple[RawClassifier, ...]
    table: pa.Table = field(repr=False)
    first_row: int | None = field(default=None, repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)
    runs: pa.Table | None = field(default=None, repr=False)
    times: pa.Table | None = field(default=None, repr=False, kw_only=True)
    rule: str | None = field(default=None, repr=False, kw_only=True)
    mapping: Mapping[str, str] = field(default_factory=dict, repr=False)
    missing: tuple[str, ...] = field(default=(), repr=False)
    afar: Afar | None = field(default=None, repr=False)
    fetch: Callable[[], "Predictions"] | None = field(default=None, repr=False)
    library: str = field(default="pyarrow", repr=False, kw_only=True, compare=False)

    def __repr__(self) -> str:
        said = ", ".join(self.names)
        classifiers = count(len(self.names), "classifier", "classifiers")
        return f"<Predictions: {count(self.table.num_rows, 'row', 'rows')}, {classifiers} ({said})>"

    @classmethod
    def read(
        cls,
        path: Any,
        *,
        item: Names = None,
        classifiers: Names = None,
        classifier: str | None = None,
        label: str | None = None,
        time: str | None = None,
        run: str | None = None,
        variants: Names = None,
        runs: str = "first",
        mapping: Mapping[str, str] | None = None,
        missing: Names = None,
        question: str | None = None,
        sheet: str | None = None,
        sets: str | None = None,
        ratings: Rated | None = None,
        a: str | None = None,
        b: str | None = None,
        winner: str | None = None,
    ) -> "Predictions":
        r"""Read predictions from a table in a file, or from another tool's export.

        Parameters
        ----------
        path : path or frame
            Any of the formats of `Ratings.read`, or a frame.
        item : str or sequence of str, optional
            The column with the item, where it is not called as usual, or the several that name it
            together.
        classifiers : str or sequence of str, optional
            Only these classifiers, in this order: their names, or patterns such as ``"model*"``.
        classifier, label : str, optional
            In a table with a row an answer, the columns with the classifier's name and answer.
        time : str, optional
            The column with the time of an answer, where it is not called as usual.
        run : str, optional
            The column that numbers a classifier's answers on the same item.
        variants : str or sequence of str, optional
            The columns that say in which way a classifier was asked (its prompt, the order of two
            answers), where they are not called as usual. Each way is a classifier of its own, such
            as ``"judge · prompt"``.
        runs : {"first", "majority"}
            Which of several answers of a classifier on an item counts; all are kept in ``runs``.
        mapping : mapping of str to str, optional
            Answers to be read as other labels: ``{"TOXIC": "toxic"}``.
        missing : str or sequence of str, optional
            Spellings of "no answer" beside blank, NaN, NA, null and None.
        question, sheet : str, optional
            As in `Ratings.read`.
        sets : str, optional
            What stands between the options where answers tick several; ``"list"`` where a cell
            holds a list.
        ratings : Ratings, optional
            With `sets`: the ratings, read with `sets` too, whose questions the sets answer.
        a, b, winner : str, optional
            The columns of answers that say which of two systems is better, as in `Ratings.read`.

        Returns
        -------
        Predictions

        Examples
        --------
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "predictions.csv"
        >>> _ = file.write_text("item,gpt,llm:yes\n1,yes,0.9\n2,no,0.2\n")
        >>> Predictions.read(file).names
        ('gpt', 'llm')
        """
        roles = Roles(
            item=_key(item),
            rater=classifier,
            label=label,
            time=time,
            classifiers=_names(classifiers),
            run=run,
            variants=_names(variants),
            sets=_names(sets),
            asked=None if ratings is None else questions_of(ratings.item_counts().items),
            a=a,
            b=b,
            winner=winner,
        )
        asked = Asked(question=question, sheet=sheet)
        if not isinstance(path, str | os.PathLike | list | tuple):
            return cls._from_any_frame(path, roles, runs, mapping, _names(missing))

        def whole_file() -> Predictions:
            return cls._of(open_predictions(path, roles, runs, asked), mapping, _names(missing))

        joined = len(roles.items) > 1 or roles.sets
        source = None if joined else parquet_source(path, asked)
        large = None if source is None else answers_in_files(source, roles)
        if large is None:
            return whole_file()
        answered, afar = large
        return replace(cls._of(answered, mapping, _names(missing)), afar=afar, fetch=whole_file)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        item: Names = None,
        classifiers: Names = None,
        classifier: str | None = None,
        label: str | None = None,
        time: str | None = None,
        run: str | None = None,
        variants: Names = None,
        runs: str = "first",
        mapping: Mapping[str, str] | None = None,
        missing: Names = None,
    ) -> "Predictions":
        """Predictions from a frame: pandas, Polars, Arrow, DuckDB, PySpark.

        Large lazy frames stay where they are: the different answers are fetched from them, and
        how many items got each.

        Parameters
        ----------
        frame : frame
            A row an item and a column a classifier, or a row an answer.
        item, classifiers, classifier, label, time : str, optional
            Columns, as in `Predictions.read`.
        run, variants, runs, mapping, missing
            As in `Predictions.read`.

        Returns
        -------
        Predictions

        Examples
        --------
        >>> import pyarrow as pa
        >>> frame = pa.table({"item": [1, 2], "model": ["x", "y"], "llm:x": [0.9, 0.2]})
        >>> Predictions.from_frame(frame).names
        ('model', 'llm')
        """
        roles = Roles(
            item=_key(item),
            rater=classifier,
            label=label,
            time=time,
            classifiers=_names(classifiers),
            run=run,
            variants=_names(variants),
        )
        found = cls._from_any_frame(frame, roles, runs, mapping, _names(missing))
        return replace(found, library=library_of(frame))

    @classmethod
    def _from_any_frame(
        cls,
        frame: Any,
        roles: Roles,
        runs: str,
        mapping: Mapping[str, str] | None,
        missing: tuple[str, ...],
    ) -> "Predictions":
        def fetch() -> Predictions:
            return cls._of(open_predictions(frame, roles, runs, Asked()), mapping, missing)

        name = "the predictions"
        if len(roles.items) > 1 or not is_lazy(frame) or not is_large(lazy_frame(frame), name):
            return fetch()
        found = answers_afar(lazy_frame(frame), roles, name)
        if found is None:
            return fetch()
        answered, afar = found
        return replace(cls._of(answered, mapping, missing), afar=afar, fetch=fetch)

    def here(self) -> "Predictions":
        """The same predictions with a row an item, fetched where they stay afar.

        Returns
        -------
        Predictions

        Examples
        --------
        >>> import headcount as hc
        >>> made = hc.simulate.make("comments", items=20).predictions
        >>> made.here() is made
        True
        """
        return self if self.fetch is None else self.fetch().select(self.names)

    @cached_property
    def in_few_digits(self) -> "Predictions":
        """The same, probabilities cut to few digits where there are very many different answers.

        By these every method that counts equal answers reads them, alike for any of them.
        """
        return to_few_digits(self)

    def drawn(self, bound: str, items: pa.Array) -> "Predictions":
        """The answers about a part of the items, with a row an item.

        Parameters
        ----------
        bound : str
            The text before which the hashes of its items come.
        items : pyarrow.Array
            Those of them that are rated.

        Returns
        -------
        Predictions

        Examples
        --------
        >>> import headcount as hc, pyarrow as pa
        >>> made = hc.simulate.make("comments", items=20).predictions
        >>> made.drawn("8", made.ids.slice(0, 3)).n_items
        3
        """
        table = self.table
        if self.afar is not None:
            table = self.afar.drawn(bound, items, table.column_names[1:], self.name)
        few = pc.is_in(whole(table.column(0)), value_set=items.cast(table.column(0).type))
        return replace(self, table=table.filter(few), first_row=None, afar=None, fetch=None)

    @classmethod
    def _of(
        cls, found: Answered, mapping: Mapping[str, str] | None, missing: tuple[str, ...]
    ) -> "Predictions":
        return cls(
            found.name,
            found.classifiers,
            found.table,
            found.first_row,
            found.notes,
            found.runs,
            dict(mapping or {}),
            missing,
            times=found.times,
            rule=found.rule,
        )

    @property
    def counted_run(self) -> str | None:
        """Which of a classifier's several answers counts, in a sentence; None where it has one."""
        if self.rule is None:
            return None
        if self.rule == "first":
            return (
                "Of a classifier's runs the first counts (--runs majority: the commonest answer)."
            )
        return "Of a classifier's runs the commonest answer counts."

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return tuple(classifier.name for classifier in self.classifiers)

    @property
    def ids(self) -> pa.Array:
        """The items' ids, a row each."""
        return whole(self.table.column(0))

    @cached_property
    def columns(self) -> dict[str, RawColumn]:
        """The columns of the classifiers' answers."""
        names = (name for classifier in self.classifiers for name in classifier.columns)
        found = {name: RawColumn(whole(self.table[name])) for name in names}
        if not self.mapping and not self.missing:
            return found
        return {
            name: column.renamed(self.mapping, lambda text: is_missing(text, self.missing))
            for name, column in found.items()
        }

    @property
    def n_items(self) -> int:
        """How many items have an answer."""
        return int(self.size.sum())

    @property
    def size(self) -> NDArray[np.int64]:
        """How many items each row of the table stands for."""
        if self.afar is not None:
            return self.afar.size
        return np.ones(self.table.num_rows, dtype=np.int64)

    def select(self, names: Sequence[str]) -> "Predictions":
        """Only the classifiers named, in that order.

        Parameters
        ----------
        names : sequence of str
            Which classifiers.

        Returns
        -------
        Predictions

        Examples
        --------
        >>> import headcount as hc
        >>> everyone = hc.simulate.make("comments", items=20).predictions
        >>> everyone.select(["llm_judge", "word_list"]).names
        ('llm_judge', 'word_list')
        """
        known = {classifier.name: classifier for classifier in self.classifiers}
        absent = [name for name in names if name not in known]
        if absent or not names:
            raise OptionError(
                f"{self.name} has no classifier {', '.join(map(repr, absent)) or 'of no name'}: "
                f"it has {listing(tuple(known))}."
            )
        return replace(self, classifiers=tuple(known[name] for name in names))

    def place(self, row: int) -> str:
        """Where a row stands, for an error message.

        Parameters
        ----------
        row : int
            Counted from 0.

        Returns
        -------
        str

        Examples
        --------
        >>> import headcount as hc
        >>> hc.simulate.make("comments", items=20).predictions.place(0)
        'the predictions, row 1'
        """
        if self.first_row is None:
            return f"{self.name}, row {row + 1}"
        return f"{self.name}, line {row + self.first_row}"


def _key(given: Names) -> str | tuple[str, ...] | None:
    """One column that names the item, or the several that do together."""
    names = _names(given)
    return names if len(names) > 1 else (names[0] if names else None)


def _names(given: Names) -> tuple[str, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, str | os.PathLike) else tuple(str(g) for g in given)


def beside(first: Predictions, second: Predictions, marks: tuple[str, str]) -> Predictions:
    """Two files of predictions as one: classifiers have the mark of their file after their name.

    Items that only one of the files has are left out: nothing could be compared on them.

    >>> import pyarrow as pa
    >>> old = Predictions.from_frame(pa.table({"item": [1, 2], "gpt": ["x", "y"]}))
    >>> new = Predictions.from_frame(pa.table({"item": [2, 3], "gpt": ["x", "x"]}))
    >>> both = beside(old, new, (" (old)", " (new)"))
    >>> both.names, both.n_items
    (('gpt (old)', 'gpt (new)'), 1)
    """
    if (first.mapping, first.missing) != (second.mapping, second.missing):
        raise OptionError("The answers of the two are read in different ways: read them alike.")
    place = positions(first.ids.to_pylist(), second.ids)
    kept = pa.array([bool(at >= 0) for at in place])
    ours = first.table.filter(kept)
    theirs = second.table.take(pa.array([int(at) for at in place if at >= 0]))
    names = [f"{name}{marks[0]}" for name in ours.column_names[1:]]
    names += [f"{name}{marks[1]}" for name in theirs.column_names[1:]]
    table = pa.table([*ours.columns, *theirs.columns[1:]], [ours.column_names[0], *names])
    classifiers = (
        *(_marked(each, marks[0]) for each in first.classifiers),
        *(_marked(each, marks[1]) for each in second.classifiers),
    )
    name = f"{first.name} and {second.name}"
    notes = tuple(dict.fromkeys((*first.notes, *second.notes)))
    return replace(
        first,
        name=name,
        classifiers=classifiers,
        table=table,
        first_row=None,
        notes=notes,
        runs=None,
        times=None,
        rule=None,
    )


def _marked(classifier: RawClassifier, mark: str) -> RawClassifier:
    def named(column: str | None) -> str | None:
        return None if column is None else f"{column}{mark}"

    return RawClassifier(
        f"{classifier.name}{mark}",
        named(classifier.whole),
        tuple((label, f"{column}{mark}") for label, column in classifier.by_label),
        named(classifier.confidence),
    )
