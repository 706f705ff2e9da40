"""Classifiers' answers as small numbers while items are joined: a join carries what it is given."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.door import integers, number_column, whole
from headcount.frozen import frozen

_MOST = 255
"""Different answers of a classifier that fit into a byte, with 0 for none."""


@frozen
class AnswerCodes:
    """Columns of answers (a0, a1, …) and, of those with few different ones, their texts."""

    names: tuple[str, ...]
    texts: dict[str, pa.Array]

    @classmethod
    def of(cls, kinds: pa.Table) -> "AnswerCodes":
        """By the different answers that there are.

        >>> codes = AnswerCodes.of(pa.table({"a0": ["yes", "no", None]}))
        >>> codes.values
        {'codes_a0': ['yes', 'no']}
        """
        found = {name: pc.drop_null(pc.unique(whole(kinds[name]))) for name in kinds.column_names}
        few = {name: texts for name, texts in found.items() if 0 < len(texts) <= _MOST}
        return cls(tuple(kinds.column_names), few)

    @property
    def values(self) -> dict[str, list[str]]:
        """The users' texts that the query names."""
        return {f"codes_{name}": texts.to_pylist() for name, texts in self.texts.items()}

    def met_sql(self, by_item: str, n_labels: int, answers: str) -> str:
        """Items of `by_item` (item, n0, n1, …) grouped by counts and what `answers` say of them.

        `there` is null without a row of answers, and `items` says how many there are.
        """
        counts = ", ".join(f"CAST(n{j} AS BIGINT) AS n{j}" for j in range(n_labels))
        carried = ["item", *(f"{self._code(name)} AS {name}" for name in self.names)]
        there = next((f"CASE WHEN {name} IS NOT NULL THEN 1 END" for name in self.texts), "there")
        if not self.texts:
            carried.append("1 AS there")
        said = f"SELECT {', '.join(carried)} FROM ({answers})"
        fields = f"{counts}, {', '.join(self.names)}, {there} AS there"
        rows = f"SELECT {fields} FROM ({by_item}) LEFT JOIN ({said}) USING (item)"
        return f"SELECT *, count(*) AS items FROM ({rows}) GROUP BY ALL"

    def _code(self, name: str) -> str:
        """The answer as it is carried: none as 0, so that what is null was not there at all."""
        if name not in self.texts:
            return name
        return f"CAST(coalesce(list_position($codes_{name}, {name}), 0) AS UTINYINT)"

    def decoded(self, table: pa.Table) -> pa.Table:
        """The answers as texts again."""
        for name, texts in self.texts.items():
            code = integers(whole(table[name]), missing=0)
            place = number_column(np.where(code == 0, len(texts), code - 1))
            said = pa.concat_arrays([texts, pa.nulls(1, texts.type)]).take(place)
            table = table.set_column(table.column_names.index(name), name, said)
        return table
