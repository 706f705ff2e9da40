"""The answers of a table in SQL: which of them count, and which of a rater's is the first."""

import re
from dataclasses import field
from typing import Any

import pyarrow as pa

from headcount.data.complaints import complain_of_blank
from headcount.data.meaning import Meaning
from headcount.data.meant import counts_sql, meant_sql
from headcount.door import Source
from headcount.door.layout import Layout
from headcount.door.said import Said
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
