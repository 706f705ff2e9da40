"""Ratings that came as counts: a row an item, a column a label."""

from dataclasses import dataclass

import pyarrow as pa

from headcount.data.meaning import Meaning
from headcount.data.meeting import met_sql, predicted
from headcount.data.reductions import Grouped, Ints, Suspects, patterns_of_columns
from headcount.door import Source, quote_name, text_column
from headcount.door.layout import Layout
from headcount.door.said import as_text
from headcount.errors import InputError, UnanswerableError


@dataclass(frozen=True)
class Counted:
    """Reductions of a table of counts; nobody knows who said what."""

    source: Source
    layout: Layout

    def tally(self) -> dict[str | None, int]:
        """The sum of each column, after checking that the table holds counts, one row an item."""
        self._check_cells()
        self._check_items()
        sums = ", ".join(f"sum({_cell(name)})" for name in self.layout.others)
        row = self.source.ask_row(f"SELECT {sums} FROM source")
        totals = [int(n or 0) for n in row]
        if not sum(totals):
            return {}
        return dict(zip(self.layout.others, totals, strict=True))

    def glance(self) -> dict[str | None, int]:
        """The columns are the labels, so there is nothing to guess."""
        return {}

    def patterns(self, meaning: Meaning, *, first: bool) -> Grouped:
        """Rows with equal counts grouped."""
        fields = self._fields(meaning)
        names = [f"c{j}" for j in range(len(fields))]
        table = self.source.ask(
            f"SELECT {', '.join(fields)}, count(*) AS items FROM source GROUP BY {', '.join(names)}"
        )
        return Grouped(patterns_of_columns(table, len(fields)), text_column([]))

    def retests(self, meaning: Meaning, suspects: Suspects) -> int:
        """Counts hold no retests."""
        return 0

    def raters(self, meaning: Meaning) -> int | None:
        """Counts hold no names."""
        return None

    def item_counts(self, meaning: Meaning, *, first: bool) -> pa.Table:
        """The table itself, ordered by id."""
        fields = ", ".join(self._fields(meaning))
        return self.source.ask(f"SELECT {self._item()} AS item, {fields} FROM source ORDER BY item")

    def met(self, meaning: Meaning, ids: pa.Array, kind: Ints, *, first: bool) -> pa.Table:
        """Joined and grouped in SQL: no id leaves the database."""
        by_item = f"SELECT {self._item()} AS item, {', '.join(self._fields(meaning))} FROM source"
        return self.source.ask(met_sql(by_item, meaning.labels.n), **predicted(ids, kind))

    def answers(self, meaning: Meaning, *, retests: bool) -> pa.Table:
        """There are none to list."""
        raise UnanswerableError(
            f"{self.source.name} holds counts, so nobody knows who gave which answer: "
            "this needs ratings with a column that names the rater."
        )

    def pools(self) -> tuple[str, ...]:
        """Counts have no pools."""
        return ()

    def _item(self) -> str:
        kind = self.source.types[self.layout.item]
        return as_text(self.layout.item, kind, trim=self.source.first_row is not None)

    def _fields(self, meaning: Meaning) -> list[str]:
        cells = [[_cell(raw) for raw in raws] for raws in meaning.spellings()]
        return [f"{' + '.join(raws) or '0'} AS c{j}" for j, raws in enumerate(cells)]

    def _check_cells(self) -> None:
        for name in self.layout.others:
            cell, raw = f"TRY_CAST({quote_name(name)} AS DOUBLE)", quote_name(name)
            wrong = f"{cell} IS NULL OR {cell} < 0 OR {cell} <> floor({cell}) OR isinf({cell})"
            bad = self.source.ask(
                f"SELECT row, value FROM (SELECT row_number() OVER () - 1 AS row, "
                f"CAST({raw} AS VARCHAR) AS value, ({wrong}) AND {raw} IS NOT NULL AS bad "
                f"FROM source) WHERE bad ORDER BY row LIMIT 1"
            ).to_pylist()
            if bad:
                raise InputError(
                    f"{self.source.place(bad[0]['row'])}, column {name!r}: {bad[0]['value']!r} is "
                    "not a count: it must be a whole number of at least 0."
                )

    def _check_items(self) -> None:
        twice = self.source.ask(
            f"SELECT item, count(*) AS n, max(row) AS row FROM (SELECT {self._item()} AS item, "
            "row_number() OVER () - 1 AS row FROM source) GROUP BY item "
            "HAVING count(*) > 1 OR item IS NULL OR item = '' ORDER BY row LIMIT 1"
        ).to_pylist()
        if not twice:
            return
        place = self.source.place(twice[0]["row"])
        if not twice[0]["item"]:
            raise InputError(
                f"{place}: the item (column {self.layout.item!r}) is blank: "
                "give each row its item's id."
            )
        raise InputError(
            f"{place}: the item {twice[0]['item']!r} has {twice[0]['n']} rows of counts: "
            "add them up into one."
        )


def _cell(name: str) -> str:
    """A cell as a number; a blank cell is no answer, so zero."""
    return f"coalesce(CAST(TRY_CAST({quote_name(name)} AS DOUBLE) AS BIGINT), 0)"
