"""One view of every layout in SQL: a row an answer, with item, rater and label as text."""

import re
from dataclasses import field, replace
from functools import cached_property

import pyarrow as pa

from headcount.door.arrays import whole
from headcount.door.layout import Layout
from headcount.door.source import Source, table_source
from headcount.door.text import is_text, with_spaces
from headcount.frozen import frozen

_COLUMN = re.compile(r"c\d+")
_YEAR_LAST = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.]\d{4}\b.*")
_PARTS = "list_transform(regexp_extract_all(occasion, '[0-9]+'), lambda x: lpad(x, 24, '0'))"


@frozen
class Said:
    """The answers in a source, whatever its layout, as a subquery.

    `fields` are its columns with their SQL: item, label, and those there are of rater, occasion,
    time, pool, weight, g0, g1, … for the groups, i0, i1, … for what is said of the item, and
    `twin`, the same number in rows that are alike in every cell. `rows` is the SQL of what they are
    taken from, `values` the user's texts in it, `order` what orders a rater's answers. `raw`
    says that the spaces around item and perhaps rater and label were left in place, for a first
    count of many rows.
    """

    source: Source
    fields: tuple[tuple[str, str], ...]
    rows: str = "source"
    values: dict[str, list[str]] = field(default_factory=dict)
    order: str = "row"
    raw: bool = False

    @cached_property
    def sql(self) -> str:
        """The subquery."""
        fields = ", ".join(f"{sql} AS {name}" for name, sql in self.fields)
        return f"(SELECT {fields} FROM {self.rows})"

    def of(self, items: str) -> "Said":
        """The answers about the items of a query, before anything is worked out for the rest.

        Most rows are told from those by the hashes of their items, which costs less.
        """
        item = dict(self.fields)["item"]
        near = f"hash({item}) IN (SELECT hash(item) FROM ({items}))"
        return replace(
            self, rows=f"(SELECT * FROM {self.rows} WHERE {near} AND {item} IN ({items}))"
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the subquery."""
        return tuple(name for name, _ in self.fields)

    def column(self, name: str) -> pa.ChunkedArray | None:
        """A column of the subquery, where it is held in memory as it stands."""
        column = self.bare(name)
        if self.source.arrow is None or column is None:
            return None
        return self.source.arrow[column]

    def bare(self, name: str) -> str | None:
        """The column of the source that a field is, where nothing is done to it."""
        sql = dict(self.fields)[name]
        return sql if _COLUMN.fullmatch(sql) else None

    def held(self, **others: pa.Table) -> "Said":
        """The same answers in memory, texts as codes: the source is read through once.

        `others` are further tables that the subquery names.
        """
        table = self.source.ask(f"SELECT * FROM {self.sql}", self.values, **others)
        coded = [
            whole(column).dictionary_encode() if is_text(column.type) else whole(column)
            for column in table.columns
        ]
        kept = table_source(
            self.source.name,
            self.names,
            pa.table(coded, list(self.names)),
            first_row=self.source.first_row,
        )
        fields = tuple((name, f"c{j}") for j, name in enumerate(self.names))
        return Said(kept, fields, order=self.order)


def said_in(source: Source, layout: Layout, *, raw: bool = False) -> Said:
    """The answers of a table in the long or the wide layout."""
    if layout.kind == "wide":
        return _said_wide(source, layout)
    assert layout.label is not None
    # In a text file every cell is parsed anyway; elsewhere names and labels come coded, and are
    # looked at once each where nothing is done to them.
    coded = raw and source.first_row is None
    fields = [
        ("item", _id(source, layout.item, raw)),
        ("label", _id(source, layout.label, coded)),
    ]
    if layout.rater is not None:
        fields.append(("rater", _id(source, layout.rater, coded)))
    fields += [
        *(
            (role, source.text(name))
            for role in ("occasion", "time", "pool")
            if (name := getattr(layout, role)) is not None
        ),
        *((f"g{j}", source.text(name)) for j, name in enumerate(layout.groups)),
    ]
    if layout.weight is not None:
        fields.append(("weight", f"TRY_CAST({source.text(layout.weight)} AS DOUBLE)"))
    if layout.named:
        everything = ", ".join(f"c{j}" for j in range(len(source.columns)))
        fields.append(("twin", f"hash({everything})"))
    fields += _of_items(source, layout)
    return Said(source, tuple(fields), order=_order(source, layout), raw=raw)


def _said_wide(source: Source, layout: Layout) -> Said:
    """A cell an answer; its rater goes by the column's position until the name is looked up."""
    cells = ", ".join(
        f"{{'rater': {j}, 'label': {source.text(name)}}}" for j, name in enumerate(layout.others)
    )
    fields = [
        ("item", source.text(layout.item)),
        ("label", "cell.label"),
        ("rater", "list_extract($raters, cell.rater + 1)"),
        *_of_items(source, layout),
    ]
    rows = f"(SELECT *, unnest([{cells}]) AS cell FROM source)"
    return Said(source, tuple(fields), rows, {"raters": list(layout.others)})


def _of_items(source: Source, layout: Layout) -> list[tuple[str, str]]:
    return [(f"i{j}", source.text(name)) for j, name in enumerate(layout.of_items.values())]


def _id(source: Source, name: str, raw: bool) -> str:
    """An id as text; as it stands, where that is asked for and all that may differ are spaces."""
    text = source.text(name)
    return with_spaces(text) if raw else text


def _order(source: Source, layout: Layout) -> str:
    """What orders a rater's answers: numbers by value, dates by their parts, else texts."""
    if layout.occasion is None:
        return "row"
    seen = [text for text in source.seen(layout.occasion) if text]
    found = [_YEAR_LAST.fullmatch(text) for text in seen]
    if seen and all(found):
        day_first = any(int(match.group(1)) > 12 for match in found if match)
        places = (3, 2, 1) if day_first else (3, 1, 2)
        dated = ", ".join(f"({_PARTS})[{place}]" for place in places)
        return f"{dated}, {_PARTS}, occasion, row"
    return f"TRY_CAST(occasion AS DOUBLE), {_PARTS}, occasion, row"
