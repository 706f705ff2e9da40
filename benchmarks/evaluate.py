"""The whole evaluation with its report: how long it takes, and where the time goes.

The commands are run as a user runs them, each in a process of its own, with everything that
costs: starting Python, reading the files, 500 bootstrap samples, writing the report. Then the
same work is done once more in this process, part by part. Beside another checkout both commands
take turns, and the best run of each counts, by the clock and in processor time.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from benchmarks.row import Row

T = TypeVar("T")

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[2] / "shared" / "data"))
_ROUNDS = 3
_WORTH_TELLING = 1e-3
"""Seconds from which on a part of an evaluation has a row: others do not apply to the data."""
_AIM = 0.5
"""The share of the other checkout's time that an evaluation may take."""
_OURS = ("PYTHONDONTWRITEBYTECODE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""What a user has not set."""
CASES = {
    "wikipedia-attacks": ("counts.csv.gz", 2.0),
    "sleep-stages": ("ratings.csv.gz", 6.0),
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


def beside(folder: Path) -> list[Row]:
    """Both commands here and in another checkout, by the clock and in processor time."""
    here, rows = Path(__file__).parents[1], []
    for name, (ratings, _) in CASES.items():
        files = [DATA / name / ratings, DATA / name / "predictions.csv.gz"]
        if not files[0].exists():
            continue
        best: dict[Path, dict[str, float]] = {here: {}, folder: {}}
        for _ in range(_ROUNDS + 1):  # the first one also writes the byte code, as installing does
            for checkout, known in best.items():
                for kind, seconds in _run_of(checkout, files).items():
                    known[kind] = min(known.get(kind, float("inf")), seconds)
        for kind, ours in best[here].items():
            its = best[folder][kind]
            note = f"{ours / its:.2f} times its time; aim: at most {_AIM}"
            work = f"headcount evaluate, {name}, {kind}"
            rows.append(Row(work, ours, folder.name, its, _AIM * its, note=note))
    return rows


def _run_of(checkout: Path, files: list[Path]) -> dict[str, float]:
    """Seconds that the command takes in a checkout, by the clock and of the processor."""
    kept = Path(tempfile.gettempdir()) / "headcount-benchmarks" / checkout.resolve().name
    source = {name: value for name, value in os.environ.items() if name not in _OURS}
    source |= {"PYTHONPATH": str(checkout / "src"), "PYTHONPYCACHEPREFIX": str(kept)}
    with tempfile.TemporaryDirectory() as folder:
        words = ["evaluate", *map(str, files), "-o", str(Path(folder) / "report.html")]
        before, start = os.times(), time.perf_counter()
        _start(words, folder, source)
        clock, after = time.perf_counter() - start, os.times()
    used = after.children_user + after.children_system
    return {
        "by the clock": clock,
        "processor": used - before.children_user - before.children_system,
    }


def _command(name: str, files: list[Path], limit: float) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        seconds, memory = _cost(["evaluate", *map(str, files), "-o", str(report)], folder)
        size = report.stat().st_size / 1e6
    note = f"500 bootstrap samples, report of {size:.2f} MB written"
    return Row(f"headcount evaluate, {name}", seconds, limit=limit, memory=memory, note=note)


def _demo() -> Row:
    with tempfile.TemporaryDirectory() as folder:
        seconds, memory = _cost(["demo"], folder)
    note = "simulated, written, evaluated, reported"
    return Row("headcount demo", seconds, memory=memory, note=note)


_WATCH = """
import json, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""
"""A process starts with the memory of the one that began it on its account: this one is small."""


def _cost(words: list[str], folder: str) -> tuple[float, float]:
    """Seconds of processor time and MiB at most that a command takes in a process of its own."""
    command = [sys.executable, "-c", _WATCH, sys.executable, "-m", "headcount", *words]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    seconds, memory = json.loads(told)
    return seconds, memory


def _start(words: list[str], folder: str, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "headcount", *words]
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)


def _parts(name: str, ratings: Path, predictions: Path) -> list[Row]:
    """The same work in this process, a row for each part."""
    import headcount as hc

    rows: list[Row] = []

    def clocked(iterable: Iterable[T], *, total: int, description: str) -> Iterator[T]:
        del total, description
        for part in iterable:
            start = time.process_time()
            yield part
            took = time.process_time() - start
            if took > _WORTH_TELLING:
                rows.append(Row(f"  {name}: {part}", took))

    start = time.process_time()
    said, guessed = hc.Ratings.read(ratings), hc.Predictions.read(predictions)
    rows.append(Row(f"  {name}: reading", time.process_time() - start))
    found = hc.evaluate(said, guessed, progress=clocked)
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        found.report(Path(folder) / "report.html")
        rows.append(Row(f"  {name}: report", time.process_time() - start))
    return rows
