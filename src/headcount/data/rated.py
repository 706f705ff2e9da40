"""Ratings once read: the questions that every method asks of them, each answered once."""

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.arrays import Ints
from headcount.counting import (
    Grouped,
    ItemCounts,
    KindsHere,
    Patterns,
    Reductions,
    bound_of,
    size,
)
from headcount.data.answers import Answers, Column, answers_from_table, code_texts, columns_of_items
from headcount.data.design import Design
from headcount.data.labels import Labels
from headcount.data.meaning import Meaning, door_meaning
from headcount.data.scale import Scale, detected_scale, labels_in_words, scale_of_numbers
from headcount.door import Source, integers, positions, text_column, texts
from headcount.door.layout import Layout
from headcount.door.roles import listing
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.results import count


@frozen
class Rated:
    """Ratings as they were read: where they are, what they mean, and how they were grouped.

    Attributes
    ----------
    name : str
        The file or frame they came from, as messages call it.
    layout : Layout
        What a row is, and which column is what.
    meaning : Meaning
        The labels, and which answers mean which of them.
    reductions : Reductions
        Where the ratings are counted: in memory, in DuckDB, or where a lazy frame lies.
    grouped : Grouped
        The items grouped by label counts.
    unrated : {"error", "drop"}
        What is done with items that have only missing labels.
    remarks : tuple of str
        What reading them had to say.
    source : Source or None
        The table they came in, where it can be asked again.
    stopped : {"answers", "before", "random"} or None
        What decided when an item had ratings enough, where the user said it.
    library : str
        The frame library they came in, in which results answer.
    """

    name: str
    layout: Layout
    meaning: Meaning = field(repr=False)
    reductions: Reductions = field(repr=False)
    grouped: Grouped = field(repr=False)
    unrated: str = "error"
    remarks: tuple[str, ...] = field(default=(), repr=False)
    source: Source | None = field(default=None, repr=False)
    stopped: str | None = field(default=None, repr=False)
    library: str = field(default="pyarrow", repr=False, kw_only=True, compare=False)

    @property
    def labels(self) -> Labels:
        """The labels in order; numbers that are too many to be labels have none."""
        if not self.meaning.labels.n:
            raise UnanswerableError(
                f"{self.name} holds {self.scale.reason.removeprefix('they are ')}, which are "
                "scores and no labels: ask headcount scores (hc.scores) about them, or round them "
                "to fewer levels."
            )
        return self.meaning.labels

    @cached_property
    def counted_as(self) -> Meaning:
        """What was counted when the ratings were read: their labels, or numbers where many."""
        return door_meaning(self.meaning, self.reductions)

    @cached_property
    def scale(self) -> Scale:
        """What the labels are: names, levels in an order, or numbers."""
        if self.meaning.scale is not None:
            return self.meaning.scale
        if self.counted_as.as_numbers and self.n_ratings > size.NUMBERS_LOOKED_AT:
            return scale_of_numbers(self.labels.n)
        return detected_scale(self.labels, self.patterns())

    @property
    def named(self) -> bool:
        """Whether it is known who said what."""
        return self.layout.named

    @property
    def n_items(self) -> int:
        """Items with at least one rating."""
        return self._counted[0].n_items

    @property
    def n_ratings(self) -> int:
        """Ratings counted: first answers only, where raters were asked twice."""
        return self._counted[0].n_ratings

    @cached_property
    def n_raters(self) -> int | None:
        """How many raters there are, or None where they have no names."""
        return self.reductions.raters(self.counted_as)

    @cached_property
    def some_raters(self) -> int:
        """The same counted up to three, which takes no look at every answer; 0 without names."""
        if "n_raters" in vars(self):
            return self.n_raters or 0
        return self.reductions.raters(self.counted_as, most=3) or 0

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
        return self._by_label if self.counted_as.as_numbers else self._counted[0]

    @cached_property
    def _by_label(self) -> Patterns:
        """Counts of labels that were counted as numbers before."""
        labelled = replace(self.meaning, labels=self.labels)  # says so where there are none
        found = self.reductions.patterns(labelled, first=self.repeated).patterns
        return found.only(found.raters > 0)

    @cached_property
    def _counted(self) -> tuple[Patterns, int, int]:
        patterns, suspects = self.grouped.patterns, self.grouped.suspects
        nobody = suspects is not None and len(suspects) == 0
        copies, retests = (0, 0) if nobody else self.reductions.repeats(self.counted_as, suspects)
        if retests or copies:
            patterns = self.reductions.patterns(self.counted_as, first=True).patterns
            unrated = self.grouped.patterns.only(self.grouped.patterns.raters == 0)
            counts = np.concatenate([patterns.counts, unrated.counts])
            patterns = Patterns.of(counts, np.concatenate([patterns.items, unrated.items]))
        rated = patterns.raters > 0
        if not rated.all() and self.unrated == "error":
            by_item = self.reductions.item_counts(self.counted_as, first=False)
            _complain_of_unrated(by_item, int(patterns.items[~rated].sum()), self.name)
        return patterns.only(rated), retests, copies

    @property
    def repeated(self) -> bool:
        """Whether any rater was asked again about an item, or a row copied."""
        return self.n_retests + self.n_copies > 0

    @cached_property
    def design(self) -> Design:
        """How the ratings were collected: read from counts, or as the user says."""
        return Design.of(self.patterns(), self.stopped)

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
        labelled = replace(self.meaning, labels=self.labels)
        table = self.reductions.item_counts(labelled, first=self.repeated)
        counts = np.column_stack([integers(column) for column in table.columns[1:]])
        rated = counts.sum(axis=1) > 0
        items = texts(table["item"])
        return ItemCounts(items[rated], counts[rated].astype(np.int64))

    def item_columns(self) -> dict[str, Column]:
        """What is said of the items, coded and in the order of `item_counts().items`.

        The keys are "text", "cluster" and "gold" where there are such columns, and the names of
        the slices.

        >>> import pyarrow as pa
        >>> from headcount import Ratings
        >>> frame = pa.table({"item": [1, 2], "label": ["x", "y"], "topic": ["art", "law"]})
        >>> Ratings.from_frame(frame, slices="topic").item_columns()["topic"].names
        ('art', 'law')
        """
        return self._item_columns

    @cached_property
    def _item_columns(self) -> dict[str, Column]:
        return self.columns_of(self.item_counts().items) if self.layout.of_items else {}

    def columns_of(self, items: NDArray[np.object_]) -> dict[str, Column]:
        """What is said of these items, coded: `item_columns` in their order.

        Parameters
        ----------
        items : array of object
            Ids of rated items.

        Returns
        -------
        dict of str to Column

        Examples
        --------
        >>> import numpy as np, pyarrow as pa
        >>> from headcount import Ratings
        >>> frame = pa.table({"item": [1, 2], "label": ["x", "y"], "topic": ["art", "law"]})
        >>> ratings = Ratings.from_frame(frame, slices="topic")
        >>> ratings.columns_of(np.array(["2", "1"], dtype=object))["topic"].code.tolist()
        [1, 0]
        """
        if not self.layout.of_items:
            return {}
        table = self.reductions.item_columns()
        rows = positions(items, text_column(table["item"].to_pylist()))
        return columns_of_items(table, self.layout.of_items, rows, self.name)

    def preview(self, rows: int = 5) -> tuple[tuple[str, ...], list[tuple[str | None, ...]]]:
        """The first rows as they were understood: the roles, and what stands there.

        Parameters
        ----------
        rows : int
            How many of them.

        Returns
        -------
        roles : tuple of str
            What each column is.
        seen : list of tuple
            What stands in each row.

        Examples
        --------
        >>> from headcount import Ratings
        >>> Ratings.from_counts([[2, 1]], labels=["no", "yes"]).preview()
        (('item', 'no', 'yes'), [('0', '2', '1')])
        """
        if self.source is None:
            return (), []
        named = self.layout.shown()
        columns = [self.source.seen(name)[:rows] for name in named.values()]
        return tuple(named), list(zip(*columns, strict=True))

    def met(self, ids: pa.Array, kind: Ints) -> tuple[Ints, Ints, Ints]:
        """Items grouped by label counts and by the kind of the prediction for them.

        Parameters
        ----------
        ids : pyarrow.Array
            The predicted items.
        kind : ndarray
            (n,) numbers of their predictions, equal ones alike.

        Returns
        -------
        counts, kinds, items : ndarray
            Label counts (G, L), kinds (G,), −1 without a prediction, and how many items there
            are (G,).

        Examples
        --------
        >>> import pyarrow as pa
        >>> from headcount import Ratings
        >>> ratings = Ratings.from_counts([[2, 1], [0, 3], [0, 3]], labels=["no", "yes"])
        >>> counts, kinds, items = ratings.met(pa.array(["1", "2"]), np.array([0, 0]))
        >>> items.tolist(), sorted(kinds.tolist())
        ([1, 2], [-1, 0])
        """
        met = self.reductions.met(self.meaning, KindsHere(ids, kind), first=self.repeated)
        assert met is not None  # what is here can be taken anywhere
        met = met.rated()
        return met.counts, met.kind, met.items

    def answers(self) -> Answers:
        """Every answer, coded; only where ratings are not mere counts."""
        return self._answers

    @cached_property
    def _answers(self) -> Answers:
        labelled = replace(self.meaning, labels=self.labels)
        table = self.reductions.answers(labelled, retests=self.repeated)
        return answers_from_table(table, self.meaning, self.name, self.layout.groups)

    def arrivals(self, items: NDArray[np.object_]) -> tuple[Ints, Ints]:
        """First answers in the order of the rows; answers about other items are left out.

        Parameters
        ----------
        items : ndarray
            (n,) ids of the items to look at.

        Returns
        -------
        item, label : ndarray
            Each answer's place in `items`, and its label's code.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from headcount import Ratings
        >>> said = {"item": ["b", "a", "b"], "rater": [1, 1, 2], "label": ["x", "y", "y"]}
        >>> frame = pa.table(said)
        >>> item, label = Ratings.from_frame(frame).arrivals(np.array(["b"], dtype=object))
        >>> label.tolist()
        [0, 1]
        """
        table = self.reductions.arrivals(self.meaning, first=self.repeated)
        if table is None:
            raise UnanswerableError(
                f"{self.name} does not tell in which order the answers came: this needs a row an "
                "answer, in the order in which they came."
            )
        ids, item = code_texts(table["item"])
        raw, code = code_texts(table["label"])
        label = np.array([self.meaning.codes[text] for text in raw], dtype=np.int64)[code]
        place = positions(ids, items)[item]
        return place[place >= 0], label[place >= 0]

    @cached_property
    def pools(self) -> tuple[str, ...]:
        """The names in the pool column, if there is one."""
        return self.reductions.pools()

    def pool(self, name: str | None = None, *, raters: Sequence[str] | None = None) -> Self:
        """The ratings of one pool of raters, by the pool column or by naming the raters.

        The label set stays that of all the ratings, so that pools can be compared.

        Parameters
        ----------
        name : str, optional
            One of `pools`.
        raters : sequence of str, optional
            The raters themselves, where there is no such column.

        Returns
        -------
        Ratings

        Examples
        --------
        >>> import headcount as hc
        >>> ratings = hc.simulate.make("running-example", items=10).ratings
        >>> ratings.pool(raters=["r01", "r02"]).n_ratings
        20
        """
        if (name is None) == (raters is None):
            raise OptionError("pool() takes a pool's name or raters=[…], one of the two.")
        if name is not None and name not in self.pools:
            known = ", ".join(repr(pool) for pool in self.pools) or "none"
            raise OptionError(f"{self.name} has no pool {name!r}; its pools are: {known}.")
        if not self.named and name is None:
            raise OptionError(f"{self.name} does not name its raters: use a pool column.")
        wanted = [name] if name is not None else [str(rater) for rater in raters or ()]
        ratings = self._only(self.reductions.part("pool" if name is not None else "rater", wanted))
        if not ratings.n_ratings:
            raise OptionError(f"No rating in {self.name} is from {', '.join(map(repr, wanted))}.")
        return ratings

    @cached_property
    def drawn(self) -> Self | None:
        """Some 50,000 of the items, drawn by a hash of their ids, with all of their ratings.

        Where ratings are too many, raters are told apart on these. None where they have no names.
        """
        bound = bound_of(self.n_items, self.n_ratings)
        part = self.reductions.drawn(self.counted_as, bound) if self.named else None
        if part is None:
            return None
        # A part of the items was collected as all of them were.
        kind = self.design.kind if self.meaning.labels.n else "full"
        return replace(self._only(part), stopped=None if kind == "full" else kind)

    def _only(self, part: Reductions) -> Self:
        """These ratings cut to a part of the answers; labels and scale stay those of all."""
        counted_as = door_meaning(self.meaning, part)
        grouped = part.patterns(counted_as, first=False)
        meaning = replace(self.meaning, missing=grouped.unknown, notes=(), scale=self.scale)
        return type(self)(self.name, self.layout, meaning, part, grouped, "drop")

    def summary(self) -> str:
        """How many items, people and labels there are, then what was read, assumed and left out."""
        least, most = size_of(self)
        each = f"{least}" if least == most else f"{least} to {most}"
        lines = [
            f"{in_words(self)}.",
            f"{count(self.n_ratings, 'label', 'labels')} in all, {each} an item.",
            *self.notes,
        ]
        return "\n".join(lines)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was read, assumed, merged and left out, one sentence each."""
        return notes_of(self)


def in_words(rated: Rated) -> str:
    """As "400 items, 5 people, labels 1 to 5"."""
    who = "people without names"
    if rated.named:
        who = count(rated.n_raters or 0, "person", "people")
    labels = "numbers for labels"
    if rated.meaning.labels.n:
        said = labels_in_words(rated.meaning.labels.names, in_order=rated.scale.has_order)
        labels = f"labels {said}"
    return f"{count(rated.n_items, 'item', 'items')}, {who}, {labels}"


def size_of(rated: Rated) -> tuple[int, int]:
    """How many labels an item has, at least and at most."""
    sizes = rated.patterns().counts.sum(axis=1)
    return int(sizes.min()), int(sizes.max())


def notes_of(rated: Rated) -> tuple[str, ...]:
    """One sentence each."""
    notes = [f"{rated.name}: {rated.layout.describe()}.", *rated.remarks]
    if rated.layout.unused:
        notes.append(f"Columns that were not used: {listing(rated.layout.unused)}.")
    notes += rated.meaning.notes
    if rated.scale.has_order or rated.labels.numbers is not None:
        notes.append(rated.scale.sentence())
    return (*notes, *_left_out(rated), *_repeated(rated))


def _left_out(rated: Rated) -> list[str]:
    notes = []
    if rated.meaning.missing:
        notes.append(
            count(rated.meaning.missing, "answer is missing", "answers are missing")
            + " (blank, None or NaN) and not counted."
        )
    if rated.n_unrated:
        one = "item has no rating at all and was left out."
        many = "items have no rating at all and were left out."
        notes.append(count(rated.n_unrated, one, many))
    return notes


def _repeated(rated: Rated) -> list[str]:
    notes = []
    if rated.n_copies:
        notes.append(
            count(rated.n_copies, "row is an exact copy", "rows are exact copies")
            + " of another row and nothing tells when each was given: used once. If they are "
            "second answers, name the column that orders them with occasion= (--occasion)."
        )
    if rated.n_retests:
        notes.append(
            count(rated.n_retests, "answer is a retest", "answers are retests")
            + " (a rater asked again about the same item): kept for flip rates, the first "
            "answer is used elsewhere."
        )
        if not rated.reductions.in_order and rated.layout.occasion is None:
            notes.append(
                "The frame is lazy and has no order of rows, so the first in label order "
                "stands for a rater's first answer: add an occasion column to choose."
            )
    return notes


def _complain_of_unrated(item_counts: pa.Table, how_many: int, name: str) -> None:
    """Items have missing labels alone: say how many, and one of them."""
    totals = np.sum([integers(column) for column in item_counts.columns[1:]], axis=0)
    example = item_counts["item"][int(np.argmin(totals))].as_py()
    raise InputError(
        f"{name}: the item {example!r}"
        f"{f' and {how_many - 1:,} more' if how_many > 1 else ''} has no rating, only missing "
        'labels: remove it, or leave such items out with unrated="drop" (--unrated drop).'
    )
