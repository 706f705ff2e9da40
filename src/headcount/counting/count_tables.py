"""Ratings that came as counts: a row an item, a column a label."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.counting.join import Kinds, KindsHere, Met, met_sql
from headcount.counting.protocol import (
    Grouped,
    Meaning,
    Suspects,
    patterns_of_columns,
)
from headcount.door import Source, table_source, text_column, whole
from headcount.door.layout import Layout
from headcount.door.roles import listing
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.frozen import frozen


@frozen
class Counted:
    """Reductions of a table of counts; nobody knows who said what."""

    source: Source
    layout: Layout

    @cached_property
    def held(self) -> Source:
        """Item, counts (k0, k1, … in the order of the columns) and what is said of the items."""
        wanted = [self.layout.item, *self.layout.others]
        cells = [self.source.text(name) for name in wanted]
        fields = [f"{cells[0]} AS item"]
        for j, cell in enumerate(cells[1:]):
            number = f"TRY_CAST({cell} AS DOUBLE)"
            wrong = f"{number} IS NULL OR {number} < 0 OR {number} <> floor({number})"
            wrong = f"({wrong} OR {number} >= 9e15) AND {cell} IS NOT NULL"
            fields.append(
                f"coalesce(CAST(CASE WHEN {wrong} THEN 0 ELSE {number} END AS BIGINT), 0) AS k{j}"
            )
            fields.append(f"CASE WHEN {wrong} THEN {cell} END AS w{j}")
        fields += [
            f"{self.source.text(name)} AS i{j}"
            for j, name in enumerate(self.layout.of_items.values())
        ]
        table = self.source.ask(f"SELECT {', '.join(fields)} FROM source")
        self._check_cells(table)
        self._check_items(table)
        kept = [name for name in table.column_names if name[0] != "w"]
        return table_source(self.source.name, kept, table.select(kept))

    def _ask(self, sql: str, **others: pa.Table) -> pa.Table:
        return self.held.ask(sql, **others)

    def tally(self) -> dict[str | None, int]:
        """The sum of each column, after checking that the table holds counts, one row an item."""
        sums = ", ".join(f"sum(c{j + 1})" for j in range(len(self.layout.others)))
        totals = [int(n or 0) for n in self.held.ask_row(f"SELECT {sums} FROM source")]
        if not sum(totals):
            return {}
        return dict(zip(self.layout.others, totals, strict=True))

    def glance(self) -> dict[str | None, int]:
        """The columns are the labels, so there is nothing to guess."""
        return {}

    def patterns(self, meaning: Meaning, *, first: bool) -> Grouped:
        """Rows with equal counts grouped."""
        names = [f"n{j}" for j in range(meaning.n_labels)]
        table = self._ask(
            f"SELECT {', '.join(names)}, count(*) AS items FROM ({self._by_item(meaning)}) "
            f"GROUP BY {', '.join(names)}"
        )
        return Grouped(patterns_of_columns(table, len(names)), text_column([]))

    def repeats(self, meaning: Meaning, suspects: Suspects) -> tuple[int, int]:
        """Counts hold neither copies nor retests."""
        return 0, 0

    def raters(self, meaning: Meaning, *, most: int | None = None) -> int | None:
        """Counts hold no names."""
        return None

    def item_counts(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """The table itself, ordered by id."""
        return self._ask(f"{self._by_item(meaning)} ORDER BY item")

    def item_columns(self) -> pa.Table:
        """A row an item, ordered by id."""
        start = 1 + len(self.layout.others)
        n = len(self.layout.of_items)
        fields = [f"c{start + j} AS i{j}" for j in range(n)] + [f"false AS v{j}" for j in range(n)]
        return self._ask(f"SELECT {', '.join(['c0 AS item', *fields])} FROM source ORDER BY item")

    def met(self, meaning: Meaning, said: Kinds, *, first: bool) -> Met | None:
        """Joined and grouped in SQL: no id leaves the database."""
        if not isinstance(said, KindsHere):
            return None
        sql = met_sql(self._by_item(meaning), meaning.n_labels)
        return Met.of(self._ask(sql, **said.tables()))

    def answers(self, meaning: Meaning, *, retests: bool) -> pa.Table:
        """There are none to list."""
        raise UnanswerableError(
            f"{self.source.name} holds counts, so nobody knows who gave which answer: "
            "this needs ratings with a column that names the rater."
        )

    @property
    def in_order(self) -> bool:
        """No answer comes before another."""
        return False

    def without_spaces(self) -> "Counted":
        """Spaces were taken off when the table was read."""
        return self

    def arrivals(self, meaning: Meaning, *, first: bool) -> None:
        """Counts have no order."""
        return

    def pools(self) -> tuple[str, ...]:
        """Counts have no pools."""
        return ()

    def part(self, column: str, values: list[str]) -> NoReturn:
        """Nobody knows whose answers were counted."""
        raise OptionError("Ratings that came as counts have no pools.")

    def drawn(self, meaning: Meaning, bound: str) -> None:
        """Nobody knows whose answers were counted, so a part tells nothing that all do not."""
        return

    def _by_item(self, meaning: Meaning) -> str:
        """Where several columns mean one label, their counts add up."""
        place = {name: j + 1 for j, name in enumerate(self.layout.others)}
        cells = [[f"c{place[raw]}" for raw in raws] for raws in meaning.spellings()]
        fields = [f"{' + '.join(raws) or '0::BIGINT'} AS n{j}" for j, raws in enumerate(cells)]
        return f"SELECT c0 AS item, {', '.join(fields)} FROM source"

    def _check_cells(self, table: pa.Table) -> None:
        for j, name in enumerate(self.layout.others):
            column = whole(table[f"w{j}"])
            if column.null_count == len(column):
                continue
            row = next(k for k, value in enumerate(column.to_pylist()) if value is not None)
            raise InputError(
                f"{self.source.place(row)}, column {name!r}: {column[row].as_py()!r} is "
                "not a count: it must be a whole number of at least 0."
            )

    def _check_items(self, table: pa.Table) -> None:
        seen: dict[str, int] = {}
        for row, item in enumerate(table["item"].to_pylist()):
            if not item:
                raise InputError(
                    f"{self.source.place(row)}: the item (column {self.layout.item!r}) is blank: "
                    "give each row its item's id."
                )
            if item in seen:
                rows = sum(value == item for value in table["item"].to_pylist())
                raise InputError(
                    f"{self.source.place(row)}: the item {item!r} has {rows} rows of counts: "
                    "add them up into one."
                )
            seen[item] = row


def label_names(counts: NDArray[Any], labels: Sequence[str] | None) -> tuple[str, ...]:
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
