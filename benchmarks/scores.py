"""Ten million numeric ratings of a million items in Parquet, to worth, bias and reliability.

The data are simulated by DuckDB into a temporary folder: scores with every digit, and whole ones
from 0 to 100. Our run is a process of its own and starts cold: importing, reading, sums by item,
the join with two judges, and everything that sums can tell, with intervals. The peer sums the
ratings by item in DuckDB and does nothing else.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

from benchmarks.row import Row, processor

ITEMS, PER_ITEM = 1_000_000, 10

_OURS = """
import json, sys, time
start = time.process_time()
import headcount as hc
found = hc.scores(sys.argv[1], sys.argv[2])
seconds = time.process_time() - start
assert found.items == int(sys.argv[3])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
worth = found["near"].worth.text(2)
print(json.dumps([seconds, int(peak.split()[1]) / 1024, worth]))
"""


def run() -> list[Row]:
    """Time scores of every digit and whole ones, beside the sums."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        predictions = Path(folder) / "answers.parquet"
        connection.execute(f"COPY ({_predictions()}) TO '{predictions}' (FORMAT parquet)")
        rows = []
        for kind, rounded in (("every digit", "{}"), ("0 to 100", "round({})")):
            ratings = Path(folder) / "ratings.parquet"
            connection.execute(f"COPY ({_ratings(rounded)}) TO '{ratings}' (FORMAT parquet)")
            sums = f"SELECT item, count(*), avg(label), var_samp(label) FROM '{ratings}' GROUP BY 1"
            its = processor(
                lambda sums=sums: connection.execute(sums).fetch_arrow_table(), repeat=3
            )
            command = [sys.executable, "-c", _OURS, str(ratings), str(predictions), str(ITEMS)]
            seconds, memory, worth = json.loads(
                subprocess.check_output(command, stderr=subprocess.DEVNULL)
            )
            work = f"10 M scores ({kind}) to worth and bias"
            note = f"worth {worth}"
            rows.append(Row(work, seconds, "DuckDB, sums by item", its, None, memory, note))
        return rows


def _score(item: str) -> str:
    """An item's true score, about 50 ± 15: a sum of four uniform numbers."""
    parts = " + ".join(f"hash({item} * 4 + {j}) % 10000" for j in range(4))
    return f"(50 + 15 * (({parts}) / 10000.0 - 2) * 1.732)"


def _ratings(rounded: str) -> str:
    item = f"(i // {PER_ITEM})"
    error = "24 * (hash(i * 31 + 7) / 18446744073709551616.0 - 0.5)"
    score = rounded.format(f"least(greatest({_score(item)} + {error}, 0), 100)")
    rater = f"'rater' || ((hash({item}) % 20000) + 7 * (i % {PER_ITEM}))"
    return (
        f"SELECT 'item' || {item} AS item, {rater} AS rater, {score} AS label "
        f"FROM range({ITEMS * PER_ITEM}) t(i)"
    )


def _predictions() -> str:
    error = "(hash(i * 3 + {}) / 18446744073709551616.0 - 0.5)"
    return (
        f"SELECT 'item' || i AS item, {_score('i')} + 14 * {error.format(1)} AS near, "
        f"20 + 0.5 * {_score('i')} + 40 * {error.format(2)} AS far FROM range({ITEMS}) t(i)"
    )
