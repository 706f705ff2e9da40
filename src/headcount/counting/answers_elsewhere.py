"""Predictions that stay where they live: different answers come here, with how many items got each.

A large lazy frame, or a large Parquet file, with a row an item is grouped by what classifiers said.
Ratings in the same engine are met there, by item id; no id comes back.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from headcount.arrays import Ints
from headcount.counting import size
from headcount.counting.groups import group_rows
from headcount.counting.part_of_items import drawn_there
from headcount.counting.sql_answers import BLANK
from headcount.door import integers, optional_text_column, table_source, whole
from headcount.door.answered import ITEM, Answered, RawClassifier, wide_columns
from headcount.door.frames import fetched, source_of_frame
from headcount.door.roles import Roles
from headcount.door.source import GLANCE, Source
from headcount.door.text import PLAIN, SPACED, with_spaces
from headcount.errors import InputError
from headcount.frozen import frozen
from headcount.later import Later
from headcount.results import count

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = Later("narwhals")


@frozen
class Afar:
    """Answers elsewhere: the item as text, and `a0`, `a1`, …, the answers as text.

    They are in a lazy `frame`, or in files that the query `sql` reads. `kinds` has the different
    answers, in the order of the rows of `Answered.table`, `size` (K,) how many items got each, and
    `digits` to how many digits each column of answers is read, None where it is as it stands.
    """

    kinds: pa.Table
    size: Ints
    frame: nw.LazyFrame[Any] | None = None
    sql: str | None = None
    digits: tuple[int | None, ...] = ()

    def drawn(self, bound: str, items: pa.Array, columns: list[str], name: str) -> pa.Table:
        """A row an item of a part of them, as in `Answered.table`: ids, then the `columns`.

        The part are the items whose hashes come before a bound; `items` those that are rated,
        which a query takes in less time than hashes.
        """
        if self.sql is None:
            assert self.frame is not None
            table: pa.Table = fetched(drawn_there(self.frame, bound, name), name).to_native()
        else:
            rated = table_source(name, ["item"], pa.table({"item": items}))
            few = f"SELECT * FROM ({self.sql}) WHERE item IN (SELECT c0 FROM source)"
            table = rated.ask(few)
        cells = [
            _decimals(whole(table[place]), digits)
            for place, digits in zip(self.kinds.column_names, self.digits, strict=True)
        ]
        return pa.table([whole(table["item"]).cast(pa.large_string()), *cells], [ITEM, *columns])

    def kind_of(self, answers: pa.Table) -> Ints:
        """The kind of each row of a table with the same columns of answers (R,)."""
        codes = []
        for name in self.kinds.column_names:
            both = pa.concat_arrays(
                [whole(each[name]).cast(pa.large_string()) for each in (self.kinds, answers)]
            )
            codes.append(integers(both.dictionary_encode(null_encoding="encode").indices))
        group = group_rows(*codes).of_row
        place = np.empty(int(group.max(initial=0)) + 1, dtype=np.int64)
        n = self.kinds.num_rows
        place[group[:n]] = np.arange(n)
        found: Ints = place[group[n:]]
        return found


def answers_afar(frame: nw.LazyFrame[Any], roles: Roles, name: str) -> tuple[Answered, Afar] | None:
    """The predictions in a large lazy frame, grouped there; None where it must be fetched.

    That is where a row is one classifier's answer, or one of several runs.
    """
    sample = source_of_frame(frame.head(GLANCE), name)
    found = wide_columns(sample, roles)
    if found is None:
        return None
    item, classifiers, wanted, notes = found
    digits = _digits(frame, wanted)
    cells = [text_of(frame, each, f"a{j}", digits.get(each)) for j, each in enumerate(wanted)]
    there = frame.select(text_of(frame, item, "item"), *cells)
    names = [f"a{j}" for j in range(len(wanted))]
    blank = (nw.col("item").is_null() | (nw.col("item") == "")).cast(nw.Int64).alias("blank")
    told = there.with_columns(blank).group_by(*names)
    table: pa.Table = fetched(
        told.agg(nw.len().alias("headcount_size"), nw.col("item").min(), nw.col("blank").sum()),
        name,
    ).to_native()
    _check_no_blank(sum(table["blank"].to_pylist()), item, name)
    return _packed(name, classifiers, wanted, table, digits, notes, frame=there)


def answers_in_files(source: Source, roles: Roles) -> tuple[Answered, Afar] | None:
    """The same of large Parquet files, grouped by DuckDB; None where they must be read whole."""
    if source.size <= size.LARGE_FILE or not source.scan.startswith("read_parquet"):
        return None
    found = wide_columns(source, roles)
    if found is None:
        return None
    item, classifiers, wanted, notes = found
    digits = _digits_in_files(source, wanted)
    cells = [_cell(source, each, digits.get(each)) for each in wanted]
    sql, table = _kinds_in_files(source, [source.text(item), *cells])
    if any(table["odd"].to_pylist()):
        return None  # a blank id: to be told with its row when it is read whole
    return _packed(source.name, classifiers, wanted, table, digits, notes, sql=sql)


def _kinds_in_files(source: Source, texts: list[str]) -> tuple[str, pa.Table]:
    """The query for item, a0, a1, … by these columns, and its different answers.

    Taking spaces off ids costs as much as joining them: cells are read as they stand, and again
    without their spaces only where one has any.
    """
    names = [f"a{j}" for j in range(len(texts) - 1)]
    spaced = " OR ".join(SPACED.format(name) for name in names)
    not_plain = f"NOT coalesce({PLAIN.format('item')}, false)"
    for columns, odd in (([*map(with_spaces, texts)], not_plain), (texts, BLANK.format("item"))):
        sql = f"SELECT {columns[0]} AS item, {_listed(columns[1:])} FROM {source.scan}"
        kinds = (
            f"SELECT {', '.join(names)}, count(*) AS headcount_size, min(item) AS item, "
            f"count(CASE WHEN {odd} THEN 1 END) AS odd FROM ({sql}) GROUP BY {', '.join(names)}"
        )
        table = source.ask(f"SELECT *, {spaced} AS spaced FROM ({kinds})")
        if not any(table["odd"].to_pylist()) and not any(table["spaced"].to_pylist()):
            break
    return sql, table


def _listed(cells: list[str]) -> str:
    return ", ".join(f"{cell} AS a{j}" for j, cell in enumerate(cells))


def _packed(
    name: str,
    classifiers: tuple[RawClassifier, ...],
    wanted: list[str],
    table: pa.Table,
    digits: dict[str, int],
    notes: tuple[str, ...],
    *,
    frame: nw.LazyFrame[Any] | None = None,
    sql: str | None = None,
) -> tuple[Answered, Afar]:
    """Kinds of answers a0, a1, … with one item of each, as predictions are handed on."""
    names = [f"a{j}" for j in range(len(wanted))]
    columns = [
        _decimals(whole(table[place]), digits.get(each))
        for place, each in zip(names, wanted, strict=True)
    ]
    ids = whole(table["item"]).cast(pa.large_string())
    told = pa.table([ids, *columns], [ITEM, *wanted])
    if digits:
        notes = (*notes, cut_note(min(digits.values())))
    read_to = tuple(map(digits.get, wanted))
    afar = Afar(table.select(names), integers(table["headcount_size"]), frame, sql, read_to)
    return Answered(name, classifiers, told, None, notes), afar


def cut_note(digits: int) -> str:
    """That probabilities were read to so many digits, and how far that moves one."""
    return (
        f"There are more than {size.MOST_KINDS:,} different answers: probabilities are read to "
        f"{digits} digits, which moves none of them by more than "
        f"{0.5 * 10.0**-digits:.{digits + 1}f}."
    )


def _cell(source: Source, column: str, digits: int | None) -> str:
    if digits is None:
        return source.text(column)
    steps = f"floor({_number(source, column)} * {10.0**digits} + 0.5)"
    return f"CAST(CAST({steps} AS BIGINT) AS VARCHAR)"


def _number(source: Source, column: str) -> str:
    """A column of numbers, in SQL, of which NaN is none."""
    # By what it gives, not by isnan: what files say of their least and largest leaves NaN out, and
    # the database believes from that that there is none.
    place = f"c{source.position(column)}"
    return f"CASE WHEN {place} * 0 = 0 THEN {place} END"


def _digits_in_files(source: Source, wanted: list[str]) -> dict[str, int]:
    sure = [name for name in wanted if pa.types.is_floating(source.kinds[source.position(name)])]
    if not sure:
        return {}
    shares = ", ".join(
        f"coalesce(min({at}) >= 0 AND max({at}) <= 1 AND bool_or({at} <> floor({at})), false)"
        for at in (_number(source, name) for name in sure)
    )
    kinds = ", ".join(f"approx_count_distinct(c{source.position(name)})" for name in wanted)
    row = source.ask_row(f"SELECT {shares}, {kinds} FROM source")
    about = row[len(sure) :]
    if math.prod(about) * size.KINDS_MISJUDGED <= size.MOST_KINDS:
        return {}
    if (
        max(about) <= size.MOST_KINDS * size.KINDS_MISJUDGED
        and _different(source, wanted, {}) <= size.MOST_KINDS
    ):
        return {}
    found: dict[str, int] = {}
    for digits in size.DIGITS:
        found = {name: digits for name, share in zip(sure, row, strict=False) if share}
        if _different(source, wanted, found) <= size.MOST_KINDS:
            break
    return found


def _different(source: Source, wanted: list[str], digits: dict[str, int]) -> int:
    """How many different rows of answers there are."""
    cells = ", ".join(_cell(source, each, digits.get(each)) for each in wanted)
    (n,) = source.ask_row(f"SELECT count(*) FROM (SELECT DISTINCT {cells} FROM source)")
    return int(n)


def text_of(frame: nw.LazyFrame[Any], column: str, role: str, digits: int | None = None) -> nw.Expr:
    """A column as text by the door's rule: no spaces around it, NaN is no value, 1.0 is 1.

    With `digits` the whole number that it is once multiplied by a power of ten.
    """
    kind = frame.collect_schema()[column]
    is_float = kind in (nw.Float64, nw.Float32)
    if digits is not None:
        steps = (nw.col(column).cast(nw.Float64) * 10.0**digits + 0.5).cast(nw.Int64)
        known = ~nw.col(column).is_nan() if is_float else ~nw.col(column).is_null()
        return nw.when(known).then(steps.cast(nw.String)).alias(role)
    text = nw.col(column).cast(nw.String)
    if is_float:
        text = text.str.replace_all(r"\.0$", "")
        text = nw.when(~nw.col(column).is_nan()).then(text)
    return text.str.strip_chars(" ").alias(role)


def _check_no_blank(blanks: int, item: str, name: str) -> None:
    if blanks:
        raise InputError(
            f"{name}: the item (column {item!r}) is blank in {count(blanks, 'row', 'rows')}: give "
            "each row its id."
        )


def _digits(frame: nw.LazyFrame[Any], wanted: list[str]) -> dict[str, int]:
    """To how many digits columns of probabilities are read, where answers are too many."""
    schema = frame.collect_schema()
    sure = [name for name in wanted if schema[name] in (nw.Float64, nw.Float32)]
    if not sure or _kinds(frame, wanted, {}) <= size.MOST_KINDS:
        return {}
    known = [nw.when(~nw.col(name).is_nan()).then(nw.col(name)) for name in sure]
    ends = [each.min().alias(f"l{j}") for j, each in enumerate(known)]
    ends += [each.max().alias(f"h{j}") for j, each in enumerate(known)]
    ends += [(each % 1 > 0).cast(nw.Int64).max().alias(f"f{j}") for j, each in enumerate(known)]
    (row,) = fetched(frame.select(*ends), "the predictions").rows(named=True)
    shares = [
        name
        for j, name in enumerate(sure)
        if row[f"l{j}"] is not None and row[f"l{j}"] >= 0 and row[f"h{j}"] <= 1 and row[f"f{j}"]
    ]
    for digits in size.DIGITS:
        found = dict.fromkeys(shares, digits)
        if _kinds(frame, wanted, found) <= size.MOST_KINDS:
            break
    return found


def _kinds(frame: nw.LazyFrame[Any], wanted: list[str], digits: dict[str, int]) -> int:
    cells = [text_of(frame, each, f"a{j}", digits.get(each)) for j, each in enumerate(wanted)]
    distinct = frame.select(*cells).unique()
    (n,) = fetched(distinct.select(nw.len().alias("n")), "the predictions")["n"].to_list()
    return int(n)


def _decimals(steps: pa.Array, digits: int | None) -> pa.Array:
    """Whole numbers of steps as the probabilities they stand for."""
    if digits is None:
        return steps.cast(pa.large_string())
    return optional_text_column(
        None if step is None else f"{int(step) / 10**digits:.{digits}f}"
        for step in steps.to_pylist()
    ).cast(pa.large_string())
