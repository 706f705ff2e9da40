"""Where counts of ratings meet predictions in SQL: grouped there, so that no id comes out."""

import pyarrow as pa

from headcount.data.reductions import Ints
from headcount.door import number_column


def predicted(ids: pa.Array, kind: Ints) -> dict[str, pa.Table]:
    """The predictions as the table that `met_sql` joins: ids, and the kind of each."""
    return {"predicted": pa.table({"item": ids, "kind": number_column(kind)})}


def met_sql(by_item: str, n_labels: int) -> str:
    """Items of the query `by_item` (item, c0, c1, …) grouped by their counts and their kind."""
    counts = ", ".join(f"CAST(c{j} AS BIGINT) AS c{j}" for j in range(n_labels))
    kinds = f"SELECT {counts}, coalesce(kind, -1) AS kind"
    joined = f"({by_item}) LEFT JOIN predicted USING (item)"
    return f"SELECT *, count(*) AS items FROM ({kinds} FROM {joined}) GROUP BY ALL"
