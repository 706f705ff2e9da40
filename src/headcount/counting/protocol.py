"""What the ratings of any source reduce to: the few questions every engine can answer."""

from collections.abc import Mapping
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
import pyarrow as pa

from headcount.counting.groups import Patterns
from headcount.counting.join import Kinds, Met
from headcount.door import integers
from headcount.frozen import frozen

Suspects: TypeAlias = pa.Array | None
"""Ids of the items where a rater may have answered twice; None where nobody looked."""


@frozen
class Grouped:
    """Items grouped by label counts, and what was noticed while counting.

    `suspects` are the items to look at again before retests are ruled out; `unknown` is the
    number of answers that are none of the labels: missing ones, and labels not known of.
    `spaced` says that items or raters came with spaces around them which were not taken off.
    """

    patterns: Patterns
    suspects: Suspects
    unknown: int = 0
    spaced: bool = False


class Meaning(Protocol):
    """What raw texts mean, as far as it takes to count them: `codes` has a label's number."""

    @property
    def codes(self) -> Mapping[str, int]:
        """The label that each raw text means; missing ones are absent."""
        ...

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        ...

    @property
    def n_counts(self) -> int:
        """How many counts an item has: one a label, or one of all numbers."""
        ...

    @property
    def missing(self) -> int:
        """How many answers are blank, None or NaN."""
        ...

    @property
    def as_numbers(self) -> bool:
        """Whether every number is an answer, but those in `no_answers`."""
        ...

    @property
    def no_answers(self) -> tuple[float, ...]:
        """The numbers that stand for "no answer"."""
        ...

    def spellings(self) -> list[list[str]]:
        """For each label, the raw texts that mean it."""
        ...


class Reductions(Protocol):
    """Counting, wherever the data live. `first` keeps each rater's first answer on an item."""

    @property
    def in_order(self) -> bool:
        """Whether answers come in an order, by which one of a rater's is the first."""
        ...

    def without_spaces(self) -> "Reductions":
        """The same answers with the spaces around them taken off."""
        ...

    def tally(self) -> dict[str | None, int]:
        """How often each raw label text occurs."""
        ...

    def glance(self) -> dict[str | None, int]:
        """The same of the first rows; nothing where a look at all of them costs as little."""
        ...

    def patterns(self, meaning: Meaning, *, first: bool) -> Grouped:
        """Items grouped by label counts, and the items that a rater may have rated twice."""
        ...

    def repeats(self, meaning: Meaning, suspects: Suspects) -> tuple[int, int]:
        """How many rows are copies of others, and how many answers a rater's second or later."""
        ...

    def raters(self, meaning: Meaning, *, most: int | None = None) -> int | None:
        """How many raters gave an answer, or None where they have no names.

        Where it costs less they are counted up to `most`.
        """
        ...

    def item_counts(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an item, ordered by id: `item`, then a column of counts for each label."""
        ...

    def item_columns(self) -> pa.Table:
        """A row an item, ordered by id: `item`, then i0, i1, … and whether each varies, v0, …"""
        ...

    def met(self, meaning: Meaning, said: Kinds, *, first: bool) -> Met | None:
        """Items grouped by counts and by the kind of the prediction for them.

        None where predictions live elsewhere than the ratings.
        """
        ...

    def answers(self, meaning: Meaning, *, retests: bool) -> pa.Table:
        """A row an answer: item, rater, raw label, occasion, and groups and weight if there."""
        ...

    def arrivals(self, meaning: Meaning, *, first: bool) -> pa.Table | None:
        """Item and raw label of every answer in the order of the rows; None if they have none."""
        ...

    def pools(self) -> tuple[str, ...]:
        """The names of the pools, where there is a pool column."""
        ...

    def part(self, column: str, values: list[str]) -> "Reductions":
        """Only the answers whose pool or rater is one of these."""
        ...

    def drawn(self, meaning: Meaning, bound: str) -> "Reductions | None":
        """All answers about the items whose hash comes before a bound, in memory.

        None where that tells nothing, or cannot be had.
        """
        ...


@runtime_checkable
class CountsNumbers(Protocol):
    """Counting that can also sum numbers, without a list of those there are."""

    def may_be_many(self, labels: int) -> bool:
        """Whether there may be more than so many different answers, without reading them all."""
        ...

    def no_numbers(self) -> tuple[dict[str | None, int], int]:
        """How often each text occurs that is no number, and about how many numbers there are."""
        ...

    def sums(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an item, ordered by id: item, n, mean, within, least, most and whole."""
        ...

    def numbers(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an answer that is a number, ordered by item and value: item, rater, value."""
        ...


def patterns_of_columns(table: pa.Table, n_labels: int) -> Patterns:
    """Patterns from a table of L count columns and a last column with the number of items."""
    columns = [integers(column) for column in table.columns[: n_labels + 1]]
    counts = np.column_stack(columns[:n_labels])
    return Patterns.of(counts, columns[n_labels])
