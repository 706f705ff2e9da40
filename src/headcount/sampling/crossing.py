"""The interval of the place where a score meets a curve, by asking every place in turn.

A worth w is where the curve c(k) reaches the score h. Between two points the curve is a line and
at a point its slope changes at once, so w itself has no standard error to speak of: intervals of
its logarithm held the truth in 80 to 90 % of data sets. Whether the score lies above c(k) has a
standard error for every k, so the interval is the set of k that cannot be told from the score.
Gains over c(0) are compared by their ratio, log(h − c₀) − log(c(k) − c₀), which is steadier than
their difference when raters agree little; where a gain is not positive in every sample, by
their difference.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.results.words import MOST_RATERS as MOST_RATERS
from headcount.sameness import exceeds, same, scale_of
from headcount.sampling.people import (
    item_variance,
    reach_over_raters,
    student,
    total_variance,
    variance_counted_twice,
)
from headcount.sampling.samples import Plan

Floats = NDArray[np.float64]

_STEPS = 24
"""Places looked at between two points of the curve; ends are found on the line between them."""


@frozen(eq=False)
class Sides:
    """Scores and curves of several tables: `score` (B,) and `curve` (B, K), aligned."""

    score: Floats
    curve: Floats

    @classmethod
    def of(cls, score: ArrayLike, curve: ArrayLike) -> "Sides":
        """From anything that looks like the two arrays."""
        return cls(
            np.atleast_1d(np.asarray(score, dtype=np.float64)),
            np.atleast_2d(np.asarray(curve, dtype=np.float64)),
        )


def extended(curves: ArrayLike, whole: ArrayLike) -> Floats:
    """Curves (J, K′) of tables with a rater left out, carried on to the length K of `whole`.

    A table with one rater fewer has one survey size fewer. What is missing is taken from the
    whole table's curve: its further steps, times the ratio of the two gains so far.

    >>> extended([[0.0, 0.5]], [0.0, 1.0, 1.4]).round(3).tolist()
    [[0.0, 0.5, 0.7]]
    """
    short = np.atleast_2d(np.asarray(curves, dtype=np.float64))
    full = np.asarray(whole, dtype=np.float64)
    last = short.shape[1] - 1
    if last + 1 >= len(full):
        return short[:, : len(full)]
    gain = full[last] - full[0]
    rises = exceeds(gain, 0.0, scale=scale_of(full))
    ratio = (short[:, -1] - short[:, 0]) / gain if rises else np.ones(len(short))
    steps = (full[last + 1 :] - full[last])[None, :] * ratio[:, None]
    return np.concatenate([short, short[:, -1:] + steps], axis=1)


def crossing_interval(
    value: float,
    whole: Sides,
    item_draws: Sides,
    without_rater: Sides | None,
    *,
    plan: Plan,
    confidence: float = 0.95,
    without_items: Sides | None = None,
    without_both: Sides | None = None,
    undefined: str = "the score or the curve has no value",
) -> Estimate:
    """Where a score meets a curve, with an interval about items and raters.

    Parameters
    ----------
    value
        The crossing itself: a number of raters, −∞ below the curve, +∞ above it.
    whole
        The score and the curve (K,) for 0, 1, … K − 1 raters of the whole table.
    item_draws
        The same in B bootstrap samples of items or clusters. A learned combiner is best held
        fixed: a refit loses information in every sample.
    without_rater
        The same without each rater or group of raters; shorter curves are `extended`.
    plan, confidence
        Which samples count, and the interval's confidence.
    without_items, without_both
        Without each of G groups of items, (G,), and without both, (G·J,) with the raters left
        out varying fastest: they take off what both samples count. Left out, it stays in.

    Returns
    -------
    Estimate
        `floor` 0, `ceiling` K − 1; ends of the interval are censored where no k on that side
        can be told from the score.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> curve = np.array([-1.0, -0.8, -0.7, -0.65])
    >>> noise = rng.normal(0, 0.01, (500, 1))
    >>> draws = Sides(-0.75 + noise[:, 0], np.tile(curve, (500, 1)))
    >>> print(crossing_interval(1.5, Sides.of(-0.75, curve), draws, None, plan=Plan(1000)))
    1.500 (1.307 to 1.709)
    """
    top = float(whole.curve.shape[1] - 1)
    if np.isnan(value):
        return Estimate.undefined(undefined)
    left = _left_out(whole, without_rater, plan)
    twice = None
    if left is not None and without_items is not None and without_both is not None:
        shorter = extended(without_both.curve, whole.curve[0])
        twice = (without_items, Sides(without_both.score, shorter))
    accepted, places = _not_told_apart(whole, item_draws, left, twice, plan, confidence)
    estimate = estimate_of_crossing(value, accepted, places, top)
    if plan.why_not_raters is not None:
        estimate = estimate.with_note(plan.why_not_raters)
    if plan.few_named is not None and left is not None:
        one = replace(plan, raters=None)
        alone = estimate_of_crossing(
            value, *_not_told_apart(whole, item_draws, None, None, one, confidence), top
        )
        estimate = estimate.of_these(plan.few_named, alone)
    again = partial(
        _at,
        value,
        (whole, item_draws, without_rater),
        {
            "plan": plan,
            "without_items": without_items,
            "without_both": without_both,
            "undefined": undefined,
        },
    )
    return replace(estimate, reread=again)


def _at(
    value: float,
    sides: tuple[Sides, Sides, Sides | None],
    about: dict[str, Any],
    confidence: float,
) -> Estimate:
    return crossing_interval(value, *sides, confidence=confidence, **about)


def _left_out(whole: Sides, without: Sides | None, plan: Plan) -> Sides | None:
    if without is None or not plan.counts_raters:
        return None
    return Sides(without.score, extended(without.curve, whole.curve[0]))


def _not_told_apart(
    whole: Sides,
    draws: Sides,
    left: Sides | None,
    twice: tuple[Sides, Sides] | None,
    plan: Plan,
    confidence: float,
) -> tuple[Floats, Floats]:
    """How far each place is inside the interval (positive: inside), and the places."""
    tables = [whole, draws] + ([left] if left is not None else []) + list(twice or ())
    scale = scale_of(whole.score, whole.curve)
    top = whole.curve.shape[1] - 1
    # Where nothing is measured past asking nobody there is no gain to take a ratio of.
    by_ratio = top > 0 and all(_gains_are_positive(table, scale) for table in tables)
    first = 1 / _STEPS if by_ratio else 0.0
    places = np.concatenate([[first], np.arange(1, top * _STEPS + 1) / _STEPS])
    places = np.unique(places)

    def lead(table: Sides) -> Floats:
        return _lead(table, places, by_ratio)

    centre, drawn = lead(whole)[0], lead(draws)
    others = None if left is None else lead(left)
    blocks = None if twice is None else (lead(twice[0]), lead(twice[1]))
    # Each with Student's t of its own number: a few raters of whom little depends must not widen
    # what hundreds of items say.
    of_items = student(confidence, replace(plan, raters=None).freedom(len(draws.score)))
    items = of_items**2 * item_variance(drawn, plan.units)
    raters, shared = np.zeros_like(places), np.zeros_like(places)
    if others is not None:
        raters = reach_over_raters(others, confidence) ** 2
    if others is not None and blocks is not None:
        without_items, both = blocks
        cells = both.reshape(len(without_items), len(others), -1)
        shared = of_items**2 * variance_counted_twice(centre, without_items, others, cells)
    room = np.sqrt(total_variance(items, raters, shared)) - np.abs(centre)
    # Where nothing varies and score and curve are the same, rounding must not tell them apart.
    level = same(room, 0.0, scale=1.0 if by_ratio else scale)
    return np.where(level, 0.0, room), places


def _gains_are_positive(table: Sides, scale: float) -> bool:
    base = table.curve[:, :1]
    if not (np.isfinite(table.score).all() and np.isfinite(table.curve).all()):
        return False
    score_gains = exceeds(table.score, base[:, 0], scale=scale)
    return bool(score_gains.all() and exceeds(table.curve[:, 1:], base, scale=scale).all())


def _lead(table: Sides, places: Floats, by_ratio: bool) -> Floats:
    """How far the score is ahead of the curve at each place, (B, places)."""
    before = np.minimum(places.astype(np.int64), table.curve.shape[1] - 2)
    share = places - before
    at = (1 - share) * table.curve[:, before] + share * table.curve[:, before + 1]
    if not by_ratio:
        return np.asarray(table.score[:, None] - at)
    base = table.curve[:, :1]
    return np.asarray(np.log(table.score[:, None] - base) - np.log(at - base))


def estimate_of_crossing(value: float, room: Floats, places: Floats, top: float) -> Estimate:
    """A crossing with the places that cannot be told from it for its interval.

    `room` (P,) is how far inside the interval each of the ascending `places` (P,) is, negative
    outside; `value` is −∞ below the first place and +∞ above the `top`.
    """
    inside = np.flatnonzero(room >= 0)
    centre = min(max(value, 0.0), top)
    first = int(inside[0]) if len(inside) else int(np.searchsorted(places, centre))
    last = int(inside[-1]) if len(inside) else first - 1
    low = min(_edge(room, places, first - 1, first), centre)
    high = max(_edge(room, places, last + 1, last), centre)
    # A place at the very end of the curve that cannot be told apart leaves that side open.
    open_above = value > top or (len(inside) > 0 and last == len(places) - 1)
    open_below = value < 0 or (len(inside) > 0 and first == 0 and places[0] == 0)
    return Estimate(
        float(value) if np.isfinite(value) else None,
        None if open_below else low,
        None if open_above else high,
        "within" if np.isfinite(value) else ("above" if value > 0 else "below"),
        "below" if open_below else "within",
        "above" if open_above else "within",
        floor=0.0,
        ceiling=top,
    )


def _edge(room: Floats, places: Floats, outside: int, inside: int) -> float:
    """Where the room runs out between a place outside the interval and its neighbour inside."""
    inside = min(max(inside, 0), len(places) - 1)
    if not 0 <= outside < len(places):
        return float(places[inside])
    gap = room[inside] - room[outside]
    share = room[inside] / gap if gap > 0 else 0.0
    return float(places[inside] + min(max(share, 0.0), 1.0) * (places[outside] - places[inside]))
