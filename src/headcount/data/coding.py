"""Texts to integer codes, in an order that does not depend on the order of the rows."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.data.answers import Answers, Column
from headcount.data.meaning import Meaning
from headcount.door import floats, integers, number_column, texts, whole
from headcount.errors import InputError

Ints = NDArray[np.int64]


def code_texts(column: pa.ChunkedArray) -> tuple[NDArray[np.object_], Ints]:
    """The distinct texts in order, and each row's position among them."""
    encoded = whole(column.cast(pa.string())).dictionary_encode()
    order = integers(pc.sort_indices(encoded.dictionary))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    return texts(encoded.dictionary)[order], position[integers(encoded.indices)]


def code_column(column: pa.ChunkedArray, nothing: str) -> Column:
    """A column coded, with a name for where it is blank."""
    names, code = code_texts(pc.fill_null(column.cast(pa.string()), ""))
    return Column(tuple(str(text) if text else nothing for text in names), code)


def answers_from_table(
    table: pa.Table, meaning: Meaning, name: str, groups: Sequence[str] = ()
) -> Answers:
    """The coded form of a table with item, rater, label, occasion and perhaps g0, …, weight."""
    items, item = code_texts(table["item"])
    raters, rater = code_texts(table["rater"])
    raw, raw_code = code_texts(table["label"])
    label = np.array([meaning.codes[text] for text in raw], dtype=np.int64)[raw_code]
    by = {
        group: code_column(table[f"g{j}"], "(no group)")
        for j, group in enumerate(groups)
        if f"g{j}" in table.column_names
    }
    first = next(iter(by.values()), None)
    weight = None
    if "weight" in table.column_names:
        weight = floats(table["weight"])
        if not np.isfinite(weight).all() or (weight < 0).any():
            row = int(np.flatnonzero(~(weight >= 0) | ~np.isfinite(weight))[0])
            raise InputError(
                f"{name}: the weight of rater {raters[rater[row]]!r} on item "
                f"{items[item[row]]!r} is not a number of at least 0: correct it."
            )
    return Answers(
        items,
        raters,
        item,
        rater,
        label,
        integers(table["occasion"]),
        () if first is None else first.names,
        None if first is None else first.code,
        weight,
        by,
    )


def columns_of_items(
    table: pa.Table, of_items: Mapping[str, str], rows: Ints, name: str
) -> dict[str, Column]:
    """What is said of items, coded: the `rows` of a table with a column i0, i1, … for each role.

    `of_items` has the column behind each role, and v0, v1, … tell where it varies within an
    item, which only a text may. `name` is what messages call the table.
    """
    found: dict[str, Column] = {}
    for j, (role, column) in enumerate(of_items.items()):
        varies = table[f"v{j}"].to_pylist()
        if role != "text" and any(varies):
            item = table["item"][varies.index(True)].as_py()
            raise InputError(
                f"{name}: the column {column!r} has different values for the item {item!r}: "
                f"a column that says something of the item ({role}) must say one thing."
            )
        found[role] = code_column(table[f"i{j}"].take(number_column(rows)), "(none)")
    return found
