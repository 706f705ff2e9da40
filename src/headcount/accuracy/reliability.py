"""How reliable is each rater, by the same latent classes; and who answers at chance."""

import math

import numpy as np
from scipy.special import ndtri

from headcount.accuracy.ascent import Held
from headcount.accuracy.ballots import Floats, Ints, ballots, named_ballots
from headcount.accuracy.shared_errors import class_chances, climb, starting_model
from headcount.accuracy.sweep import LENT
from headcount.data import Named
from headcount.frozen import frozen
from headcount.results import Estimate, Record, record

HALF = 0.5
"""A rater is at chance where nothing speaks for skill and half of what others have is ruled out."""


@frozen
class Reliability:
    """One rater: share of answers that are `accuracy` right, and `skill` beyond chance.

    Skill is (accuracy − chance)/(1 − chance), with chance what the rater's own habit of labels
    would reach without looking: 0 for anyone whose answers do not depend on the item, whether
    they guess or always say the same. `at_chance` names those; with few ratings nobody is named.
    """

    rater: int
    ratings: int
    accuracy: float
    skill: float
    low: float
    high: float
    at_chance: bool


@record
class RaterReliability(Record):
    """A rater by name: how often right, skill beyond chance with its interval, and whether the
    answers could as well have been given without looking.
    """

    rater: str
    ratings: int
    accuracy: float
    skill: Estimate
    at_chance: bool


def rater_reliability(
    ratings: Ints, n_labels: int, *, confidence: float = 0.95
) -> tuple[Reliability, ...]:
    """The reliability of each rater with any rating; `ratings` (n, J) codes, −1 for none.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 2, size=400)
    >>> skill = np.array([0.9, 0.85, 0.8, 0.5])
    >>> right = rng.random((400, 4)) < skill
    >>> found = rater_reliability(np.where(right, truth[:, None], 1 - truth[:, None]), 2)
    >>> [rater.rater for rater in found if rater.at_chance]
    [3]
    """
    item, rater = np.nonzero(ratings >= 0)
    said = ratings[item, rater]
    return reliability_of(item, rater, said, len(ratings), n_labels, confidence=confidence)


MOST_RATINGS = 400_000
"""Ratings past which raters are not told one by one."""


def told_reliability(
    named: Named | None, n_items: int, n_labels: int, *, confidence: float
) -> tuple[RaterReliability, ...]:
    """Every named rater's reliability, the least skilled first; none where there are no names."""
    if named is None or len(named.item) > MOST_RATINGS:
        return ()
    found = reliability_of(
        named.item, named.rater, named.label, n_items, n_labels, confidence=confidence
    )
    return tuple(
        RaterReliability(
            rater=str(named.raters[each.rater]),
            ratings=each.ratings,
            accuracy=each.accuracy,
            skill=Estimate(each.skill, min(each.low, each.skill), max(each.high, each.skill)),
            at_chance=each.at_chance,
        )
        for each in sorted(found, key=lambda each: (each.skill, each.rater))
    )


def reliability_of(
    item: Ints, rater: Ints, said: Ints, n_items: int, n_labels: int, *, confidence: float
) -> tuple[Reliability, ...]:
    """The reliability of each rater, from who (R,) said what (R,) of which item (R,)."""
    seen, place = np.unique(rater, return_inverse=True)
    place = place.ravel()
    counts = np.bincount(item * n_labels + said, minlength=n_items * n_labels)
    pooled = ballots([counts.reshape(n_items, n_labels)], None, None)
    everyone, _ = climb(pooled, starting_model(pooled, np.zeros((n_labels, 1))))
    data = named_ballots(item, place, said, n_items, len(seen), n_labels)
    prior = LENT * np.tile(everyone.chances[:, :, 0], (len(seen), 1))
    model, _ = climb(data, starting_model(data, np.zeros((n_labels, 1))), held=Held(prior=prior))
    posterior = class_chances(data, model)[data.row, :, 0]
    base = model.joint[:, 0, 0]
    chances = model.chances[:, :, 0].reshape(len(seen), n_labels, n_labels)
    quantile = float(ndtri((1 + confidence) / 2))
    usual = _skill(everyone.chances[:, :, 0], everyone.joint[:, 0, 0])[1]
    order = np.argsort(place, kind="stable")
    answers = np.split(order, np.searchsorted(place[order], np.arange(1, len(seen))))
    found = []
    for who, own in enumerate(answers):
        accuracy, skill, chance = _skill(chances[who], base)
        variance = _variances(posterior[item[own]], said[own], np.diag(chances[who]))
        reach = quantile * math.sqrt(float(base**2 @ variance)) / max(1 - chance, 1e-9)
        low, high = max(skill - reach, -1.0), min(skill + reach, 1.0)
        found.append(
            Reliability(
                rater=int(seen[who]),
                ratings=len(own),
                accuracy=accuracy,
                skill=skill,
                low=low,
                high=high,
                at_chance=low <= 0 and high < HALF * usual,
            )
        )
    return tuple(found)


def _variances(posterior: Floats, said: Ints, right: Floats) -> Floats:
    """Variance of a rater's chance of being right in each class, (L,).

    `posterior` (m, L) of the items rated and `said` (m,) the answers. What is not known of the
    classes is taken off the information (Louis), but for a tenth of it at least.
    """
    answered = said[:, None] == np.arange(len(right))
    spread = np.maximum(right * (1 - right), 1e-3)
    complete = spread * np.maximum(posterior.sum(axis=0), 0.5)
    missing = (posterior * (1 - posterior) * (answered - right) ** 2).sum(axis=0)
    variances: Floats = spread**2 / np.maximum(complete - missing, complete / 10)
    return variances


def _skill(chances: Floats, base: Floats) -> tuple[float, float, float]:
    """Accuracy, skill and chance of a rater with these chances (label, class)."""
    accuracy = float(base @ np.diag(chances))
    chance = float(base @ (chances @ base))
    return accuracy, (accuracy - chance) / max(1 - chance, 1e-9), chance
