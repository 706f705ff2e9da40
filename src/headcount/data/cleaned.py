"""Ratings as they were understood, as one table that reads back to the same numbers."""

from collections.abc import Iterable

import pyarrow as pa

from headcount.arrays import Ints
from headcount.data.ratings import Ratings
from headcount.door import number_column, positions, text_column


def cleaned(ratings: Ratings) -> pa.Table:
    """A row an answer: item, rater, label, occasion, groups, weight, and what is said of items.

    Missing answers and copies of rows are left out, labels are as they were understood. Mere
    counts stay counts: a row an item, a column a label.

    >>> import pyarrow as pa
    >>> frame = pa.table({"case": [1, 2], "ann": ["yes", "no"], "ben": ["yes", None]})
    >>> table = cleaned(Ratings.from_wide(frame))
    >>> table.column_names, table["label"].to_pylist()
    (['item', 'rater', 'label'], ['yes', 'yes', 'no'])
    """
    if ratings.layout.kind == "counts":
        return _counts(ratings)
    answers = ratings.answers()
    columns = {"item": _coded(answers.items, answers.item)}
    if ratings.named:
        columns["rater"] = _coded(answers.raters, answers.rater)
    columns["label"] = _coded(ratings.labels.names, answers.label)
    if answers.occasion.any():
        columns["occasion"] = number_column(answers.occasion + 1)
    for name, group in answers.by.items():
        columns[_free(name, columns)] = _coded(group.names, group.code)
    if answers.weight is not None:
        columns[_free("weight", columns)] = number_column(answers.weight)
    said = ratings.item_columns()
    place = positions(answers.items, ratings.item_counts().items)[answers.item] if said else None
    for role, column in said.items():
        columns[_free(role, columns)] = _coded(column.names, column.code[place])
    return pa.table(columns)


def _counts(ratings: Ratings) -> pa.Table:
    counted = ratings.item_counts()
    columns = {"item": text_column(counted.items)}
    for j, name in enumerate(ratings.labels.names):
        columns[_free(name, columns)] = number_column(counted.counts[:, j])
    return pa.table(columns)


def _coded(names: Iterable[str], codes: Ints) -> pa.Array:
    """Texts by their codes, each text kept once."""
    return pa.DictionaryArray.from_arrays(number_column(codes), text_column(names))


def _free(name: str, taken: dict[str, pa.Array]) -> str:
    while name in taken:
        name += "_"
    return name
