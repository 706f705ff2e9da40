"""How cost grows: ten thousand to a billion ratings in Parquet, to worth and to an evaluation.

The data are simulated by DuckDB in pieces into a temporary folder (five bytes a rating). Each of
our runs is a process of its own and starts cold: importing, reading the ratings and the
predictions, proving that nobody rated an item twice, the join, the curve and 500 bootstrap samples
of it. The peer groups the ratings alone, without reading who gave them. Sizes are chosen by
`--ratings`; `--spark` evaluates one size in Spark on this machine beside its own groupBy.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb

from benchmarks.reading import grouping
from benchmarks.row import Row, timed

SIZES = (10**4, 10**5, 10**6, 10**7)
"""Ratings by default; a hundred million and more are asked for."""

METHODS = {
    "agreement": "hc.agreement(ratings)",
    "the population": "hc.population(ratings)",
    "accuracy": "hc.system_accuracy(ratings, machines)",
    "shares with slips set aside": "hc.deconvolve(ratings, flip_rate=0.05).score(machines)",
    "the next labels": "hc.plan_from_pilot(ratings, machines)",
}
MOST_BY_METHOD = 10**7
"""Ratings up to which methods are also asked one by one."""

PER_ITEM, RATERS = 10, 20_000
_PIECE = 50_000_000
"""Ratings in one file."""

_MEASURED = """
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([seconds, used.ru_utime + used.ru_stime, int(peak.split()[1]) / 1024, said]))
"""
_START = """
import json, resource, sys, time
start = time.perf_counter()
import headcount as hc
"""
_WORTH = f"""{_START}
ratings = hc.Ratings.read(sys.argv[1])
found = hc.survey_equivalence(ratings, hc.Predictions.read(sys.argv[2], classifiers=[sys.argv[3]]))
seconds = time.perf_counter() - start
said = found.verdict().partition(":")[0]
assert ratings.n_items == int(sys.argv[4])
{_MEASURED}"""
_EVALUATE = f"""{_START}
ratings = hc.Ratings.read(sys.argv[1])
found = hc.evaluate(ratings, hc.Predictions.read(sys.argv[2], classifiers=["label", "chance"]))
seconds = time.perf_counter() - start
said = found["label"].agree.text(percent=True) + " of people agree"
{_MEASURED}"""
_METHOD = f"""{_START}
ratings = hc.Ratings.read(sys.argv[1])
machines = hc.Predictions.read(sys.argv[2], classifiers=["label", "chance"])
found = eval(sys.argv[3])
seconds = time.perf_counter() - start
said = ""
{_MEASURED}"""
_SPARK = f"""{_START}
from pyspark.sql import SparkSession, functions as F
spark = (
    SparkSession.builder.master("local[*]").appName("scale")
    .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    .config("spark.driver.memory", "6g").config("spark.sql.shuffle.partitions", "16")
    .config("spark.local.dir", sys.argv[3]).getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")
people, machines = spark.read.parquet(sys.argv[1]), spark.read.parquet(sys.argv[2])
start = time.perf_counter()
yes = F.sum((F.col("label") == "yes").cast("int")).alias("yes")
people.groupBy("item").agg(yes, F.count("*").alias("n")).groupBy("yes", "n").count().collect()
theirs = time.perf_counter() - start
start = time.perf_counter()
ratings = hc.Ratings.from_frame(people)
machines = machines.select("item", "label", "chance")
found = hc.evaluate(ratings, hc.Predictions.from_frame(machines), n_bootstrap=500)
seconds = time.perf_counter() - start
said = [theirs, found["label"].agree.text(percent=True) + " of people agree"]
spark.stop()
{_MEASURED}"""


def run(sizes: Sequence[int] = SIZES, spark: int | None = None) -> list[Row]:
    """Time each size: worth by a label and by probabilities, then a whole evaluation."""
    rows: list[Row] = []
    seconds: dict[str, list[tuple[int, float]]] = {}
    for ratings in sizes:
        with tempfile.TemporaryDirectory() as folder:
            people, machines = simulated(Path(folder), ratings)
            its = _grouped(people, repeat=3 if ratings <= 10**7 else 1)
            for work, code, more in _works(ratings):
                took, used, memory, said = _ours(code, people, machines, *more)
                seconds.setdefault(work, []).append((ratings, used))
                note = f"{used:.3g} s of CPU; {_growth(seconds[work])}{said}"
                name = f"{in_words(ratings)} to {work}"
                peer = "DuckDB, label counts"
                rows.append(Row(name, took, peer, its, None, memory, note))
    if spark is not None:
        rows.append(_in_spark(spark))
    return rows


def _works(ratings: int) -> list[tuple[str, str, tuple[str, ...]]]:
    """What is measured: its name, its code and its further arguments."""
    items = str(ratings // PER_ITEM)
    worth = [
        (f"the worth of {name}", _WORTH, (name, items))
        for name in ("label", "chance", "exact_chance")
    ]
    if ratings >= 10**9:  # takes its time: the first says what the others would
        return worth[:1]
    methods = [(name, _METHOD, (call,)) for name, call in METHODS.items()]
    evaluation = ("an evaluation", _EVALUATE, ())
    return [*worth, evaluation, *(methods if ratings <= MOST_BY_METHOD else ())]


def _ours(code: str, people: Path, machines: Path, *more: str) -> tuple[float, float, float, str]:
    words = [sys.executable, "-c", code, str(people), str(machines), *more]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"a measured process failed: {run.stderr[-2000:]}")
    seconds, used, memory, said = json.loads(run.stdout)
    return seconds, used, memory, said


def _in_spark(ratings: int) -> Row:
    """An evaluation of frames that stay in Spark; the memory is that of Python alone."""
    with tempfile.TemporaryDirectory() as folder:
        people, machines = simulated(Path(folder), ratings)
        took, used, memory, (its, said) = _ours(_SPARK, people, machines, folder)
        note = f"{used:.3g} s of CPU in Python; {said}"
        work = f"{in_words(ratings)} in Spark to an evaluation"
        return Row(work, took, "Spark, groupBy", its, None, memory, note)


def _growth(measured: Sequence[tuple[int, float]]) -> str:
    """By which power of the number of ratings processor time grew in the last step."""
    if len(measured) < 2:
        return ""
    (before, slow), (after, fast) = measured[-2:]
    return f"grows by the power {math.log(fast / slow) / math.log(after / before):.2f}; "


def simulated(folder: Path, ratings: int) -> tuple[Path, Path]:
    """Ratings in a folder of files and predictions in a file, as many as asked for."""
    people, machines = folder / "ratings", folder / "answers.parquet"
    people.mkdir()
    settings = {"temp_directory": str(folder / "spilled")}
    if "HEADCOUNT_MEMORY" in os.environ:
        settings["memory_limit"] = os.environ["HEADCOUNT_MEMORY"]
    with duckdb.connect(config=settings) as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute("SET enable_progress_bar = false")
        wanted = {machines: _predictions(ratings // PER_ITEM)}
        for first in range(0, ratings, _PIECE):
            part = people / f"part{first // _PIECE:03}.parquet"
            wanted[part] = _ratings(first, min(first + _PIECE, ratings))

        def write(file: Path) -> None:  # what counts up takes one core
            connection.cursor().execute(f"COPY ({wanted[file]}) TO '{file}' (FORMAT parquet)")

        with ThreadPoolExecutor(os.cpu_count()) as cores:
            list(cores.map(write, wanted))
    return people, machines


def _grouped(people: Path, *, repeat: int) -> float:
    with tempfile.TemporaryDirectory() as spilled:
        settings = {"temp_directory": spilled}
        if "HEADCOUNT_MEMORY" in os.environ:
            settings["memory_limit"] = os.environ["HEADCOUNT_MEMORY"]
        with duckdb.connect(config=settings) as connection:
            connection.execute("SET enable_progress_bar = false")
            counts = grouping(f"read_parquet('{people}/*.parquet')", ("no", "yes"))
            return timed(lambda: connection.execute(counts).fetchall(), repeat=repeat)


def in_words(ratings: int) -> str:
    """A number of ratings for people to read.

    >>> in_words(10**4), in_words(10**8), in_words(10**9)
    ('10 thousand ratings', '100 million ratings', '1 billion ratings')
    """
    for size, name in ((10**9, "billion"), (10**6, "million"), (10**3, "thousand")):
        if ratings >= size:
            return f"{ratings / size:g} {name} ratings"
    return f"{ratings} ratings"


def _kind(item: str) -> str:
    """Half of the items get "yes" from four people in five, the other half from one."""
    return f"(hash({item} + 5) % 2)"


def _ratings(first: int, last: int) -> str:
    item = f"i // {PER_ITEM}"
    rater = f"'rater' || ((hash({item}) % {RATERS}) + 7 * (i % {PER_ITEM})) AS rater"
    says_yes = f"hash(i * 31 + 7) % 1000 < 200 + 600 * {_kind(item)}"
    label = f"CASE WHEN {says_yes} THEN 'yes' ELSE 'no' END AS label"
    return f"SELECT 'item' || ({item}) AS item, {rater}, {label} FROM range({first}, {last}) t(i)"


def _predictions(items: int) -> str:
    """A label, right on nine items in ten; a probability in steps; one with every digit."""
    right = f"CASE WHEN hash(i * 7) % 10 < 9 THEN {_kind('i')} ELSE 1 - {_kind('i')} END"
    chance = f"0.25 + 0.5 * {_kind('i')}"
    return (
        f"SELECT 'item' || i AS item, CASE WHEN {right} = 1 THEN 'yes' ELSE 'no' END AS label, "
        f"{chance} - 0.1 + 0.002 * (hash(i * 3) % 101) AS chance, "
        f"{chance} + (hash(i * 3) / 18446744073709551616.0 - 0.5) / 5 AS exact_chance "
        f"FROM range({items}) t(i)"
    )
