"""Intervals for accuracy by profile likelihood, over every dependence that the data allow.

The accuracy is held at each value of a grid and everything else is fitted anew: confusions,
base rates, and (over another grid) how far raters err together. The interval is every
accuracy whose best fit is within ½χ²₁ of the best of all. Where the data cannot tell a
parameter, the interval is wide by itself.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from headcount.accuracy.ascent import Held
from headcount.accuracy.ballots import Ballots, Floats, Ints
from headcount.accuracy.shared_errors import Model, climb, starting_model

STRENGTHS = np.array([0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6])
"""The correlations of ratings given the truth that are tried."""

FEW_LABELS = 4
"""Up to so many labels, dependence in one class alone is tried beside dependence in all."""

REACH = np.array([0.15, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.5, 7.0])
"""How far from the best accuracy to look first, in logits, on either side."""

AT_ONCE = 2
"""Steps of that reach that are looked at together: with many items the first is far enough."""

FINE = 6


@dataclass(frozen=True)
class Curve:
    """How the answer moves with dependence: `dependence` (L, R) of each class, and (R,) each
    the best `accuracy` at it, the ends `low` and `high` of what lies within the allowance of the
    best of all (NaN where nothing does), and `drop`, how far its log-likelihood lies below that.

    `first` is the interval of the first dependence by itself, as if no other were possible.
    """

    dependence: Floats
    accuracy: Floats
    low: Floats
    high: Floats
    drop: Floats
    first: tuple[float, float]

    def allowed(self, confidence: float = 0.95) -> NDArray[np.bool_]:
        """Which dependences the data do not speak against."""
        return self.drop <= allowance(confidence)

    def best(self) -> int:
        """Which dependence fits best."""
        return int(np.argmin(self.drop))

    def span(self) -> tuple[float, float]:
        """The lowest and highest accuracy within what the data allow."""
        return float(np.nanmin(self.low)), float(np.nanmax(self.high))


def swept(n_labels: int) -> Floats:
    """Dependences (L, R): in all classes alike, and with few labels in one class at a time."""
    common = np.repeat(STRENGTHS[None], n_labels, axis=0)
    if n_labels > FEW_LABELS:
        return common
    alone = [
        np.where(np.arange(n_labels)[:, None] == label, STRENGTHS[1:], 0.0)
        for label in range(n_labels)
    ]
    every: Floats = np.concatenate([common, *alone], axis=1)
    return every


def allowance(confidence: float) -> float:
    """How far a log-likelihood may lie below the best: ½χ²₁."""
    return float(chdtri(1, 1 - confidence)) / 2


def profile(
    data: Ballots,
    *,
    dependences: Floats,
    confidence: float = 0.95,
    prior: Floats | None = None,
) -> tuple[Curve, Model]:
    """The curve of accuracy over `dependences` (L, R), and the best model at each of them."""
    best, reached = climb(data, starting_model(data, dependences), held=Held(prior=prior))
    # Where people hardly ever recognise a class, nothing ties it to its label any more.
    strict = bool(best.recognised()[0])
    sound = best.recognised() | (not strict)
    drop = np.where(sound, reached[sound].max() - reached, np.inf)
    room = allowance(confidence)
    allowed = np.flatnonzero(drop <= room)
    # The first by itself has all the room, which it has already where it is the best of all.
    alone = [] if drop[0] == 0 else [0]
    asked = np.append(allowed, alone).astype(np.int64)
    rooms = np.append(room - drop[allowed], np.full(len(alone), room))
    ends = _ends(data, best.pick(asked), reached[asked], rooms, prior, strict)
    low, high = (np.full(len(drop), np.nan) for _ in range(2))
    low[allowed], high[allowed] = (each[: len(allowed)] for each in ends)
    place = -1 if alone else 0
    first = float(ends[0][place]), float(ends[1][place])
    return Curve(dependences, best.accuracy(), low, high, drop, first), best


def _ends(
    data: Ballots, best: Model, reached: Floats, room: Floats, prior: Floats | None, strict: bool
) -> tuple[Floats, Floats]:
    """Where each model's profile falls by `room` (R,) below its own summit, on either side."""
    models = np.tile(np.arange(len(room)), 2)
    sides = np.repeat([-1.0, 1.0], len(room))
    room = np.maximum(room, 0)[models]

    def drops(logits: Floats, sought: Ints) -> Floats:
        """How far the likelihood falls with the accuracy held at each of (M, T) logits."""
        repeated = np.repeat(models[sought], logits.shape[1])
        held = Held(1 / (1 + np.exp(-logits.ravel())), prior)
        models_there, found = climb(data, best.pick(repeated), held=held)
        fallen = reached[repeated] - found
        if strict:
            fallen = np.where(models_there.recognised(), fallen, np.inf)
        return fallen.reshape(logits.shape)

    # A summit at 0 or 1 is looked at from a quarter of an item away.
    summit = _logit(best.accuracy(), 0.25 / data.n_items)[models]
    tried = summit[:, None] + sides[:, None] * REACH
    outside = np.zeros(tried.shape, dtype=bool)
    fallen = np.full((len(tried), len(REACH) + 1), np.nan)
    fallen[:, 0] = 0.0
    for start in range(0, len(REACH), AT_ONCE):
        sought = np.flatnonzero(~outside.any(axis=1))
        if not len(sought):
            break
        here = slice(start, start + AT_ONCE)
        fallen[sought, 1 + start : 1 + start + AT_ONCE] = drops(tried[sought, here], sought)
        outside[sought, here] = fallen[sought, 1:][:, here] > room[sought, None]
    ladder = np.concatenate([summit[:, None], tried], axis=1)
    first = np.where(outside.any(axis=1), outside.argmax(axis=1), len(REACH) - 1)
    # The last point within the room and the first outside it, and their drops.
    step = first[:, None] + np.arange(2)
    bracket, known = (np.take_along_axis(each, step, axis=1) for each in (ladder, fallen))
    share = np.linspace(0, 1, FINE + 1)
    tried = bracket[:, :1] + np.diff(bracket, axis=1) * share
    between = drops(tried[:, 1:-1], np.arange(len(room)))
    every = np.concatenate([known[:, :1], between, known[:, 1:]], axis=1)
    ends = 1 / (1 + np.exp(-_crossing(tried, every, room)))
    ends = np.where(outside.any(axis=1), ends, (sides > 0).astype(float))
    return ends[: len(ends) // 2], ends[len(ends) // 2 :]


def _crossing(points: Floats, drops: Floats, room: Floats) -> Floats:
    """Where the root of the drop, nearly a line, passes the root of the room: from `points`
    (M, T) in order outward, the first inside the room; the last point where none is outside.
    """
    outside = drops > room[:, None]
    outside[:, 0] = False
    rows = np.arange(len(points))
    after = np.where(outside.any(axis=1), outside.argmax(axis=1), points.shape[1] - 1)
    root = np.sqrt(np.clip(drops, 0, 1e9))
    here, there = root[rows, after - 1], root[rows, after]
    rise = there - here
    share = np.clip((np.sqrt(room) - here) / np.where(rise > 0, rise, 1.0), 0.0, 1.0)
    start = points[rows, after - 1]
    crossing: Floats = start + np.where(rise > 0, share, 1.0) * (points[rows, after] - start)
    return crossing


def _logit(share: Floats, least: float) -> Floats:
    inside = np.clip(share, least, 1 - least)
    odds: Floats = np.log(inside / (1 - inside))
    return odds
