"""The inner loop of a sweep: failure with one label and with m, for a run of point numbers.

Written against an array module, so that it runs the same on NumPy and on CuPy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from headcount.plan.label_accuracy import LabelAccuracy
from headcount.plan.walk import WalkEnds, walk_ends
from research.sweep.grid import SweepGrid

CLOSE = 1e-9
"""Relative distance of two failures below which only exact arithmetic decides."""


@dataclass(frozen=True)
class Batch:
    """What a run of points gave, on the host.

    `points` lie inside the assumptions. `doubtful` are the numbers of points where one label
    is not clearly better; `advantage` is log(failure with one label / failure with m) there,
    above 0 where m wins, and `advantage_shared` the same with ties counted half. `closest` is
    the number of the clear point nearest to zero, None where there is none, and
    `closest_advantage` its advantage.
    """

    points: int
    doubtful: np.ndarray
    advantage: np.ndarray
    advantage_shared: np.ndarray
    closest: int | None
    closest_advantage: float


class Kernel:
    """A grid's tables on a device, and the comparison of any run of its points."""

    def __init__(self, grid: SweepGrid, xp: Any, *, assume_unbiased: bool = True) -> None:
        self._grid, self._xp, self._assume_unbiased = grid, xp, assume_unbiased
        self._axes = [self._on_device(axis) for axis in grid.axes]
        self._items, self._labels = self._on_device(grid.items), self._on_device(grid.labels)
        # The axes of label accuracy: one for both classifiers, or one for each.
        self._b, self._w = (-1, -1) if grid.form == "independent" else (-2, -1)
        self._better, self._worse = self._majorities(self._b), self._majorities(self._w)

    def _on_device(self, values: Sequence[Any]) -> Any:
        return self._xp.asarray(np.array([float(value) for value in values]))

    def _majorities(self, axis: int) -> tuple[Any, ...]:
        """Chance that a majority is right and wrong, for each accuracy and number of labels."""
        parts = np.array(
            [
                [LabelAccuracy.same(float(q)).majority_parts(m) for m in self._grid.labels]
                for q in self._grid.axes[axis]
            ]
        )
        return tuple(self._xp.asarray(np.ascontiguousarray(parts[:, :, k])) for k in (0, 1))

    def __call__(self, start: int, stop: int) -> Batch:
        """Compare the points numbered start to stop − 1."""
        index = self._xp.arange(start, stop)
        places = self._places(index)
        inside = self._xp.nonzero(self._inside(places[2:]))[0]
        if int(inside.size) == 0:
            nothing = np.zeros(0, dtype=np.int64)
            return Batch(0, nothing, nothing, nothing, None, -np.inf)
        index = index[inside]
        items, labels, *places = (place[inside] for place in places)
        right = self._only_right(places)
        q_better, q_worse = self._axes[self._b][places[self._b]], self._axes[self._w][places[-1]]
        count = self._items[items]
        one = self._ends(
            right,
            (q_better, 1.0 - q_better),
            (q_worse, 1.0 - q_worse),
            count * self._labels[labels],
        )
        many = self._ends(
            right,
            tuple(table[places[self._b], labels] for table in self._better),
            tuple(table[places[self._w], labels] for table in self._worse),
            count,
        )
        return self._reduce(index, one, many)

    def _inside(self, places: list[Any]) -> Any:
        """Which points are comparisons at all, and within the paper's first assumption."""
        q_better, q_worse = self._axes[self._b][places[self._b]], self._axes[self._w][places[-1]]
        inside = (self._only_right(places)[2] > 1e-12) & (q_worse > 0.5) & (q_better > 0.5)
        return inside & (q_better >= q_worse) if self._assume_unbiased else inside

    def _places(self, index: Any) -> list[Any]:
        places = []
        for length in reversed(self._grid.shape):
            places.append(index % length)
            index = index // length
        return places[::-1]

    def _only_right(self, places: list[Any]) -> tuple[Any, Any, Any, Any]:
        """Items that only the better, only the worse gets right, their gap, and agreement."""
        values = [axis[place] for axis, place in zip(self._axes, places, strict=True)]
        if self._grid.form == "independent":
            accuracy, margin, _ = values
            worse = accuracy - margin
            # A margin above the accuracy is no point at all: a negative gap drops it.
            possible = self._xp.where(worse > -1e-12, margin, -1.0)
            agree = accuracy * worse + (1.0 - accuracy) * (1.0 - worse)
            return accuracy * (1.0 - worse), (1.0 - accuracy) * worse, possible, agree
        worse, if_wrong, if_right, _, _ = values
        only_better, only_worse = (1.0 - worse) * if_wrong, worse * (1.0 - if_right)
        agree = worse * if_right + (1.0 - worse) * (1.0 - if_wrong)
        return only_better, only_worse, only_better - only_worse, agree

    def _ends(
        self,
        only_right: tuple[Any, Any, Any, Any],
        better: tuple[Any, ...],
        worse: tuple[Any, ...],
        items: Any,
    ) -> WalkEnds:
        only_better, only_worse, gap, agree = only_right
        right_b, wrong_b = better
        right_w, wrong_w = worse
        lift_b, lift_w = right_b - wrong_b, right_w - wrong_w
        only_worse = self._xp.maximum(only_worse, 0.0)
        up = only_better * right_b + only_worse * wrong_w
        down = only_better * wrong_b + only_worse * right_w
        drift = gap * lift_b + only_worse * (lift_b - lift_w)
        return walk_ends(up, down, drift, items, still=agree, xp=self._xp)

    def _reduce(self, index: Any, one: WalkEnds, many: WalkEnds) -> Batch:
        xp = self._xp
        advantage = self._difference(one.log_failure, many.log_failure)
        doubtful = advantage > -CLOSE
        clear = xp.where(doubtful, -xp.inf, advantage)
        nearest = int(xp.argmax(clear))
        found = float(clear[nearest])
        where = xp.nonzero(doubtful)[0]
        shared = [
            xp.log(xp.maximum(ends.loss[where] + 0.5 * ends.tie[where], 1e-300))
            for ends in (one, many)
        ]
        return Batch(
            points=int(index.size),
            doubtful=_on_host(index[where]).astype(np.int64),
            advantage=_on_host(advantage[where]),
            advantage_shared=_on_host(self._difference(*shared)),
            closest=None if found == -np.inf else int(index[nearest]),
            closest_advantage=found,
        )

    def _difference(self, one: Any, many: Any) -> Any:
        """The difference of two logs; both −∞, where neither can fail, differ by nothing."""
        same = one == many
        return self._xp.where(same, 0.0, one) - self._xp.where(same, 0.0, many)


def _on_host(array: Any) -> np.ndarray:
    return np.asarray(array.get() if hasattr(array, "get") else array)
