"""How reliable is each rater, by the same latent classes; and who answers at chance."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from headcount.accuracy.ballots import Floats, Ints, ballots
from headcount.accuracy.shared_errors import Held, climb, divided_items, starting_model
from headcount.accuracy.span import LENT, one_hot

HALF = 0.5
"""A rater is at chance where nothing speaks for skill and half of what others have is ruled out."""


@dataclass(frozen=True)
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
    seen = np.flatnonzero((ratings >= 0).any(axis=0))
    members = [one_hot(ratings[:, rater], n_labels) for rater in seen]
    pooled = ballots([np.sum(members, axis=0)], None, None)
    everyone, _ = climb(pooled, starting_model(pooled, np.zeros((n_labels, 1))))
    data = ballots(members, None, None)
    prior = LENT * np.tile(everyone.chances[:, :, 0], (len(seen), 1))
    model, _ = climb(data, starting_model(data, np.zeros((n_labels, 1))), held=Held(prior=prior))
    divided, _ = divided_items(data, model)
    base = model.joint[:, 0, 0]
    chances = model.chances[:, :, 0].reshape(len(seen), n_labels, n_labels)
    posterior = (divided[:, :, 0] / data.weight[:, None])[data.row]
    quantile = float(norm.ppf((1 + confidence) / 2))
    usual = _skill(everyone.chances[:, :, 0], everyone.joint[:, 0, 0])[1]
    found = []
    for place, rater in enumerate(seen):
        accuracy, skill, chance = _skill(chances[place], base)
        met = ratings[:, rater] >= 0
        variance = _variances(posterior[met], ratings[met, rater], np.diag(chances[place]))
        reach = quantile * math.sqrt(float(base**2 @ variance)) / max(1 - chance, 1e-9)
        low, high = max(skill - reach, -1.0), min(skill + reach, 1.0)
        found.append(
            Reliability(
                rater=int(rater),
                ratings=int((ratings[:, rater] >= 0).sum()),
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
