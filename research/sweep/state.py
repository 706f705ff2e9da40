"""How far a sweep has come: what it has found so far, kept in a file between runs."""

import json
import os
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from headcount.errors import InputError
from research.sweep.grid import SweepGrid
from research.sweep.kernel import CLOSE, Batch
from research.sweep.rational import exact_failure, exact_majority, exact_step

Ends = tuple[Fraction, Fraction]
KEPT = 100
"""Counter-examples kept with their values; all are counted."""


@dataclass
class SweepState:
    """Findings up to point number `next_point`, and the time they took."""

    next_point: int = 0
    points: int = 0
    equal: int = 0
    counter_examples: int = 0
    by_ties: int = 0
    largest_items: int | None = None
    kept: list[dict[str, Any]] = field(default_factory=list)
    closest: int | None = None
    closest_advantage: float | None = None
    seconds: float = 0.0

    def take_in(self, batch: Batch, grid: SweepGrid, stop: int) -> None:
        """Add a run of points that ends before number `stop`; doubtful ones are settled exactly."""
        self.next_point = stop
        self.points += batch.points
        if batch.closest is not None and (
            self.closest_advantage is None or batch.closest_advantage > self.closest_advantage
        ):
            self.closest, self.closest_advantage = batch.closest, batch.closest_advantage
        doubtful = (batch.doubtful, batch.advantage, batch.advantage_shared)
        for index, advantage, shared in zip(*(part.tolist() for part in doubtful), strict=True):
            self._settle(index, advantage, shared, grid)

    def _settle(self, index: int, advantage: float, shared: float, grid: SweepGrid) -> None:
        # Far apart in double precision is far apart: exact values only for those that are kept.
        explained = shared < -CLOSE and len(self.kept) >= KEPT
        if advantage > CLOSE and (explained or (shared > CLOSE and self._full_of_unexplained())):
            self._count(grid.point(index).items, explained)
            return
        (one, one_tie), (many, many_tie) = exact_failures(grid, index)
        if one == many:
            self.equal += 1
        elif many < one:
            by_ties = one - one_tie / 2 <= many - many_tie / 2
            self._count(grid.point(index).items, by_ties)
            found = {"failure_one_label": float(one), "failure_majority": float(many)}
            ties = {"tie_one_label": float(one_tie), "tie_majority": float(many_tie)}
            self._keep({**grid.point(index).to_dict(), **found, **ties, "by_ties": by_ties})

    def _count(self, items: int, by_ties: bool) -> None:
        self.counter_examples += 1
        self.by_ties += by_ties
        self.largest_items = max(items, self.largest_items or 0)

    def _full_of_unexplained(self) -> bool:
        return len(self.kept) >= KEPT and not self.kept[-1]["by_ties"]

    def _keep(self, entry: dict[str, Any]) -> None:
        """Room for a hundred; those that ties do not explain come first."""
        self.kept.append(entry)
        self.kept.sort(key=lambda kept: kept["by_ties"])
        del self.kept[KEPT:]

    def save(self, path: Path, grid: SweepGrid, assume_unbiased: bool) -> None:
        """Write the checkpoint whole or not at all."""
        content = {
            "fingerprint": _fingerprint(grid, assume_unbiased),
            "grid": grid.to_dict(),
            **vars(self),
        }
        temporary = path.with_name(path.name + ".part")
        temporary.write_text(json.dumps(content))
        os.replace(temporary, path)

    @classmethod
    def load(cls, path: Path, grid: SweepGrid, assume_unbiased: bool) -> "SweepState":
        """The state in a checkpoint, or a fresh one where there is none yet."""
        if not path.exists():
            if not path.parent.is_dir():
                raise InputError(f"{path}: there is no folder {path.parent} to keep it in.")
            return cls()
        try:
            content = json.loads(path.read_text())
            fingerprint, _ = content.pop("fingerprint"), content.pop("grid")
            state = cls(**content)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{path} is not a sweep's checkpoint: name another file, or delete it."
            ) from error
        if fingerprint != _fingerprint(grid, assume_unbiased):
            raise InputError(
                f"{path} belongs to a sweep of another grid: name another file, or delete it to "
                "start over."
            )
        return state


def exact_failures(grid: SweepGrid, index: int) -> tuple[Ends, Ends]:
    """Failure and tie with one label on items × labels items, and with the majority."""
    point = grid.point(index)
    only_better, only_worse = point.only_right()
    q_better, q_worse = point.label_accuracies()
    one = exact_step(only_better, only_worse, q_better, q_worse)
    many = exact_step(
        only_better,
        only_worse,
        exact_majority(q_better, point.labels),
        exact_majority(q_worse, point.labels),
    )
    return (
        exact_failure(*one, point.items * point.labels),
        exact_failure(*many, point.items),
    )


def _fingerprint(grid: SweepGrid, assume_unbiased: bool) -> str:
    return grid.fingerprint + ("" if assume_unbiased else "-biased")
