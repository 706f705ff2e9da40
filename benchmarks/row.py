"""One line of a benchmark: what was done, how long we took, and how long the peer took."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headcount.results import Cell, Table


@dataclass(frozen=True)
class Row:
    """One measurement.

    `seconds` are ours, of processor time where nothing else is said; `peer` and `peer_seconds`
    are whoever did the same work in the same run, where there is one; `limit` is the time to stay
    under, where one was set; `memory` is the peak of the process in MiB.
    """

    work: str
    seconds: float
    peer: str | None = None
    peer_seconds: float | None = None
    limit: float | None = None
    memory: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times the peer's time is ours."""
        return None if self.peer_seconds is None else self.peer_seconds / self.seconds


def timed(
    work: Callable[[], object], *, repeat: int = 1, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Seconds by a clock that `work` takes: the best of `repeat` runs."""
    best = float("inf")
    for _ in range(repeat):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best


def processor(work: Callable[[], object], *, repeat: int = 1) -> float:
    """Seconds of processor time that `work` takes: the best of `repeat` runs."""
    return timed(work, repeat=repeat, clock=time.process_time)


def table(title: str, rows: Sequence[Row]) -> Table:
    """The rows for people to read."""
    return Table(
        title,
        ("work", "headcount", "peer", "its time", "ratio", "limit", "peak memory", "note"),
        tuple(_cells(row) for row in rows),
    )


def _cells(row: Row) -> tuple[Cell, ...]:
    return (
        row.work,
        duration(row.seconds),
        row.peer,
        None if row.peer_seconds is None else duration(row.peer_seconds),
        None if row.ratio is None else times(row.ratio),
        None if row.limit is None else duration(row.limit),
        None if row.memory is None else f"{row.memory:,.0f} MiB",
        row.note,
    )


def times(ratio: float) -> str:
    """A ratio to three digits, in whole numbers from a hundred on.

    >>> times(0.1662), times(38.3), times(1238.4)
    ('0.166×', '38.3×', '1,238×')
    """
    return f"{ratio:,.0f}×" if ratio >= 100 else f"{ratio:.3g}×"


def duration(seconds: float) -> str:
    """Seconds with a unit that suits their size.

    >>> duration(0.00042), duration(0.0421), duration(4.21), duration(421)
    ('420 µs', '42.1 ms', '4.21 s', '7.02 min')
    """
    for unit, size in (("min", 60.0), ("s", 1.0), ("ms", 1e-3)):
        if seconds >= size * (2 if unit == "min" else 1):
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"
