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
    score = curve.asked.sampled(value, draws, left)
    gain = curve.asked.estimate(score.less(curve.sampled(0)))
    return ClassifierWorth(
        name=classifier.name,
        score=curve.asked.estimate(score),
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
    if without is None or not len(draws) or curve.without is None or np.isnan(value):
        return _by_items(curve, value, draws)
    return with_raters(curve, value, draws, without, curve.asked.confidence)


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


def with_raters(
    curve: PowerCurve, value: float, draws: Floats, without: Floats, confidence: float
) -> Estimate:
    """The worth of a score (`draws`, `without` each rater), raters and items taken as samples.

    Within the data the ends are those at which the score can no longer be told from the curve.
    Past them the curve is that of the fitted population, which is fitted without each rater too.
    """
    plan, upto = curve.asked.samples, curve.reach + 1
    values = curve.values[:upto]
    if plan is None or curve.without is None or np.isnan(values).any():
        return _by_items(curve, value, draws)
    found = crossing_interval(
        float(worth([value], values[None])[0]),
        Sides.of(value, values),
        Sides(draws, curve.draws[:, :upto]),
        Sides(without, extended(curve.without[:, :upto], values)),
        plan=plan,
        confidence=confidence,
    )
    if curve.beyond is not None:
        found = curve.beyond.past(found, value, draws, without, confidence)
    return replace(found, reread=partial(with_raters, curve, value, draws, without))
