"""Is one label always best? A sweep of the paper's conjecture over a grid of parameters."""

import os
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import exp, expm1
from pathlib import Path
from typing import Any

import numpy as np

from headcount.errors import OptionError
from headcount.results import Progress, no_progress
from research.sweep.grid import SweepGrid, make_grid
from research.sweep.kernel import Batch, Kernel
from research.sweep.state import SweepState

BATCH_ON_HOST = 2**11
"""Points at once: few enough that the temporaries stay in a core's cache."""
BATCH_ON_DEVICE = 2**19
SAVE_EVERY = 5.0
"""Seconds between checkpoints."""


@dataclass(frozen=True)
class ConjectureSweep:
    """What a sweep found.

    `points` were compared (inside the assumptions) of `grid.size`; at `equal` of them one label
    and the majority fail exactly equally often; `counter_examples` is how many points prefer
    the majority, the first hundred of them in `found` with exact values. `by_ties` of them are
    explained: fewer items tie less often, ties count as failures, and with ties counted half
    one label is at least as good there too. `largest_items` is the largest number of items
    (with the majority's labels) at a counter-example. `closest` is the point where one label
    wins by least, `closest_gain` by how much less it fails there, relatively.
    """

    grid: SweepGrid
    points: int
    equal: int
    counter_examples: int
    by_ties: int
    largest_items: int | None
    found: tuple[dict[str, Any], ...]
    closest: dict[str, Any] | None
    closest_gain: float | None
    assume_unbiased: bool
    seconds: float

    @property
    def unexplained(self) -> int:
        """Counter-examples that ties do not explain."""
        return self.counter_examples - self.by_ties

    def verdict(self) -> str:
        """Whether the conjecture stands."""
        if not self.points:
            return "No point of the grid is a comparison within the assumptions: nothing checked."
        compared = f"{self.points:,} points compared, {self.equal:,} exactly equal"
        if not self.counter_examples:
            return f"One label an item was never beaten: {compared}, no counter-example."
        if not self.unexplained:
            return (
                f"One label an item was beaten only by ties: {compared}; the majority wins at "
                f"{self.counter_examples:,}, all of at most {self.largest_items} items, and at "
                "none of them once a tie counts half."
            )
        return (
            f"More labels an item win at {self.counter_examples:,} points, ties explaining "
            f"{self.by_ties:,} of them: {compared}."
        )

    def summary(self) -> str:
        """The verdict, the grid, then the counter-examples or the closest call, and what is out."""
        parts = [self.verdict(), "", "The grid:"]
        for name, axis in zip(self.grid.names, self.grid.axes, strict=True):
            parts.append(f"  {name}: {len(axis)} values, {float(axis[0]):g} to {float(axis[-1]):g}")
        for name, values in (("labels", self.grid.labels), ("items", self.grid.items)):
            parts.append(f"  {name}: {len(values)} values, {values[0]} to {values[-1]}")
        if self.found:
            parts += ["", "Counter-examples, the first of them:"]
            parts += [f"  {_short(found)}" for found in self.found[:20]]
        elif self.closest is not None:
            gain = self.closest_gain or 0.0
            parts += ["", "The closest call:", f"  {_short(self.closest)}"]
            parts.append(f"  There one label still fails less often, by {gain:.2e} of it.")
        return "\n".join([*parts, "", *self.remarks()])

    def remarks(self) -> tuple[str, ...]:
        """What a point is, and which were left out."""
        lines = [
            "At each point items × labels items with one label each are compared with items that "
            "have a majority of so many labels: the same number of labels in all.",
            "Failures closer than 1e-9 of themselves were compared in exact arithmetic.",
        ]
        if self.grid.form == "correlated" and self.assume_unbiased:
            lines.append(
                "Only points where labels are no worse where only the better classifier is right "
                "(the paper's assumption 1)."
            )
        outside = self.grid.size - self.points
        if outside:
            lines.append(
                f"{outside:,} of the grid's {self.grid.size:,} points are no comparison within the "
                "assumptions (no better classifier, or labels no better than guessing or biased) "
                "and were left out."
            )
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        """The grid and the findings."""
        return {
            "grid": self.grid.to_dict(),
            "grid_points": self.grid.size,
            "points": self.points,
            "equal": self.equal,
            "counter_examples": self.counter_examples,
            "by_ties": self.by_ties,
            "unexplained": self.unexplained,
            "largest_items": self.largest_items,
            "found": [dict(found) for found in self.found],
            "closest": self.closest,
            "closest_gain": self.closest_gain,
            "assume_unbiased": self.assume_unbiased,
            "seconds": round(self.seconds, 3),
        }


def sweep(
    *,
    form: str = "independent",
    accuracy: Any = None,
    margin: Any = None,
    label_accuracy: Any = None,
    worse_accuracy: Any = None,
    better_if_worse_wrong: Any = None,
    better_if_worse_right: Any = None,
    label_accuracy_if_better: Any = None,
    label_accuracy_if_worse: Any = None,
    labels: Any = (3, 5, 7),
    items: Any = "1:50",
    assume_unbiased: bool = True,
    checkpoint: str | Path | None = None,
    workers: int | None = None,
    array_module: Any = np,
    batch: int | None = None,
    progress: Progress = no_progress,
) -> ConjectureSweep:
    """Check over a grid that one label each on more items beats a majority on fewer.

    Every axis is a sequence of numbers or text such as "0.55:0.95:0.05" (ends included); the
    "independent" form has `accuracy`, `margin` and `label_accuracy`, the "correlated" one the
    other five. `checkpoint` names a file from which an interrupted sweep goes on.
    `array_module=cupy` runs the same code on a GPU.

    >>> sweep(accuracy="0.6:0.9:0.1", margin=[0.05], label_accuracy=[0.7], items="1:20").verdict()
    'One label an item was never beaten: 240 points compared, 0 exactly equal, no counter-example.'
    """
    axes = {
        "accuracy": accuracy,
        "margin": margin,
        "label_accuracy": label_accuracy,
        "worse_accuracy": worse_accuracy,
        "better_if_worse_wrong": better_if_worse_wrong,
        "better_if_worse_right": better_if_worse_right,
        "label_accuracy_if_better": label_accuracy_if_better,
        "label_accuracy_if_worse": label_accuracy_if_worse,
    }
    grid = make_grid(form, axes, labels, items)
    on_host = array_module is np
    threads = _workers(workers) if on_host else 1
    size = _batch(batch, on_host)
    path = None if checkpoint is None else Path(checkpoint)
    state = SweepState() if path is None else SweepState.load(path, grid, assume_unbiased)
    kernel = Kernel(grid, array_module, assume_unbiased=assume_unbiased)
    _run(kernel, grid, state, path, assume_unbiased, threads, size, progress)
    return _pack(grid, state, assume_unbiased)


def _run(
    kernel: Kernel,
    grid: SweepGrid,
    state: SweepState,
    path: Path | None,
    assume_unbiased: bool,
    threads: int,
    size: int,
    progress: Progress,
) -> None:
    """One pass over what is left, saving now and then, and whatever happens at the end."""
    starts = range(state.next_point, grid.size, size)
    runs = ((start, min(start + size, grid.size)) for start in starts)
    begun, earlier = time.monotonic(), state.seconds
    saved = begun
    try:
        for stop, batch in progress(
            _in_order(kernel, runs, threads), total=len(starts), description="Comparing points"
        ):
            state.take_in(batch, grid, stop)
            state.seconds = earlier + time.monotonic() - begun
            if path is not None and time.monotonic() - saved > SAVE_EVERY:
                state.save(path, grid, assume_unbiased)
                saved = time.monotonic()
    finally:
        if path is not None:
            state.save(path, grid, assume_unbiased)


def _in_order(
    kernel: Kernel, runs: Iterator[tuple[int, int]], threads: int
) -> Iterator[tuple[int, Batch]]:
    """Each run's end and its findings, computed by several threads, handed out in order."""
    if threads == 1:
        for start, stop in runs:
            yield stop, kernel(start, stop)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[tuple[int, Future[Batch]]] = deque()
        for start, stop in runs:
            waiting.append((stop, pool.submit(kernel, start, stop)))
            if len(waiting) > 4 * threads:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()


def _pack(grid: SweepGrid, state: SweepState, assume_unbiased: bool) -> ConjectureSweep:
    closest = None
    if state.closest is not None and state.closest_advantage is not None:
        one = exp(state.closest_advantage)
        closest = {**grid.point(state.closest).to_dict(), "failure_ratio": one}
    gain = None if state.closest_advantage is None else -expm1(state.closest_advantage)
    return ConjectureSweep(
        grid=grid,
        points=state.points,
        equal=state.equal,
        counter_examples=state.counter_examples,
        by_ties=state.by_ties,
        largest_items=state.largest_items,
        found=tuple(state.kept),
        closest=closest,
        closest_gain=gain,
        assume_unbiased=assume_unbiased,
        seconds=state.seconds,
    )


def _workers(workers: int | None) -> int:
    if workers is None:
        return min(os.cpu_count() or 1, 32)
    if isinstance(workers, bool) or workers != int(workers) or workers < 1:
        raise OptionError(f"workers is a whole number of at least 1; it was {workers!r}.")
    return int(workers)


def _batch(batch: int | None, on_host: bool) -> int:
    if batch is None:
        return BATCH_ON_HOST if on_host else BATCH_ON_DEVICE
    if isinstance(batch, bool) or batch != int(batch) or batch < 1:
        raise OptionError(f"batch is a whole number of points of at least 1; it was {batch!r}.")
    return int(batch)


def _short(point: dict[str, Any]) -> str:
    shown = {k: f"{v:.10g}" if isinstance(v, float) else v for k, v in point.items()}
    return ", ".join(f"{name} {value}" for name, value in shown.items())
