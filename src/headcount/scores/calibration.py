"""A judge's numbers on people's scale, and both beside each other.

By a rising line or a rising curve, fitted to other items; and items counted in cells of people's
mean and the judge's number, for charts of any size.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats
from headcount.data import deal_folds, isotonic_knots
from headcount.scores.components import components
from headcount.scores.judge_scores import Cells
from headcount.scores.people import People, Said

Calibration = Literal["linear", "isotonic"]
FLAT = "it gives every item the same number"
FALLING = "its numbers fall where people's rise"


# Nine tenths of the items fit the line: as good as all of them, at ten fits.
_FOLDS = 10

# Numbers that differ by less than their last digits are one number: no line leads through it.
_ROUNDING = 1e-12


def why_nothing(people: People, said: Floats) -> str | None:
    """Why a judge tells nothing about items, whatever its scale; None where it may."""
    if np.ptp(said) <= _ROUNDING * max(float(np.abs(said).max()), 1.0):
        return FLAT
    about = said - said.mean()
    return None if float(about @ (people.mean - people.mean.mean())) > 0 else FALLING


def calibrated(
    people: People, said: Floats, how: Calibration = "linear", *, seed: int = 0
) -> Floats:
    """The numbers `said` (I,) as predictions of people's ratings, each fitted to other items."""
    if how == "linear":
        return _on_a_line(said, people.mean)
    fold = deal_folds(len(said), min(_FOLDS, len(said)), seed)
    found = np.empty(len(said))
    for each in np.unique(fold):
        held = fold == each
        found[held] = _on_a_curve(said[~held], people.mean[~held], people.n[~held], said[held])
    return found


def _on_a_line(x: Floats, y: Floats) -> Floats:
    """Least squares without the item itself: ŷ − h/(1 − h)·(y − ŷ), with leverage h."""
    about = x - x.mean()
    squares = float(about @ about)
    fitted = y.mean() + about * float(about @ y) / squares
    leverage = 1 / len(x) + about**2 / squares
    # The only item of its kind has no others to be fitted to: people's overall mean.
    alone = leverage > 1 - 1e-9
    left = np.where(alone, 0.0, leverage / np.where(alone, 1.0, 1 - leverage))
    return np.asarray(np.where(alone, y.mean(), fitted - left * (y - fitted)))


def _on_a_curve(x: Floats, y: Floats, n: NDArray[np.int64], at: Floats) -> Floats:
    order = np.argsort(x, kind="stable")
    knots, fitted = isotonic_knots(x[order], y[order], n[order].astype(np.float64))
    return np.interp(at, knots, fitted)


# Cells along each side of the chart.
MOST_CELLS = 24
_MOST_LEVELS, _LEAST_ITEMS = 8, 20
"""Levels that a line of means is drawn through, and items that each should have."""


def cells_of(people: People, judge: Floats, said: Said | None = None) -> Cells:
    """How many items lie where, and what the judge says at each level of what people say.

    Both sides have the same range, so that agreement is the diagonal. A level's mean is that of
    held-out ratings: people's own mean is too high where it is high, by luck, and would make a
    perfect judge look timid. Where only sums are known it is drawn in by its reliability.
    """
    rated = people.n > 0
    mean, number = people.mean[rated], judge[rated]
    low, high = float(min(mean.min(), number.min())), float(max(mean.max(), number.max()))
    across, up = _edges(mean, low, high), _edges(number, low, high)
    items, _, _ = np.histogram2d(mean, number, bins=(across, up))
    held_out = _drawn_in(people, judge) if said is None else _held_out(people, judge, said)
    return Cells(across, up, items.astype(np.int64), *_level_means(*held_out))


def _level_means(
    level: Floats, truth: Floats, judge: Floats, weight: Floats
) -> tuple[Floats, Floats]:
    """Means of `truth` and `judge` in parts of equal size by `level`."""
    parts = int(np.clip(weight.sum() / _LEAST_ITEMS, 1, _MOST_LEVELS))
    edges = np.unique(np.quantile(level, np.arange(1, parts) / parts))
    place = np.searchsorted(edges, level, side="right")
    items = np.bincount(place, weights=weight, minlength=len(edges) + 1)
    kept = items > 0
    of_truth, of_judge = (
        np.bincount(place, weights=weight * each, minlength=len(items))[kept] / items[kept]
        for each in (truth, judge)
    )
    return of_truth, of_judge


def _held_out(people: People, judge: Floats, said: Said) -> tuple[Floats, Floats, Floats, Floats]:
    """Each rating at the level that the other ratings of its item give."""
    kept = people.several[said.item]
    item, value = said.item[kept], said.value[kept]
    n, mean = people.n[item], people.mean[item]
    return mean + (mean - value) / (n - 1), value, judge[item], 1 / n


def _drawn_in(people: People, judge: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Each item's mean, drawn towards that of all by what of it is chance."""
    held, found = people.several, components(people, added=False)
    mean, centre = people.mean[held], float(people.mean[held].mean())
    between = max(found.between, 0.0)
    share = between / np.maximum(between + found.within / people.n[held], 1e-300)
    return mean, centre + share * (mean - centre), judge[held], np.ones(len(mean))


def _edges(values: Floats, low: float, high: float) -> Floats:
    """Edges of cells: about each value where they are few, else even over the whole range."""
    distinct = np.unique(values)
    if len(distinct) == 1:
        return np.array([distinct[0] - 0.5, distinct[0] + 0.5])
    if len(distinct) <= MOST_CELLS:
        middle = (distinct[1:] + distinct[:-1]) / 2
        first, last = middle[0] - distinct[0], distinct[-1] - middle[-1]
        return np.concatenate([[distinct[0] - first], middle, [distinct[-1] + last]])
    return np.linspace(low, high, MOST_CELLS + 1)
