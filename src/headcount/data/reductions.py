"""What the ratings of any source reduce to: the few questions every engine can answer."""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.data.meaning import Meaning
from headcount.data.patterns import Patterns
from headcount.door import integers

Ints = NDArray[np.int64]

Suspects: TypeAlias = pa.Array | None
"""Ids of the items where a rater may have answered twice; None where nobody looked."""


@dataclass(frozen=True)
class Grouped:
    """Items grouped by label counts, and what was noticed while counting.

    `suspects` are the items to look at again before retests are ruled out; `unknown` is the
    number of answers that are none of the labels: missing ones, and labels not known of.
    """

    patterns: Patterns
    suspects: Suspects
    unknown: int = 0


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

    def retests(self, meaning: Meaning, suspects: Suspects) -> int:
        """How many answers are a rater's second or later one on an item."""
        ...

    def raters(self, meaning: Meaning) -> int | None:
        """How many raters gave an answer, or None where they have no names."""
        ...

    def item_counts(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """A row an item, ordered by id: `item`, then a column of counts for each label."""
        ...

    def met(self, meaning: Meaning, ids: pa.Array, kind: Ints, *, first: bool) -> pa.Table:
        """Items grouped by counts and by the kind of the prediction for them.

        `ids` name the predicted items and `kind` numbers their predictions. A column of counts
        for each label, then `kind`, −1 without a prediction, and `items`, how many there are.
        """
        ...

    def answers(self, meaning: Meaning, *, retests: bool) -> pa.Table:
        """A row an answer: item, rater, raw label, occasion, and group and weight if there."""
        ...

    def pools(self) -> tuple[str, ...]:
        """The names of the pools, where there is a pool column."""
        ...


def patterns_of_columns(table: pa.Table, n_labels: int) -> Patterns:
    """Patterns from a table of L count columns and a last column with the number of items."""
    columns = [integers(column) for column in table.columns[: n_labels + 1]]
    counts = np.column_stack(columns[:n_labels])
    return Patterns.of(counts, columns[n_labels])
