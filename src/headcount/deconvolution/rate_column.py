"""A flip rate for each item, read from a column of the ratings or from a file of its own."""

from pathlib import Path

from headcount.data import Ratings
from headcount.door import Source, open_file
from headcount.door.roles import listing, require_column
from headcount.errors import InputError, OptionError

_NAMES = ("flip_rate", "rate")


def rates_by_name(ratings: Ratings, name: str) -> dict[str, float]:
    """Item ids and their rates, by the name of a column or of a file."""
    source = ratings.source
    if source is not None and ratings.layout.kind == "long" and name in source.columns:
        return _read(source, ratings.layout.item, name)
    if Path(name).is_file():
        table = open_file(name)
        item = require_column("item", table.columns, None, table=table.name)
        return _read(table, item, _rate_column(table, item))
    raise OptionError(
        f'flip_rate is "auto", "retest", "svd", a number from 0 to 1, a rate for each item, or the '
        f"name of a column of the ratings or of a file with item and rate; it was {name!r}."
    )


def _rate_column(table: Source, item: str) -> str:
    others = [column for column in table.columns if column != item]
    for column in others:
        if column.lower() in _NAMES or len(others) == 1:
            return column
    raise InputError(
        f"{table.name} has no column 'flip_rate' beside {item!r} (its columns are "
        f"{listing(table.columns)}): name the column of rates so."
    )


def _read(source: Source, item: str, column: str) -> dict[str, float]:
    """The one rate of every item; a rate that is missing or not the same throughout is refused."""
    rate = f"TRY_CAST({source.text(column)} AS DOUBLE)"
    table = source.ask(
        f"SELECT {source.text(item)} AS item, min({rate}) AS low, max({rate}) AS high, "
        f"count(*) - count({rate}) AS missing FROM source GROUP BY 1 ORDER BY 1"
    )
    rows = table.to_pydict()
    rates = {}
    for name, low, high, missing in zip(*rows.values(), strict=True):
        if missing or low is None:
            raise InputError(
                f"{source.name}: the column {column!r} has no number for item {name!r}: "
                "give every item a flip rate."
            )
        if low != high:
            raise InputError(
                f"{source.name}: the column {column!r} has different flip rates for item {name!r} "
                f"({low:g} and {high:g}): give each item one."
            )
        rates[str(name)] = float(low)
    return rates
