"""Five million ratings from Parquet to patterns, against DuckDB's own grouping of the file.

Each of our readings runs in a process of its own, so that its peak memory is its own.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.row import Row, timed

ITEMS, PER_ITEM, LABELS = 500_000, 10, ("bad", "good", "unclear")

_OURS = """
import json, sys, time
import headcount as hc
hc.Ratings.read(sys.argv[1]).patterns()
times = []
for _ in range(3):
    start = time.perf_counter()
    patterns = hc.Ratings.read(sys.argv[1]).patterns()
    times.append(time.perf_counter() - start)
assert patterns.n_items == int(sys.argv[2])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([min(times), int(peak.split()[1]) / 1024]))
"""


def run() -> list[Row]:
    """Time both readings of a file with rater names and of one without."""
    with tempfile.TemporaryDirectory() as folder:
        named, anonymous = Path(folder) / "named.parquet", Path(folder) / "anonymous.parquet"
        table = _ratings()
        pq.write_table(table, named)
        pq.write_table(table.drop_columns("rater"), anonymous)
        rows = []
        for path, what in ((anonymous, "without rater names"), (named, "with rater names")):
            seconds, memory = _ours(path)
            peer = timed(lambda path=path: _plain_grouping(path), repeat=3)
            note = f"{seconds / peer:.2f} times the grouping; aim: at most 2"
            work = f"5 M ratings, {what}, to patterns"
            rows.append(Row(work, seconds, "DuckDB, label counts", peer, None, memory, note))
        first = timed(lambda: _first_answers(named), repeat=2)
        note = "the same meaning: a rater's second answer on an item is not counted"
        rows.append(Row(work, seconds, "DuckDB, first answers only", first, None, memory, note))
        return rows


def _ratings() -> pa.Table:
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(ITEMS), PER_ITEM)
    rater = (rng.integers(0, 2000, (ITEMS, 1)) + 7 * np.arange(PER_ITEM)).ravel()
    return pa.table(
        {
            "item": np.char.add("item", item.astype(str)),
            "rater": np.char.add("rater", rater.astype(str)),
            "label": rng.choice(LABELS, ITEMS * PER_ITEM),
        }
    )


def _ours(path: Path) -> tuple[float, float]:
    command = [sys.executable, "-c", _OURS, str(path), str(ITEMS)]
    seconds, memory = json.loads(subprocess.check_output(command))
    return seconds, memory


def _grouping(answers: str) -> str:
    counts = ", ".join(f"sum((label = '{name}')::INT) AS {name}" for name in LABELS)
    by_item = f"SELECT item, {counts} FROM {answers} GROUP BY item"
    return f"SELECT {', '.join(LABELS)}, count(*) FROM ({by_item}) GROUP BY ALL"


def _plain_grouping(path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(_grouping(f"'{path}'")).fetchall()


def _first_answers(path: Path) -> None:
    first = f"SELECT item, rater, first(label) AS label FROM '{path}' GROUP BY item, rater"
    with duckdb.connect() as connection:
        connection.execute(_grouping(f"({first})")).fetchall()
