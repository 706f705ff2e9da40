"""One view of every layout in SQL: a row an answer, with item, rater and label as text."""

from collections.abc import Sequence

import pyarrow as pa

from headcount.door import Source, quote_name, quote_text
from headcount.door.layout import Layout


def said_sql(source: Source, layout: Layout, where: str = "") -> str:
    """SQL with the columns item, rater, label and those of occasion, pool, group, weight there are.

    `where` is an SQL condition on those columns, such as one pool.
    """
    # Ids in text files may carry stray blanks; in typed formats they are what they are.
    trim = source.first_row is not None

    def text(column: str) -> str:
        return as_text(column, source.types[column], trim=trim)

    if layout.kind == "wide":
        cells = ", ".join(f"{text(column)} AS {quote_name(column)}" for column in layout.others)
        names = ", ".join(quote_name(column) for column in layout.others)
        wide = f"SELECT {text(layout.item)} AS headcount_item, {cells} FROM source"
        long = (
            f"SELECT headcount_item AS item, headcount_rater AS rater, headcount_label AS label "
            f"FROM ({wide}) "
            f"UNPIVOT INCLUDE NULLS (headcount_label FOR headcount_rater IN ({names}))"
        )
    else:
        assert layout.label is not None
        fields = [f"{text(layout.item)} AS item", f"{text(layout.label)} AS label"]
        for role in ("rater", "occasion", "pool", "group"):
            column = getattr(layout, role)
            if column is not None:
                fields.append(f"{text(column)} AS {quote_name(role)}")
        if layout.weight is not None:
            weight = f"TRY_CAST({quote_name(layout.weight)} AS DOUBLE)"
            fields.append(f"{weight} AS weight")
        long = f"SELECT {', '.join(fields)} FROM source"
    return f"SELECT * FROM ({long}) WHERE {where}" if where else long


def as_text(column: str, kind: pa.DataType, *, trim: bool = False) -> str:
    """A column as text: whole floats without their ".0", so that 1.0 and 1 are the same id."""
    name = quote_name(column)
    if pa.types.is_floating(kind):
        whole = f"CAST(CAST({name} AS BIGINT) AS VARCHAR)"
        fits = f"{name} = floor({name}) AND abs({name}) < 1e15"
        text = f"CASE WHEN {fits} THEN {whole} ELSE CAST({name} AS VARCHAR) END"
        return f"CASE WHEN isnan({name}) THEN NULL ELSE {text} END"
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return f"trim({name})" if trim else name
    return f"CAST({name} AS VARCHAR)"


def in_list(column: str, values: Sequence[str]) -> str:
    """A condition: the column is one of the values."""
    if not values:
        return "false"
    if len(values) == 1:  # a third faster than a list of one
        return f"{quote_name(column)} = {quote_text(values[0])}"
    return f"{quote_name(column)} IN ({', '.join(quote_text(value) for value in values)})"
