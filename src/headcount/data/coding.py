"""Texts to integer codes, in an order that does not depend on the order of the rows."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.data.answers import Answers
from headcount.data.meaning import Meaning
from headcount.door import floats, integers, texts, whole
from headcount.errors import InputError

Ints = NDArray[np.int64]


def code_texts(column: pa.ChunkedArray) -> tuple[NDArray[np.object_], Ints]:
    """The distinct texts in order, and each row's position among them."""
    encoded = whole(column.cast(pa.string())).dictionary_encode()
    order = integers(pc.sort_indices(encoded.dictionary))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    return texts(encoded.dictionary)[order], position[integers(encoded.indices)]


def answers_from_table(table: pa.Table, meaning: Meaning, name: str) -> Answers:
    """The coded form of a table with item, rater, label, occasion and perhaps group, weight."""
    items, item = code_texts(table["item"])
    raters, rater = code_texts(table["rater"])
    raw, raw_code = code_texts(table["label"])
    label = np.array([meaning.codes[text] for text in raw], dtype=np.int64)[raw_code]
    groups: tuple[str, ...] = ()
    group, weight = None, None
    if "group" in table.column_names:
        filled = pc.fill_null(table["group"].cast(pa.string()), "")
        names, group = code_texts(filled)
        groups = tuple(str(text) if text else "(no group)" for text in names)
    if "weight" in table.column_names:
        weight = floats(table["weight"])
        if not np.isfinite(weight).all() or (weight < 0).any():
            row = int(np.flatnonzero(~(weight >= 0) | ~np.isfinite(weight))[0])
            raise InputError(
                f"{name}: the weight of rater {raters[rater[row]]!r} on item "
                f"{items[item[row]]!r} is not a number of at least 0: correct it."
            )
    occasion = integers(table["occasion"])
    return Answers(items, raters, item, rater, label, occasion, groups, group, weight)
