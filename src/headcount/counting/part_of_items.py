"""A part of the items, drawn by a hash of their ids: which items it takes, in every engine.

How much raters differ hardly needs every item: a part, complete with all of its ratings, tells
it. An item belongs to the part where the MD5 of its id, as hexadecimal text, comes before a
bound: the same items in DuckDB, pandas, Polars and Spark, today and next year, whatever the order
of the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headcount.counting import size
from headcount.door import table_source
from headcount.door.frames import fetched, lazy_frame
from headcount.later import Later

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = Later("narwhals")

# Hexadecimal digits of a bound: items are drawn with a chance that is exact to 16⁻¹².
_DIGITS = 12


def bound_of(n_items: int, n_ratings: int) -> str:
    """The text before which the hashes of a part's items come.

    >>> bound_of(1_000_000, 10_000_000)
    '0ccccccccccc'
    >>> bound_of(100, 200) > "f" * 32
    True
    """
    wanted = min(
        size.PART_ITEMS, max(size.PART_RATINGS * n_items / max(n_ratings, 1), size.PART_LEAST)
    )
    if wanted >= n_items:
        return "g"  # past every digit
    return f"{int(wanted / n_items * 16**_DIGITS):0{_DIGITS}x}"


def is_drawn(item: str, bound: str) -> str:
    """The condition, in SQL, that the item of this expression belongs to the part.

    DuckDB and Spark read it alike.
    """
    return f"md5({item}) < '{bound}'"


def drawn_there(frame: nw.LazyFrame[Any], bound: str, name: str) -> nw.LazyFrame[Any]:
    """The rows of a lazy frame whose `item` belongs to the part; `name` is for messages."""
    if frame.implementation in (nw.Implementation.DUCKDB, nw.Implementation.PYSPARK):
        return lazy_frame(frame.to_native().filter(is_drawn("item", bound)))
    # Other engines have no such hash, and are on this machine: the ids are looked at here.
    ids = fetched(frame.select("item").unique(), name).to_native()
    few = table_source(name, ["item"], ids).ask(
        f"SELECT c0 FROM source WHERE {is_drawn('c0', bound)}"
    )
    return frame.filter(nw.col("item").is_in(few.column(0).to_pylist()))
