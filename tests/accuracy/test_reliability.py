"""Each rater's reliability, and who answers at chance."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.accuracy.reliability import rater_reliability
from headcount.data import Named


def _pool(seed, items=1000, raters=30, each=4):
    """A pool of raters, a fifth of whom guess or always say 1."""
    rng = np.random.default_rng([seed, 29])
    truth = (rng.random(items) < 0.4).astype(int)
    skill, spam = rng.uniform(0.65, 0.95, raters), rng.random(raters) < 0.2
    lazy = rng.random(raters) < 0.5
    who = np.argsort(rng.random((items, raters)), axis=1)[:, :each]
    said = np.where(rng.random((items, each)) < skill[who], truth[:, None], 1 - truth[:, None])
    guess = np.where(lazy[who], 1, rng.integers(0, 2, size=(items, each)))
    ratings = np.full((items, raters), -1)
    np.put_along_axis(ratings, who, np.where(spam[who], guess, said), axis=1)
    return ratings, spam


def _reliability(ratings):
    """By rater's number, from ratings (items, raters) with −1 for none."""
    item, rater = np.nonzero(ratings >= 0)
    names = np.array([str(code) for code in range(ratings.shape[1])], dtype=object)
    named = Named(item, rater, ratings[item, rater], names)
    return {int(each.rater): each for each in rater_reliability(named, len(ratings), 2)}


def test_spammers_are_named_and_others_are_not():
    named = missed = wrongly = 0
    for seed in range(10):
        ratings, spam = _pool(seed)
        for code, rater in _reliability(ratings).items():
            named += spam[code] and rater.at_chance
            missed += spam[code] and not rater.at_chance
            wrongly += not spam[code] and rater.at_chance
    assert named >= 2 * missed
    assert wrongly <= 2


def test_skill_against_theory():
    """Raters of known confusions: accuracy, chance by their own habits, skill beyond it."""
    rng = np.random.default_rng(1)
    truth = (rng.random(5000) < 0.3).astype(int)
    rights = np.array([[0.9, 0.8], [0.7, 0.95], [0.8, 0.8], [0.5, 0.5], [0.0, 1.0]])
    hit = rng.random((5000, 5)) < rights[:, truth].T
    found = _reliability(np.where(hit, truth[:, None], 1 - truth[:, None]))
    for code, (zero, one) in enumerate(rights):
        rater = found[code]
        accuracy = 0.7 * zero + 0.3 * one
        says_one = 0.7 * (1 - zero) + 0.3 * one
        chance = 0.3 * says_one + 0.7 * (1 - says_one)
        assert abs(rater.accuracy - accuracy) < 0.03
        assert abs(rater.skill.value - (accuracy - chance) / (1 - chance)) < 0.06
    assert [found[code].at_chance for code in range(5)] == [False, False, False, True, True]


def test_few_ratings_name_nobody():
    ratings, _ = _pool(2, items=60, raters=30)
    found = _reliability(ratings).values()
    assert not any(rater.at_chance for rater in found if rater.ratings < 6)


def test_raters_without_ratings_are_left_out():
    ratings, _ = _pool(3, items=200, raters=8)
    ratings[:, 5] = -1
    assert sorted(_reliability(ratings)) == [0, 1, 2, 3, 4, 6, 7]


def test_raters_are_told_by_name_and_spammers_named():
    ratings, spam = _pool(3)
    item, rater = np.nonzero(ratings >= 0)
    table = {"item": item, "rater": [f"w{r}" for r in rater], "label": ratings[item, rater]}
    found = hc.system_accuracy(pa.table(table), n_bootstrap=0, latent_class="off")
    by_code = _reliability(ratings)
    assert {each.rater for each in found.raters} == {f"w{r}" for r in by_code}
    for each in found.raters:
        assert each.skill.value == pytest.approx(by_code[int(each.rater[1:])].skill.value)
    skills = [each.skill.value for each in found.raters]
    assert skills == sorted(skills)
    assert found.spammers
    assert all(spam[int(name[1:])] for name in found.spammers)
    assert f"{found.spammers[0]!r}" in found.summary()
