"""The whole evaluation with its report: how long it takes, and where the time goes.

The commands are run as a user runs them, each in a process of its own, with everything that
costs: starting Python, reading the files, 500 bootstrap samples, writing the report. Then the
same work is done once more in this process, part by part.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from benchmarks.row import Row, peak_memory

T = TypeVar("T")

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[2] / "shared" / "data"))
CASES = {
    "wikipedia-attacks": ("counts.csv.gz", 6.0),
    "sleep-stages": ("ratings.csv.gz", 10.0),
}


def run() -> list[Row]:
    """Both commands, then the parts of each."""
    rows = []
    for name, (ratings, limit) in CASES.items():
        files = [DATA / name / ratings, DATA / name / "predictions.csv.gz"]
        if not files[0].exists():
            continue
        rows += [_command(name, files, limit), *_parts(name, *files)]
    return [_demo(), *rows]


def _command(name: str, files: list[Path], limit: float) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        seconds = _seconds(["evaluate", *map(str, files), "-o", str(report)], folder)
        size = report.stat().st_size / 1e6
    note = f"500 bootstrap samples, report of {size:.2f} MB written"
    memory = peak_memory(children=True)
    return Row(f"headcount evaluate, {name}", seconds, limit=limit, memory=memory, note=note)


def _demo() -> Row:
    with tempfile.TemporaryDirectory() as folder:
        seconds = _seconds(["demo"], folder)
    return Row("headcount demo", seconds, note="simulated, written, evaluated, reported")


def _seconds(words: list[str], folder: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "headcount", *words],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start


def _parts(name: str, ratings: Path, predictions: Path) -> list[Row]:
    """The same work in this process, a row for each part."""
    import headcount as hc

    rows: list[Row] = []

    def clocked(iterable: Iterable[T], *, total: int, description: str) -> Iterator[T]:
        del total, description
        for part in iterable:
            start = time.perf_counter()
            yield part
            rows.append(Row(f"  {name}: {part}", time.perf_counter() - start))

    start = time.perf_counter()
    said, guessed = hc.Ratings.read(ratings), hc.Predictions.read(predictions)
    rows.append(Row(f"  {name}: reading", time.perf_counter() - start))
    found = hc.evaluate(said, guessed, progress=clocked)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        found.report(Path(folder) / "report.html")
        rows.append(Row(f"  {name}: report", time.perf_counter() - start))
    return rows
