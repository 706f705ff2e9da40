"""Where ratings and predictions meet: items grouped by label counts and by what classifiers said.

Predictions come as kinds, equal answers alike: with an id and a number each (`KindsHere`), or left
where they live (`answers_elsewhere.Afar`). Every engine joins the one, and the other if it lives
there; what comes back is `Met`.
"""

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.arrays import Ints
from headcount.counting import size
from headcount.door import integers, number_column, whole
from headcount.frozen import frozen

if TYPE_CHECKING:
    from headcount.counting.answers_elsewhere import Afar


Kinds: TypeAlias = "KindsHere | Afar"


@frozen
class KindsHere:
    """Predicted items: `ids`, and `kind` (n,), numbers of their predictions, equal ones alike."""

    ids: pa.Array
    kind: Ints

    def tables(self) -> dict[str, pa.Table]:
        """The table that `met_sql` joins."""
        return {"predicted": pa.table({"item": self.ids, "kind": number_column(self.kind)})}


@frozen
class Met:
    """Label counts (G, L), kinds (G,), −1 without a prediction, and how many `items` (G,)."""

    counts: Ints
    kind: Ints
    items: Ints

    @classmethod
    def of(cls, table: pa.Table) -> "Met":
        """From a table of counts and, in its last columns, `kind` and `items`."""
        *counts, kind, items = (integers(column) for column in table.columns)
        return cls(np.column_stack(counts), kind, items)

    @classmethod
    def there(cls, table: pa.Table, said: "Afar", n_labels: int) -> "Met":
        """From counts, the answers, `there`, null without a prediction, and `items`."""
        known = pc.is_valid(table["there"])
        kind = np.full(table.num_rows, -1, dtype=np.int64)
        answers = table.select(said.kinds.column_names).filter(known)
        kind[integers(whole(table["there"]), missing=0) == 1] = said.kind_of(answers)
        counts = np.column_stack([integers(column) for column in table.columns[:n_labels]])
        return cls(counts, kind, integers(table["items"]))

    def rated(self) -> "Met":
        """Without items that nobody rated."""
        rated = self.counts.sum(axis=1) > 0
        return Met(self.counts[rated], self.kind[rated], self.items[rated])


@frozen
class AnswerCodes:
    """Classifiers' answers as small numbers: a join carries what it is given, row by row.

    Columns of answers (a0, a1, …) and, of those with few different ones, their texts.
    """

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
        few = {name: texts for name, texts in found.items() if 0 < len(texts) <= size.CARRIED}
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


def met_sql(by_item: str, n_labels: int) -> str:
    """Items of the query `by_item` (item, n0, n1, …) grouped by their counts and their kind."""
    counts = ", ".join(f"CAST(n{j} AS BIGINT) AS n{j}" for j in range(n_labels))
    kinds = f"SELECT {counts}, coalesce(kind, -1) AS kind"
    joined = f"({by_item}) LEFT JOIN predicted USING (item)"
    return f"SELECT *, count(*) AS items FROM ({kinds} FROM {joined}) GROUP BY ALL"
