"""Items counted once in a large file and kept in the database, for every later question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headcount.data.meaning import Meaning
from headcount.door import Source
from headcount.door.database import Kept, connect
from headcount.frozen import frozen
from headcount.later import Later

if TYPE_CHECKING:
    import duckdb
else:
    duckdb = Later("duckdb")

_Key = tuple[Any, ...]


@frozen
class KeptItems:
    """What was counted for each item, by what answers were taken to mean.

    An item takes some twenty bytes, of the memory that the database may have.
    """

    _tables: dict[_Key, Kept] = field(default_factory=dict)

    def keep(
        self,
        source: Source,
        by_item: str,
        values: Mapping[str, Any],
        meaning: Meaning,
        *,
        also: Sequence[str] = (),
    ) -> str | None:
        """Work out the query `by_item` (item, n0, n1, …, and what `also` it counts) and keep it.

        Returns the SQL of what was kept; None where the source is in memory or cannot be read.
        """
        # Where there are a hundred million items, every byte counts.
        names = (*(f"n{j}" for j in range(meaning.n_counts)), *also)
        small = ", ".join(f"CAST({name} AS INTEGER) AS {name}" for name in names)
        kept = source.keep(f"SELECT * REPLACE ({small}) FROM ({by_item})", values)
        if kept is None:
            return None
        self._tables[_key(meaning)] = kept
        return f"FROM {kept.name}"

    def put(self, tables: Iterable[pa.Table], meaning: Meaning) -> str | None:
        """Keep what was counted elsewhere, tables of item, n0, n1, …, as they come.

        Returns the SQL of what was kept; None where there is nothing, or no room for it.
        """
        kept: Kept | None = None
        try:
            with connect() as connection:
                for table in tables:
                    connection.register("counted", table)
                    if kept is None:
                        kept = Kept(connection, "FROM counted")
                    else:
                        kept.add(connection, "FROM counted")
        except duckdb.Error:
            return None
        if kept is None:
            return None
        self._tables[_key(meaning)] = kept
        return f"FROM {kept.name}"

    def drop(self, meaning: Meaning) -> None:
        """Forget what was kept."""
        self._tables.pop(_key(meaning), None)

    def of(self, meaning: Meaning) -> str | None:
        """The SQL of the items' counts (item, n0, n1, …); None where none were kept."""
        kept = self._tables.get(_key(meaning))
        if kept is None or not kept.there:
            return None
        return (
            f"SELECT item, {', '.join(f'n{j}' for j in range(meaning.n_counts))} FROM {kept.name}"
        )


def _key(meaning: Meaning) -> _Key:
    return (meaning.n_counts, meaning.as_numbers, meaning.no_answers, *meaning.codes.items())
