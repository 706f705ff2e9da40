"""How long a newcomer waits for the first words: processor time of `headcount --help`."""

import resource
import subprocess
import sys

from benchmarks.row import Row


def run() -> list[Row]:
    """User time of the help text, the best of five."""
    best = min(_user_time("-m", "headcount", "--help") for _ in range(5))
    note = "user time, a new process each"
    return [Row("headcount --help", best, limit=0.3, note=note)]


def _user_time(*words: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([sys.executable, *words], capture_output=True, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
