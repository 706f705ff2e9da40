"""The answers one by one, coded as integers: for the methods that must know who said what.

Codes lie in an order that does not depend on the order of the rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.arrays import Ints
from headcount.data.meaning import Meaning
from headcount.door import floats, integers, number_column, texts, whole
from headcount.errors import InputError
from headcount.frozen import frozen


@frozen
class Column:
    """A column of answers or items, coded: `names` (k,), and `code` (R,) into them."""

    names: tuple[str, ...]
    code: Ints


@frozen
class Answers:
    """Every answer, retests included, with item, rater and label as integer codes.

    `items` (n,) and `raters` (m,) hold the names as text; `item`, `rater`, `label` and
    `occasion` are (R,) codes. `occasion` is 0 for a rater's first answer on an item, 1 for
    the second and so on. `weight` is (R,) or None where no such column was read. `by` has every
    column of groups by its name; `groups` and `group` are the names and codes of the first. `time`
    has the texts that say when answers were given, where a column does.
    """

    items: NDArray[np.object_]
    raters: NDArray[np.object_]
    item: Ints
    rater: Ints
    label: Ints
    occasion: Ints
    groups: tuple[str, ...] = ()
    group: Ints | None = None
    weight: NDArray[np.float64] | None = None
    by: dict[str, Column] = field(default_factory=dict)
    time: Column | None = None

    def first(self) -> "Answers":
        """Only each rater's first answer on each item: what every method but flip rates uses."""
        return self.where(self.occasion == 0)

    def matrix(self) -> Ints:
        """First answers as items × raters, −1 where a rater did not rate the item."""
        first = self.first()
        grid = np.full((len(self.items), len(self.raters)), -1, dtype=np.int64)
        grid[first.item, first.rater] = first.label
        return grid

    def where(self, keep: NDArray[np.bool_]) -> "Answers":
        """Some of the answers, of as many items and raters."""
        return Answers(
            self.items,
            self.raters,
            self.item[keep],
            self.rater[keep],
            self.label[keep],
            self.occasion[keep],
            self.groups,
            None if self.group is None else self.group[keep],
            None if self.weight is None else self.weight[keep],
            {name: Column(column.names, column.code[keep]) for name, column in self.by.items()},
            None if self.time is None else Column(self.time.names, self.time.code[keep]),
        )


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
    """The coded form of a table: item, rater, label, occasion, perhaps g0, …, weight and time."""
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
        code_column(table["time"], "") if "time" in table.column_names else None,
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


@frozen
class Named:
    """Who said what about the items of a study: (R,) codes of first answers.

    `item` counts in the rows of `Study.judged`, `raters` (m,) names those who rated any of them.
    `by` has every column of groups of raters, coded (R,).
    """

    item: Ints
    rater: Ints
    label: Ints
    raters: NDArray[np.object_]
    by: dict[str, Column] = field(default_factory=dict)

    @property
    def n_raters(self) -> int:
        """How many raters rated any of the items."""
        return len(self.raters)
