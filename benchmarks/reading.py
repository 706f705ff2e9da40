"""Five million ratings from Parquet to patterns, against DuckDB's own grouping of the file.

Each of our readings runs in a process of its own, so that its peak memory is its own. Both
sides have read the file before and work in a database that is already open. Beside another
checkout, both read the same files in turn and their processor time is compared: it is what one
reading costs, whatever else the machine does.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from benchmarks.row import Row, processor

ITEMS, PER_ITEM, LABELS = 500_000, 10, ("bad", "good", "unclear")

_OURS = """
import json, sys, time
import headcount as hc
hc.Ratings.read(sys.argv[1]).patterns()
times = []
for _ in range(5):
    start = time.process_time()
    patterns = hc.Ratings.read(sys.argv[1]).patterns()
    times.append(time.process_time() - start)
assert patterns.n_items == int(sys.argv[2])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([min(times), int(peak.split()[1]) / 1024]))
"""

_READ = """
import json, sys, time, resource
import headcount as hc
def used():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime
def ask():
    ratings = hc.Ratings.read(sys.argv[1])
    ratings.patterns()
    if sys.argv[2] == "everything":
        ratings.item_counts()
        ratings.answers()
ask()
times = []
for _ in range(4):
    start = used()
    ask()
    times.append(used() - start)
print(min(times))
"""
_ROUNDS = 5
_MORE = 1.1
"""What a reading may cost, as a multiple of the other checkout's."""


def run() -> list[Row]:
    """Time our reading of a file with rater names and of one without, beside DuckDB's."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        files = {name: Path(folder) / f"{name}.parquet" for name in ("without", "with")}
        table = _ratings()
        pq.write_table(table, files["with"])
        pq.write_table(table.drop_columns("rater"), files["without"])
        rows = []
        for which, path in files.items():
            seconds, memory = _ours(path)
            for peer, (sql, note) in _peers(str(path), named=which == "with").items():
                its = processor(lambda sql=sql: connection.execute(sql).fetchall(), repeat=5)
                note = f"{seconds / its:.2f} times its time{note}"
                work = f"5 M ratings, {which} rater names, to patterns"
                rows.append(Row(work, seconds, peer, its, None, memory, note))
        return rows


def beside(folder: Path) -> list[Row]:
    """The processor time of reading files here and in another checkout, taken in turns."""
    here = Path(__file__).parents[1]
    told = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    name = subprocess.run(told, capture_output=True, text=True, check=False).stdout.strip()
    rows = []
    with tempfile.TemporaryDirectory() as made:
        for work, path, questions in _works(Path(made)):
            ours, theirs = float("inf"), float("inf")
            for _ in range(_ROUNDS):
                ours = min(ours, _processor_time(here, path, questions))
                theirs = min(theirs, _processor_time(folder, path, questions))
            note = f"{ours / theirs:.2f} times its processor time; aim: at most {_MORE}"
            rows.append(Row(work, ours, name or str(folder), theirs, _MORE * theirs, note=note))
    return rows


def _works(folder: Path) -> list[tuple[str, Path, str]]:
    """Files to read, and whether to ask for patterns or for everything that methods ask for."""
    table, found = _ratings(), []
    for which, kept in (("without", table.drop_columns("rater")), ("with", table)):
        large, small = folder / f"{which}.parquet", folder / f"{which}.csv"
        pq.write_table(kept, large)
        pc.write_csv(kept.slice(0, 1_000_000), small)
        names = f"{which} rater names"
        found.append((f"5 M ratings in Parquet, {names}, to patterns", large, "patterns"))
        found.append((f"1 M ratings in CSV, {names}, to items and answers", small, "everything"))
    return found


def _processor_time(checkout: Path, path: Path, questions: str) -> float:
    """Seconds of user time that one reading takes, the best of several in one process."""
    source = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    command = [sys.executable, "-c", _READ, str(path), questions]
    return float(subprocess.check_output(command, env=source))


def _peers(path: str, *, named: bool) -> dict[str, tuple[str, str]]:
    """DuckDB's own groupings of the file: SQL, and what to know of each."""
    unread = "; it does not read the names" if named else ""
    peers = {
        "DuckDB, PIVOT": (_pivot(f"'{path}'"), f"{unread}; aim: at most 2"),
        "DuckDB, labels told": (grouping(f"'{path}'", LABELS), f"{unread}; we find the labels"),
    }
    if named:
        first = f"(SELECT item, first(label) AS label FROM '{path}' GROUP BY item, rater)"
        same = "; a rater counts once an item, as with us"
        peers["DuckDB, first answers, labels told"] = (grouping(first, LABELS), same)
    return peers


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


def _pivot(answers: str) -> str:
    """Patterns in SQL that finds the labels itself."""
    by_item = f"PIVOT (SELECT item, label FROM {answers}) ON label USING count(*) GROUP BY item"
    return f"SELECT COLUMNS(* EXCLUDE item), count(*) FROM ({by_item}) GROUP BY ALL"


def grouping(answers: str, labels: Sequence[str]) -> str:
    """Patterns in SQL for labels known beforehand, as fast as we can write it."""
    counts = ", ".join(f"count_if(label = '{name}') AS {name}" for name in labels)
    by_item = f"SELECT item, {counts} FROM {answers} GROUP BY item"
    return f"SELECT {', '.join(labels)}, count(*) FROM ({by_item}) GROUP BY ALL"
