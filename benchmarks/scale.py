"""A hundred million ratings of ten million items in Parquet, to equivalence with intervals.

The data are simulated by DuckDB into a temporary folder (half a gigabyte, about a minute). Our
run is a process of its own and starts cold: importing, reading the ratings and the predictions,
proving that nobody rated an item twice, the join, the curve and 500 bootstrap samples of it. The
peer groups the ratings alone, without reading who gave them.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

from benchmarks.reading import grouping
from benchmarks.row import Row, timed

ITEMS, PER_ITEM = 10_000_000, 10

_OURS = """
import json, sys, time
start = time.perf_counter()
import headcount as hc
ratings = hc.Ratings.read(sys.argv[1])
found = hc.survey_equivalence(ratings, hc.Predictions.read(sys.argv[2], classifiers=[sys.argv[3]]))
seconds = time.perf_counter() - start
assert ratings.n_items == int(sys.argv[4])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([seconds, int(peak.split()[1]) / 1024, found.verdict()]))
"""


def run() -> list[Row]:
    """Time a hard and a soft classifier, beside the grouping of the ratings."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        ratings, predictions = Path(folder) / "ratings.parquet", Path(folder) / "answers.parquet"
        connection.execute(f"COPY ({_ratings()}) TO '{ratings}' (FORMAT parquet)")
        connection.execute(f"COPY ({_predictions()}) TO '{predictions}' (FORMAT parquet)")
        counts = grouping(f"'{ratings}'", ("no", "yes"))
        its = timed(lambda: connection.execute(counts).fetchall(), repeat=3)
        rows = []
        for classifier in ("label", "chance", "exact_chance"):
            command = [sys.executable, "-c", _OURS, str(ratings), str(predictions), classifier]
            seconds, memory, verdict = json.loads(
                subprocess.check_output([*command, str(ITEMS)], stderr=subprocess.DEVNULL)
            )
            work = f"100 M ratings to the worth of {classifier}"
            note = f"{seconds / its:.1f} times the grouping; {verdict.partition(':')[0]}"
            rows.append(Row(work, seconds, "DuckDB, label counts", its, None, memory, note))
        return rows


def _kind(item: str) -> str:
    """Half of the items get "yes" from four people in five, the other half from one."""
    return f"(hash({item} + 5) % 2)"


def _ratings() -> str:
    item = f"i // {PER_ITEM}"
    rater = f"'rater' || ((hash({item}) % 20000) + 7 * (i % {PER_ITEM})) AS rater"
    says_yes = f"hash(i * 31 + 7) % 1000 < 200 + 600 * {_kind(item)}"
    label = f"CASE WHEN {says_yes} THEN 'yes' ELSE 'no' END AS label"
    return (
        f"SELECT 'item' || ({item}) AS item, {rater}, {label} FROM range({ITEMS * PER_ITEM}) t(i)"
    )


def _predictions() -> str:
    """A label, right on nine items in ten; a probability in steps; one with every digit."""
    right = f"CASE WHEN hash(i * 7) % 10 < 9 THEN {_kind('i')} ELSE 1 - {_kind('i')} END"
    chance = f"0.25 + 0.5 * {_kind('i')}"
    return (
        f"SELECT 'item' || i AS item, CASE WHEN {right} = 1 THEN 'yes' ELSE 'no' END AS label, "
        f"{chance} - 0.1 + 0.002 * (hash(i * 3) % 101) AS chance, "
        f"{chance} + (hash(i * 3) / 18446744073709551616.0 - 0.5) / 5 AS exact_chance "
        f"FROM range({ITEMS}) t(i)"
    )
