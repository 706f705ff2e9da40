"""What the ratings of any source reduce to: the few questions every engine can answer."""

from dataclasses import replace
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.data.labels import as_number
from headcount.data.meaning import MOST_LABELS, Declared, Meaning, numbers, understand
from headcount.data.patterns import Patterns
from headcount.door import integers, number_column
from headcount.errors import HeadcountError
from headcount.frozen import frozen

Ints = NDArray[np.int64]

_FEW_LABELS = 50  # with more, counting on a guess costs more than looking at the labels first

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


class Reductions(Protocol):
    """Counting, wherever the data live. `first` keeps each rater's first answer on an item."""

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

    def raters(self, meaning: Meaning) -> int | None:
        """How many raters gave an answer, or None where they have no names."""
        ...

    def item_counts(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an item, ordered by id: `item`, then a column of counts for each label."""
        ...

    def item_columns(self) -> pa.Table:
        """A row an item, ordered by id: `item`, then i0, i1, … and whether each varies, v0, …"""
        ...

    def met(self, meaning: Meaning, ids: pa.Array, kind: Ints, *, first: bool) -> pa.Table:
        """Items grouped by counts and by the kind of the prediction for them.

        `ids` name the predicted items and `kind` numbers their predictions. A column of counts
        for each label, then `kind`, −1 without a prediction, and `items`, how many there are.
        """
        ...

    def answers(self, meaning: Meaning, *, retests: bool) -> pa.Table:
        """A row an answer: item, rater, raw label, occasion, and groups and weight if there."""
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


def predicted(ids: pa.Array, kind: Ints) -> dict[str, pa.Table]:
    """The predictions as the table that `met_sql` joins: ids, and the kind of each."""
    return {"predicted": pa.table({"item": ids, "kind": number_column(kind)})}


def met_sql(by_item: str, n_labels: int) -> str:
    """Items of the query `by_item` (item, n0, n1, …) grouped by their counts and their kind."""
    counts = ", ".join(f"CAST(n{j} AS BIGINT) AS n{j}" for j in range(n_labels))
    kinds = f"SELECT {counts}, coalesce(kind, -1) AS kind"
    joined = f"({by_item}) LEFT JOIN predicted USING (item)"
    return f"SELECT *, count(*) AS items FROM ({kinds} FROM {joined}) GROUP BY ALL"


def understand_and_group(
    reductions: Reductions, declared: Declared, *, table: str
) -> tuple[Meaning, Grouped]:
    """Settle the label set and count every answer, also a rater's second ones on an item.

    The labels of the first rows are taken for all there are. Counting shows whether that is
    so; only if it is not, every row is asked for its label, and counted again if one is new.
    """
    guess = _guess(reductions, declared, table)
    if guess is None:
        meaning = _many_numbers(reductions, declared)
        meaning = meaning or understand(reductions.tally(), declared, table=table)
        return meaning, reductions.patterns(door_meaning(meaning, reductions), first=False)
    grouped = reductions.patterns(guess, first=False)
    if not grouped.unknown:
        return guess, grouped
    meaning = understand(reductions.tally(), declared, table=table)
    if meaning.codes != guess.codes:
        grouped = reductions.patterns(meaning, first=False)
    return meaning, grouped


def door_meaning(meaning: Meaning, reductions: Reductions) -> Meaning:
    """How answers are counted at the door: many numbers as numbers, whatever they mean.

    A scale of a hundred levels has nearly as many different counts as items.
    """
    if meaning.as_numbers or meaning.labels.n <= _FEW_LABELS or not _are_their_texts(meaning):
        return meaning
    return replace(meaning, as_numbers=isinstance(reductions, CountsNumbers))


def _are_their_texts(meaning: Meaning) -> bool:
    """Whether every answer is the number that its label is, none renamed or ranked."""
    values = meaning.labels.numbers
    return values is not None and all(
        as_number(raw) == values[code] for raw, code in meaning.codes.items()
    )


def _many_numbers(reductions: Reductions, declared: Declared) -> Meaning | None:
    """What many different numbers mean, without a look at each; None where they are not that."""
    if declared.order or declared.mapping or not isinstance(reductions, CountsNumbers):
        return None
    if not reductions.may_be_many(2 * MOST_LABELS):
        return None
    texts, distinct = reductions.no_numbers()
    if distinct <= 2 * MOST_LABELS:  # about so many: few enough to be listed
        return None
    if not all(declared.is_missing(text) for text in texts):
        return None
    return numbers(distinct, sum(texts.values()), declared)


def _guess(reductions: Reductions, declared: Declared, table: str) -> Meaning | None:
    """What the first rows say, unless it is plain that all rows must be asked."""
    seen = reductions.glance()
    if not 0 < len(seen) <= _FEW_LABELS or any(declared.is_missing(raw) for raw in seen):
        return None
    try:
        return understand(seen, declared, table=table)
    except HeadcountError:  # to be told with all rows in view
        return None
