"""The tests of the assumptions: how often they speak up where nothing is wrong, and where it is."""

import numpy as np
import pytest
from scipy.stats import binom, chi2

from headcount.accuracy.checks import (
    against_spread,
    equal_confusions,
    equal_difficulty,
    equal_raters,
)
from headcount.data import Named
from headcount.simulate import Fallible
from research.accuracy_study import as_judged

CHECKS = ("confusions", "raters", "difficulty")


def _p_values(recipe, seed):
    judged, named = as_judged(recipe.draw(np.random.default_rng([3, seed])), recipe.labels)
    counts, cases = np.unique(judged.counts, axis=0, return_counts=True)
    confusions, unanimous = equal_confusions(counts, cases), equal_difficulty(counts, cases)
    raters = equal_raters(judged.counts, named)[1]
    return (
        1.0 if confusions is None else confusions.outcome.p_value,
        raters.p_value,
        unanimous.outcome.p_value,
    )


def _rejections(recipe, runs, level=0.05):
    found = np.array([_p_values(recipe, seed) for seed in range(runs)])
    return dict(zip(CHECKS, (found < level).sum(axis=0).tolist(), strict=True))


@pytest.mark.parametrize(
    "recipe",
    [
        Fallible(cases=400),
        Fallible(cases=150, accuracy=(0.8,), raters=5),
        Fallible(cases=400, labels=2, raters=6, accuracy=(0.75,)),
    ],
    ids=["five labels", "few disagreements", "two labels"],
)
def test_sound_data_are_doubted_no_more_often_than_claimed(recipe):
    runs = 200
    for name, count in _rejections(recipe, runs).items():
        assert binom.sf(count - 1, runs, 0.05) > 0.001, (name, count)


@pytest.mark.parametrize(
    ("check", "recipe"),
    [
        ("raters", Fallible(cases=300, accuracy=(0.4, 0.6, 0.8))),
        ("confusions", Fallible(cases=300, dispersion=2.0)),
        ("confusions", Fallible(cases=1500, error_range=1.0)),
        ("difficulty", Fallible(cases=3000, difficulty=0.2)),
        ("difficulty", Fallible(cases=1000, difficulty=0.2, labels=2, raters=6, accuracy=(0.75,))),
    ],
)
def test_each_violation_is_found_by_its_check(check, recipe):
    assert _rejections(recipe, 25)[check] >= 20


@pytest.mark.parametrize("spread", [[1.0], [1.0, 1.0, 1.0, 1.0], [0.2, 0.2]])
def test_equal_spreads_against_theory(spread):
    """Departures that vary alike: their squares are a chi-square with so many degrees."""
    off = np.sqrt(spread) * np.linspace(0.5, 2.0, len(spread))
    found = against_spread(off, np.diag(spread))
    squares = float((off**2 / spread).sum())
    assert found.freedom == pytest.approx(len(spread))
    assert found.statistic == pytest.approx(squares)
    assert found.p_value == pytest.approx(chi2.sf(squares, len(spread)))


def test_unequal_spreads_against_theory():
    """Squares of correlated departures have mean Σλ and variance 2Σλ², and so has the chi-square
    they are held against once it is scaled to that mean.
    """
    rng = np.random.default_rng(4)
    root = rng.normal(size=(5, 5)) * [3.0, 1.0, 1.0, 0.5, 0.2]
    spread = root.T @ root
    freedom = against_spread(np.ones(5), spread).freedom
    squares = (rng.multivariate_normal(np.zeros(5), spread, size=200_000) ** 2).sum(axis=1)
    mean = np.trace(spread)
    assert squares.mean() == pytest.approx(mean, rel=0.02)
    assert squares.var() == pytest.approx(2 * mean**2 / freedom, rel=0.04)


def test_one_departure_has_one_degree_of_freedom():
    """Unanimity is one number, and so is the difference between two raters."""
    recipe = Fallible(cases=300, raters=4, labels=2, accuracy=(0.75,))
    judged, _ = as_judged(recipe.draw(np.random.default_rng(2)), 2)
    counts, items = np.unique(judged.counts, axis=0, return_counts=True)
    assert equal_difficulty(counts, items).outcome.freedom == pytest.approx(1)
    two = Fallible(cases=300, raters=2, labels=3, accuracy=(0.6, 0.8))
    judged, named = as_judged(two.draw(np.random.default_rng(2)), 3)
    assert equal_raters(judged.counts, named)[1].freedom == pytest.approx(1, abs=0.05)


def test_expected_disagreements_follow_base_rates():
    """Unequal base rates alone are no violation: rare labels are rarely confused."""
    recipe = Fallible(cases=20_000, base_rates=(0.6, 0.25, 0.1, 0.03, 0.02))
    judged, _ = as_judged(recipe.draw(np.random.default_rng(1)), 5)
    counts, cases = np.unique(judged.counts, axis=0, return_counts=True)
    found = equal_confusions(counts, cases)
    assert found.expected.max() > 3 * found.expected.min()
    assert found.outcome.p_value > 0.001
    assert np.abs(found.observed - found.expected).sum() / 2 < 0.02
    assert found.observed.sum() == pytest.approx(1)


def test_raters_agreement_against_brute_force():
    ratings = np.array([[0, 0, 1], [1, 1, 1], [2, 0, 0], [0, 2, -1]])
    case, rater = np.nonzero(ratings >= 0)
    named = Named(case, rater, ratings[case, rater], np.array(["a", "b", "c"], dtype=object))
    counts = np.stack([(ratings == code).sum(axis=1) for code in range(3)], axis=1)
    agreement, _ = equal_raters(counts, named)
    for r in range(3):
        pairs = [
            ratings[i, r] == ratings[i, other]
            for i in range(4)
            for other in range(3)
            if other != r and ratings[i, r] >= 0 and ratings[i, other] >= 0
        ]
        assert agreement[r] == pytest.approx(np.mean(pairs))


def test_nothing_to_test_is_none():
    unanimous = np.array([[3, 0, 0], [0, 3, 0]])
    assert equal_confusions(unanimous, np.array([5, 5])) is None
    assert equal_confusions(np.array([[2, 1]]), np.array([9])) is None
    assert equal_difficulty(np.array([[1, 1, 0]]), np.array([9])) is None
    lone = Named(np.arange(3), np.zeros(3, int), np.zeros(3, int), np.array(["a"], dtype=object))
    agreement, outcome = equal_raters(np.eye(3, dtype=int), lone)
    assert outcome is None
    assert np.isnan(agreement).all()
