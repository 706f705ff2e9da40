"""Intervals for accuracy by profile likelihood, over every dependence that the data allow.

The accuracy is held at each value of a grid and everything else is fitted anew: confusions,
base rates, and (over another grid) how far raters err together. The interval is every
accuracy whose best fit is within ½χ²₁ of the best of all. Where the data cannot tell a
parameter, the interval is wide by itself.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from headcount.accuracy.ballots import Ballots
from headcount.accuracy.shared_errors import Held, Model, climb, joined, starting_model
from headcount.arrays import Floats, Ints
from headcount.frozen import frozen

# The correlations of ratings given the truth that are tried.
STRENGTHS = np.array([0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6])

# Up to so many labels, dependence in one class alone is tried beside dependence in all.
FEW_LABELS = 4

# How far from the best accuracy to look first, in logits, on either side.
REACH = np.array([0.15, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.5, 7.0])

# Steps of that reach that are looked at together: with many items the first is far enough.
AT_ONCE = 2

# Steps that the bracket around an end is cut into: the root of a drop is nearly a line there.
FINE = 6


@frozen
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
    (found,) = profiles(
        data, data.weight[None], dependences=dependences, confidence=confidence, prior=prior
    )
    return found


def profiles(
    data: Ballots,
    weight: Floats,
    *,
    dependences: Floats,
    confidence: float = 0.95,
    prior: Floats | None = None,
) -> list[tuple[Curve, Model]]:
    """The same for T sets of items of the same rows, side by side; `weight` (T, D) is theirs."""
    strengths = dependences.shape[1]
    start = joined([starting_model(data, dependences, each) for each in weight])
    whose = np.repeat(np.arange(len(weight)), strengths)
    best, reached = climb(data, start, held=_held(weight, whose, prior=prior))
    # Where people hardly ever recognise a class, nothing ties it to its label any more.
    recognised = best.recognised().reshape(-1, strengths)
    strict = recognised[:, 0]
    sound = recognised | ~strict[:, None]
    heights = reached.reshape(-1, strengths)
    summit = np.where(sound, heights, -np.inf).max(axis=1, keepdims=True)
    drop = np.where(sound, summit - heights, np.inf)
    room = allowance(confidence)
    allowed = drop <= room
    # The first by itself has all the room, which it has already where it is the best of all.
    alone = np.flatnonzero(drop[:, 0] != 0)
    asked = np.append(np.flatnonzero(allowed), alone * strengths)
    rooms = np.append(room - drop[allowed], np.full(len(alone), room))
    ends = _ends(data, weight, whose[asked], best.pick(asked), reached[asked], rooms, prior, strict)
    inside = int(allowed.sum())
    low, high = (np.full(drop.shape, np.nan) for _ in range(2))
    low[allowed], high[allowed] = (each[:inside] for each in ends)
    first = np.stack([low[:, 0], high[:, 0]], axis=1)
    first[alone] = np.stack([each[inside:] for each in ends], axis=1)
    accuracy = best.accuracy().reshape(drop.shape)
    return [
        (
            Curve(dependences, accuracy[t], low[t], high[t], drop[t], (first[t, 0], first[t, 1])),
            best.pick(np.flatnonzero(whose == t)),
        )
        for t in range(len(weight))
    ]


def _held(
    weight: Floats, whose: Ints, accuracy: Floats | None = None, prior: Floats | None = None
) -> Held:
    """What models of sets of items `whose` (S,) hold to; the ballots' own where there is one."""
    return Held(accuracy, prior, weight=None if len(weight) == 1 else weight[whose])


def _ends(
    data: Ballots,
    weight: Floats,
    whose: Ints,
    best: Model,
    reached: Floats,
    room: Floats,
    prior: Floats | None,
    strict: NDArray[np.bool_],
) -> tuple[Floats, Floats]:
    """Where each model's profile falls by `room` (R,) below its own summit, on either side.

    `whose` (R,) tells which items (of T) a model is fitted to, `strict` (T,) where classes must
    be recognised.
    """
    models = np.tile(np.arange(len(room)), 2)
    sides = np.repeat([-1.0, 1.0], len(room))
    room = np.maximum(room, 0)[models]

    def drops(logits: Floats, sought: Ints) -> Floats:
        """How far the likelihood falls with the accuracy held at each of (M, T) logits."""
        repeated = np.repeat(models[sought], logits.shape[1])
        held = _held(weight, whose[repeated], 1 / (1 + np.exp(-logits.ravel())), prior)
        models_there, found = climb(data, best.pick(repeated), held=held)
        fallen = reached[repeated] - found
        lost = strict[whose[repeated]] & ~models_there.recognised()
        return np.where(lost, np.inf, fallen).reshape(logits.shape)

    # A summit at 0 or 1 is looked at from a quarter of an item away.
    summit = _logit(best.accuracy(), 0.25 / weight.sum(axis=1)[whose])[models]
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


def _logit(share: Floats, least: Floats) -> Floats:
    inside = np.clip(share, least, 1 - least)
    odds: Floats = np.log(inside / (1 - inside))
    return odds
