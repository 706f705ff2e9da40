"""How reliable is each rater, by the same latent classes; and who answers at chance."""

import math

import numpy as np

from headcount.accuracy.ballots import ballots, named_ballots
from headcount.accuracy.rating_models import LENT
from headcount.accuracy.shared_errors import Held, class_chances, climb, starting_model
from headcount.arrays import Floats, Ints
from headcount.data import Named
from headcount.results import Estimate, Record, record
from headcount.sampling.people import student

# A rater is at chance where nothing speaks for skill and half of what others have is ruled out.
HALF = 0.5


# Ratings past which raters are not told one by one.
MOST_RATINGS = 400_000


@record
class RaterReliability(Record):
    """One rater: the share of answers that are right (`accuracy`), and `skill` beyond chance.

    Skill is (accuracy − chance)/(1 − chance), with chance what the rater's own habit of labels
    would reach without looking: 0 for anyone whose answers do not depend on the item, whether
    they guess or always say the same. `at_chance` names those; with few ratings nobody is named.
    """

    rater: str
    ratings: int
    accuracy: float
    skill: Estimate
    at_chance: bool


def rater_reliability(
    named: Named, n_items: int, n_labels: int, *, confidence: float = 0.95
) -> tuple[RaterReliability, ...]:
    """The reliability of each rater with any rating, the least skilled first."""
    item, said = named.item, named.label
    seen, place = np.unique(named.rater, return_inverse=True)
    place = place.ravel()
    counts = np.bincount(item * n_labels + said, minlength=n_items * n_labels)
    independent = np.zeros((n_labels, 1))
    # Raters with few ratings are lent some that are spread as everyone's are.
    pooled = ballots([counts.reshape(n_items, n_labels)], None, None)
    everyone, _ = climb(pooled, starting_model(pooled, independent))
    data = named_ballots(item, place, said, n_items, len(seen), n_labels)
    prior = LENT * np.tile(everyone.chances[:, :, 0], (len(seen), 1))
    model, _ = climb(data, starting_model(data, independent), held=Held(prior=prior))
    posterior = class_chances(data, model)[data.row, :, 0]
    base = model.joint[:, 0, 0]
    chances = model.chances[:, :, 0].reshape(len(seen), n_labels, n_labels)
    quantile = student(confidence, math.inf)
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
            RaterReliability(
                rater=str(named.raters[seen[who]]),
                ratings=len(own),
                accuracy=accuracy,
                skill=Estimate(skill, min(low, skill), max(high, skill)),
                at_chance=low <= 0 and high < HALF * usual,
            )
        )
    return tuple(sorted(found, key=lambda each: float(each.skill)))


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
