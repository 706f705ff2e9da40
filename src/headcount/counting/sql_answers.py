"""The answers of a table in SQL: which count, what they mean, and who may have answered twice.

A column `label` holds the user's texts, which queries name as $l0, $l1, … Who has certainly not
answered an item twice is told by bit masks of its raters: each rater sets one bit in each mask,
picked by the hash of their name. A rater who answers twice sets the same bits again, so fewer bits
than answers means "perhaps twice" and as many means "certainly not". A name whose bits are not all
set has certainly not answered. Four independent masks leave one innocent item in twelve under
suspicion at ten ratings an item, and cost a fraction of grouping by item and rater.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

import pyarrow as pa

from headcount.counting.protocol import Meaning
from headcount.door import Source
from headcount.door.layout import Layout
from headcount.door.said import Said
from headcount.errors import InputError
from headcount.frozen import frozen

_VALUE = re.compile(r"\$(\w+)")
_QUOTED = re.compile(r"'[^']*'")


@frozen
class SqlAnswers:
    """The answers of a long or wide table. `keep` is the part of them that counts."""

    layout: Layout
    said: Said
    keep: tuple[str, tuple[str, ...]] | None = field(default=None, kw_only=True)

    @property
    def source(self) -> Source:
        """Where the answers are."""
        return self.said.source

    @property
    def _answers(self) -> str:
        return self._kept(self.said.sql)

    def _kept(self, answers: str) -> str:
        if self.keep is None:
            return answers
        column, values = self.keep
        kept = ", ".join(f"$keep{j}" for j in range(len(values)))
        return f"(SELECT * FROM {answers} WHERE {column} IN ({kept}))"

    def _ask(
        self, sql: str, meaning: Meaning | None = None, *, part: bool = False, **others: Any
    ) -> pa.Table:
        return self.source.ask(sql, self._used(sql, meaning), part=part, **others)

    def _used(self, sql: str, meaning: Meaning | None, **others: Any) -> dict[str, Any]:
        """The user's texts that a query names."""
        values: dict[str, Any] = {**self.said.values, **others}
        if self.keep is not None:
            values |= {f"keep{j}": value for j, value in enumerate(self.keep[1])}
        if meaning is not None:
            values |= {f"l{k}": raw for k, raw in enumerate(meaning.codes)}
        named = _VALUE.findall(_QUOTED.sub("", sql))  # a path may have a dollar in it too
        return {name: values[name] for name in set(named)}

    def _by_item(self, meaning: Meaning, *, first: bool) -> str:
        answers = self._first_answers(meaning) if first else self._answers
        return f"SELECT item, {counts_sql(meaning)} FROM {answers} GROUP BY item"

    def _first_answers(self, meaning: Meaning) -> str:
        return f"(SELECT * FROM {self._numbered(meaning)} QUALIFY {self._occasion()} = 1)"

    def _numbered(self, meaning: Meaning) -> str:
        """Answers that mean something, copies of rows left out, with the row they stand in."""
        rows = f"SELECT *, row_number() OVER () AS row FROM {self._answers}"
        meant = f"SELECT * FROM ({rows}) WHERE {meant_sql(meaning)}"
        if "twin" in self.said.names:
            meant += " QUALIFY row_number() OVER (PARTITION BY item, rater, twin ORDER BY row) = 1"
        return f"({meant})"

    def _occasion(self) -> str:
        return f"row_number() OVER (PARTITION BY item, rater ORDER BY {self.said.order})"

    def _complain_of_blank(self, role: str) -> None:
        complain_of_blank(role, self._answers, self._ask, self.source, self.layout)


NUMBER = "TRY_CAST(label AS DOUBLE)"
IS_NUMBER = f"coalesce(isfinite({NUMBER}), false)"


def counts_sql(meaning: Meaning) -> str:
    """How often each label was given, n0, n1 and so on; of numbers how many there are."""
    if meaning.as_numbers:
        return f"{_how_often(meant_sql(meaning))} AS n0"
    places = _places(meaning)
    return ", ".join(
        f"{_how_often(_is_one_of(places[j]))} AS n{j}" for j in range(meaning.n_labels)
    )


def _how_often(condition: str) -> str:
    # `count_if` sums, in a field three times as wide.
    return f"count(CASE WHEN {condition} THEN 1 END)"


def _places(meaning: Meaning) -> list[list[str]]:
    """For each label, the values in SQL that mean it."""
    found: list[list[str]] = [[] for _ in range(meaning.n_labels)]
    for k, code in enumerate(meaning.codes.values()):
        found[code].append(f"$l{k}")
    return found


def _is_one_of(places: list[str]) -> str:
    if not places:
        return "false"
    if len(places) == 1:  # a third faster than a list of one
        return f"label = {places[0]}"
    return f"label IN ({', '.join(places)})"


def meant_sql(meaning: Meaning) -> str:
    """Answers that are labels; where none is missing there is nothing to compare."""
    if meaning.as_numbers:
        others = ", ".join(map(repr, meaning.no_answers))
        return IS_NUMBER + (f" AND {NUMBER} NOT IN ({others})" if others else "")
    if not meaning.missing:
        return "true"
    return _is_one_of([f"$l{k}" for k in range(len(meaning.codes))])


# Each one more halves the innocent items under suspicion, and costs eight bytes an item.
_N_MASKS = 4


def mask_fields(rater: str) -> str:
    """The aggregates of an item: how many answers it has, and the masks of who gave them."""
    masks = (f"bit_or({_bit(rater, j)}) AS mask{j}" for j in range(_N_MASKS))
    return f"count(*) AS said, {', '.join(masks)}"


def maybe_twice() -> str:
    """A condition on an item: a rater may have answered twice."""
    return _all_of(f"bit_count(mask{j}) < said" for j in range(_N_MASKS))


def maybe_answered(rater: str) -> str:
    """A condition on an item: the rater of this name, an SQL constant, may have answered."""
    return _all_of(f"(mask{j} & {_bit(rater, j)}) <> 0" for j in range(_N_MASKS))


def _bit(rater: str, mask: int) -> str:
    # Shifted right from the highest bit: a left shift is checked for overflow in every row,
    # and for that reason never worked out once for each distinct name.
    return f"(9223372036854775808::UBIGINT >> ((hash({rater}) >> {6 * mask}) & 63))"


def _all_of(conditions: Iterable[str]) -> str:
    return f"({' AND '.join(conditions)})"


Ask = Callable[[str], pa.Table]

# The condition that a field has nothing in it.
BLANK = "({0} IS NULL OR {0} = '')"


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
