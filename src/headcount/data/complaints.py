"""What is wrong with a table of answers, said with the place where it is wrong."""

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from headcount.door import Source, integers
from headcount.door.layout import Layout
from headcount.errors import InputError

Ask = Callable[[str], pa.Table]

BLANK = "({0} IS NULL OR {0} = '')"
"""The condition that a field has nothing in it."""


def complain_of_blank(role: str, answers: str, ask: Ask, source: Source, layout: Layout) -> None:
    """An item or a rater is blank: say in which row, and how often."""
    table = ask(
        f"SELECT count(*), min(row) FROM (SELECT {role}, row_number() OVER () - 1 AS row "
        f"FROM {answers}) WHERE {BLANK.format(role)}"
    )
    how_many, row = (column[0].as_py() for column in table.columns)
    remedy = (
        "give each row its item's id"
        if role == "item"
        else "name the rater, or leave the whole rater column out if raters are anonymous"
    )
    # In a wide table an answer is a cell, so its number among the answers is not its line.
    place = source.name if layout.kind == "wide" else source.place(int(row))
    raise InputError(
        f"{place}: the {role} (column {getattr(layout, role)!r}) is blank"
        f"{f', and in {how_many - 1:,} more rows' if how_many > 1 else ''}: {remedy}."
    )


def complain_of_second_row(answers: str, ask: Ask, source: Source, layout: Layout) -> None:
    """A table with a row an item has an item twice: say which."""
    table = ask(
        f"SELECT item, count(*) // {len(layout.others)} AS n FROM {answers} "
        "GROUP BY item ORDER BY n DESC, item LIMIT 1"
    )
    item, rows = (column[0].as_py() for column in table.columns)
    raise InputError(
        f"{source.name}: the item {item!r} has {rows} rows, but in a table with a column "
        "a rater each item has one: is it a row an answer? Then name the label with label= "
        "(--label)."
    )


def complain_of_unrated(item_counts: pa.Table, how_many: int, name: str) -> None:
    """Items have missing labels alone: say how many, and one of them."""
    totals = np.sum([integers(column) for column in item_counts.columns[1:]], axis=0)
    example = item_counts["item"][int(np.argmin(totals))].as_py()
    raise InputError(
        f"{name}: the item {example!r}"
        f"{f' and {how_many - 1:,} more' if how_many > 1 else ''} has no rating, only missing "
        'labels: remove it, or leave such items out with unrated="drop" (--unrated drop).'
    )
