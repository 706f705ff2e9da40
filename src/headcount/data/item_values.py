"""What is said of items from outside the ratings: gold labels, slices, strata."""

import os
from collections.abc import Mapping
from typing import Any

from headcount.door import source_of_frame
from headcount.door.reading import Asked, open_ratings
from headcount.door.roles import Roles, find_column, listing, require_column
from headcount.door.source import Source
from headcount.door.text import is_missing
from headcount.errors import InputError


def values_by_item(given: Any, role: str) -> dict[str, str]:
    """Each item's value by its id, from a mapping, or a file or frame with a row an item.

    `role` says what the values are ("gold", "slice"); a table has a column of that name or of a
    usual one for it, or only one column beside the item's.

    >>> values_by_item({1: "cat", 2: None}, "gold")
    {'1': 'cat'}
    """
    if isinstance(given, Mapping):
        pairs = (
            (str(item), None if value is None else str(value)) for item, value in given.items()
        )
        return {item: value for item, value in pairs if not is_missing(value) and value is not None}
    source = (
        open_ratings(given, Roles(), Asked())
        if isinstance(given, str | os.PathLike)
        else source_of_frame(given, f"the {role} frame")
    )
    return _by_item(source, role)


def _by_item(source: Source, role: str) -> dict[str, str]:
    item = require_column("item", source.columns, None, table=source.name)
    others = [name for name in source.columns if name != item]
    column = find_column(role, others, None, table=source.name)
    column = column or (role if role in others else None)
    column = column or find_column("label", others, None, table=source.name)
    if column is None and len(others) == 1:
        column = others[0]
    if column is None:
        raise InputError(
            f"{source.name} does not tell which column is the {role}: call it {role!r}; its "
            f"columns are {listing(source.columns)}."
        )
    table = source.ask(f"SELECT {source.text(item)} AS i, {source.text(column)} AS v FROM source")
    found: dict[str, str] = {}
    for name, value in zip(table["i"].to_pylist(), table["v"].to_pylist(), strict=True):
        if name is None or is_missing(value):
            continue
        if found.setdefault(name, value) != value:
            raise InputError(
                f"{source.name} says {found[name]!r} and {value!r} of the item {name!r}: the "
                f"{role} of an item must be one."
            )
    return found
