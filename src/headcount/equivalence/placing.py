"""Classifiers placed on a power curve: how many raters score as each does, and how sure that is."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from headcount.arrays import Floats
from headcount.data import Classifier
from headcount.equivalence.crossing import worth
from headcount.equivalence.power_curve import PowerCurve
from headcount.equivalence.worth import ClassifierWorth
from headcount.frozen import frozen
from headcount.metrics import Scorer, caution
from headcount.results import Estimate
from headcount.sampling import estimate_from_draws
from headcount.sampling.crossing import Sides, crossing_interval, extended


@frozen(eq=False)
class _Reading:
    """A classifier in one reading: its `scores` (1 + B,), and `without` each rater (J,)."""

    classifier: Classifier
    scores: Floats
    without: Floats | None


def placed(
    curve: PowerCurve,
    scorer: Scorer,
    classifiers: Sequence[Classifier],
    scores: Sequence[Floats],
    without: Floats | None = None,
    turned_round: Mapping[str, Estimate] | None = None,
) -> tuple[ClassifierWorth, ...]:
    """Classifiers on the curve, each name once: calibrated where it is there so.

    `scores` (1 + B,) belong to `classifiers`, the first of each from the data themselves;
    `without` (J, C) are those without each rater; `turned_round` has the correlations of those
    whose answers run against people's.
    """
    found = dict[str, list[_Reading]]()
    for place, (classifier, of) in enumerate(zip(classifiers, scores, strict=True)):
        left = None if without is None else without[:, place]
        found.setdefault(classifier.name, []).append(_Reading(classifier, of, left))
    against = turned_round or {}
    return tuple(
        _placed_once(curve, scorer, readings, against.get(name)) for name, readings in found.items()
    )


def _placed_once(
    curve: PowerCurve, scorer: Scorer, readings: list[_Reading], against: Estimate | None
) -> ClassifierWorth:
    """One classifier, as given and calibrated or only one of them."""
    given = next((each for each in readings if each.classifier.reading != "calibrated"), None)
    classifier, scores, left = readings[-1].classifier, readings[-1].scores, readings[-1].without
    calibrated = classifier.reading == "calibrated"
    value, draws = float(scores[0]), scores[1:]
    above_none = None
    if left is not None and curve.without is not None:
        above_none = left - curve.without[:, 0]
    gain = curve.asked.estimate(
        value - curve.values[0], draws - curve.draws[:, 0], without=above_none
    )
    return ClassifierWorth(
        name=classifier.name,
        score=curve.asked.estimate(value, draws, without=left),
        worth=worth_on(curve, value, draws, left),
        gain=gain,
        of_ideal=curve.ideal if curve.beyond is None else curve.beyond.of_ideal(gain),
        reading=classifier.reading,
        as_it_stands=None
        if given is None or not calibrated
        else worth_on(curve, float(given.scores[0]), given.scores[1:], given.without),
        answered=classifier.answered,
        out_of=classifier.out_of,
        turned_round=against,
        as_certain=caution(classifier, scorer) is not None,
        draws=draws,
        without=left,
        curve=curve,
    )


def worth_on(
    curve: PowerCurve, value: float, draws: Floats, without: Floats | None = None
) -> Estimate:
    """How many raters of the curve score as `value` does; censored where it does not reach.

    `without` (J,) are the scores without each rater, where raters are a sample too.
    """
    by_items = _by_items(curve, value, draws)
    if without is None or not len(draws) or by_items.note is not None:
        return by_items
    return with_raters(by_items, curve, value, draws, without)


def _by_items(curve: PowerCurve, value: float, draws: Floats) -> Estimate:
    if curve.beyond is not None:
        return curve.beyond.worth(value, draws)
    known, upto = np.flatnonzero(~np.isnan(curve.values)), curve.reach + 1
    return estimate_from_draws(
        float(worth([value], curve.values[None, :upto])[0]),
        worth(draws, curve.draws[:, :upto]),
        curve.asked.tail,
        undefined="the score or the curve is undefined",
        floor=float(known[0]) if len(known) else 0.0,
        ceiling=float(curve.reach),
    )


_PAST = 40
"""Raters past the data up to which the modelled curve is asked for a worth's interval."""


def with_raters(
    by_items: Estimate, curve: PowerCurve, value: float, draws: Floats, without: Floats
) -> Estimate:
    """The estimate `by_items` with the interval of a score (`draws`, `without` each rater).

    Within the data the ends are those at which the score can no longer be told from the curve,
    over items and raters. Past them the curve is modelled: it is stretched, in each sample and
    without each rater, as its last measured point is, and the wider of this and the interval
    over items, which knows how sure the model is, holds.
    """
    plan, upto = curve.asked.samples, curve.reach + 1
    values = curve.values[:upto]
    if plan is None or curve.without is None or np.isnan(values).any():
        return by_items
    sides = _sides(values, value, draws, without, curve, values)
    crossing = float(worth([value], values[None])[0])
    found = crossing_interval(crossing, *sides, plan=plan, confidence=curve.asked.confidence)
    told = "within" == found.state == found.low_state == found.high_state
    # Only where the data do not hold all three: the model must not move what was measured.
    if not told and curve.beyond is not None:
        far = _long(curve)
        sides = _sides(far, value, draws, without, curve, values)
        crossing = float(worth([value], far[None])[0])
        past = crossing_interval(crossing, *sides, plan=plan, confidence=curve.asked.confidence)
        found = _wider(by_items, past)
    again = partial(_at, by_items, curve, value, draws, without)
    return replace(found, measured_to=by_items.measured_to, reread=again)


def _at(
    by_items: Estimate,
    curve: PowerCurve,
    value: float,
    draws: Floats,
    without: Floats,
    confidence: float,
) -> Estimate:
    asked = replace(curve.asked, bootstrap=replace(curve.asked.bootstrap, confidence=confidence))
    again = replace(curve, asked=asked)
    return with_raters(by_items.at(confidence), again, value, draws, without)


def _sides(
    far: Floats,
    value: float,
    draws: Floats,
    without: Floats,
    curve: PowerCurve,
    values: Floats,
) -> tuple[Sides, Sides, Sides]:
    """The whole table, the samples and the tables without a rater, on a curve as long as `far`."""
    assert curve.without is not None
    upto = len(values)
    return (
        Sides.of(value, far),
        Sides(draws, extended(curve.draws[:, :upto], far)),
        Sides(without, extended(curve.without[:, :upto], far)),
    )


def _long(curve: PowerCurve) -> Floats:
    """The curve rater by rater, the data first and then the model."""
    beyond = curve.beyond
    assert beyond is not None
    most = min(beyond.last, curve.reach + _PAST)
    k = np.arange(curve.reach + 1, most + 1)
    modelled = np.interp(k, [curve.reach, *beyond.grid], [curve.values[curve.reach], *beyond.curve])
    return np.concatenate([curve.values[: curve.reach + 1], modelled])


def _wider(by_items: Estimate, past: Estimate) -> Estimate:
    """The value of the first, and of each side the end that is further out."""
    low, low_state = min(_low(by_items), _low(past)), by_items.low_state
    high = max(_high(by_items), _high(past))
    low_state = "below" if low == -np.inf else ("above" if low == np.inf else "within")
    return replace(
        by_items,
        low=float(low) if np.isfinite(low) else None,
        low_state=low_state,
        high=float(high) if np.isfinite(high) else None,
        high_state="within" if np.isfinite(high) else "above",
        note=past.note,
    )


def _low(each: Estimate) -> float:
    if each.low is not None:
        return each.low
    return np.inf if each.low_state == "above" else -np.inf


def _high(each: Estimate) -> float:
    if each.high is not None:
        return each.high
    return -np.inf if each.high_state == "below" else np.inf
