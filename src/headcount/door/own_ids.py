"""The user's own ids in place of those that a tool gave: a field of each record of an export."""

from types import ModuleType
from typing import Any

from headcount.door.documents import cell, leaves, walk
from headcount.door.roles import listing
from headcount.door.tools.found import Export, Found
from headcount.errors import InputError

_SHOWN = 50
"""Records that are looked at for the paths to print."""


def with_own_ids(tool: ModuleType, export: Export, found: Found, paths: tuple[str, ...]) -> Found:
    """The same export, whose items go by the values that the paths lead to in their records.

    Each record is read alone by the tool's reader, which tells which items it holds. Only the key
    changes: what the reader leaves out stays left out.
    """
    known = _items(found)
    for record in export.records:
        told = tuple(_value(record, path) for path in paths)
        alone: Found = tool.read(Export(export.path, [record], export.columns, export.question))
        for item in _items(alone) & known:
            if all(told):
                found.own.setdefault(item, tuple(str(text) for text in told))
    if not found.own:
        inside = listing(leaves(export.first(_SHOWN)), 20)
        raise InputError(
            f"{export.path}: no record of this export of {found.tool} has {listing(paths)}: name "
            f"a field that leads to one value a record: {inside}."
        )
    found.own_names = paths
    without = [rating for rating in found.ratings if rating.item not in found.own]
    if without:
        found.left_out[f"without {' and '.join(paths)}"] += len(without)
        found.ratings[:] = [rating for rating in found.ratings if rating.item in found.own]
    return found


def _items(found: Found) -> set[str]:
    cells = (found.answers, found.scores, found.soft, found.outputs)
    return {rating.item for rating in found.ratings} | {key[0] for each in cells for key in each}


def _value(record: Any, path: str) -> str | None:
    values = {cell(value) for _, value in walk(record, path)}
    return values.pop() if len(values) == 1 else None
