"""A judge's numbers on people's scale: by a rising line or a rising curve, fitted to other items.

A judge that is a point too strict, or uses half the scale, knows as much about items as one that
is not. No item helps to fit its own number: a line leaves out the item itself (in closed form), a
curve leaves out a tenth of the items at a time.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.data.calibration import isotonic_knots
from headcount.data.folds import deal_folds
from headcount.scores.people import People

Floats = NDArray[np.float64]

Calibration = Literal["linear", "isotonic"]

FLAT = "it gives every item the same number"
FALLING = "its numbers fall where people's rise"

_FOLDS = 10
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
