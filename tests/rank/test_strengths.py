"""Strengths of systems against their definitions and against other implementations."""

import numpy as np
import pytest
from scipy.optimize import minimize

from headcount.errors import UnanswerableError
from headcount.rank.strengths import (
    bradley_terry,
    bradley_terry_influence,
    cannot_be_compared,
    davidson,
    davidson_influence,
    ratio_influence,
    table_of_wins,
    win_rates,
)

WINS = np.array([[0, 7, 4, 9], [3, 0, 5, 6], [5, 6, 0, 8], [1, 2, 3, 0]], dtype=float)
TIES = np.array([[0, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2], [0, 1, 2, 0]], dtype=float)


def _bouts(seed: int, n: int = 300, systems: int = 5) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    true = np.linspace(-1, 1, systems)
    first = rng.integers(0, systems, n)
    second = (first + rng.integers(1, systems, n)) % systems
    chance = 1 / (1 + np.exp(true[second] - true[first]))
    tied = rng.random(n) < 0.2
    won = (rng.random(n) < chance).astype(float)
    return first, second, np.where(tied, 0.5, won)


def test_bradley_terry_against_reference() -> None:
    # choix 0.4.1: choix.opt_pairwise(4, [(i, j)] * wins[i, j] for every pair, alpha=0,
    # method="Newton-CG", tol=1e-12), less its mean.
    frozen = [0.6344957112400902, 0.020163684330084617, 0.3491881931947979, -1.0038475887649727]
    np.testing.assert_allclose(bradley_terry(WINS), frozen, atol=1e-8)


def test_davidson_against_reference() -> None:
    # statsmodels 0.15.0: a Poisson GLM of the counts of each pair's wins, losses and ties, with an
    # effect a pair, 1 in the winner's column, ½ in both where they tie, and a column of ties.
    found = davidson(WINS, TIES)
    frozen = [0.6872199038534167, 0.04153956601228703, 0.3261535962653883, -1.0549130661310921]
    np.testing.assert_allclose(found.strength, frozen, atol=1e-8)
    assert found.tie == pytest.approx(0.34385867485973354, abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_bradley_terry_against_brute_force(seed: int) -> None:
    first, second, outcome = _bouts(seed)

    def cost(free: np.ndarray) -> float:
        theta = np.append(free, -free.sum())
        gap = theta[first] - theta[second]
        return float((np.logaddexp(0, -gap) * outcome + np.logaddexp(0, gap) * (1 - outcome)).sum())

    best = minimize(cost, np.zeros(4), tol=1e-12).x
    found = bradley_terry(table_of_wins(first, second, outcome, 5))
    np.testing.assert_allclose(found, np.append(best, -best.sum()), atol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_davidson_against_brute_force(seed: int) -> None:
    first, second, outcome = _bouts(seed)

    def cost(free: np.ndarray) -> float:
        theta, tie = np.append(free[:4], -free[:4].sum()), free[4]
        a, b = theta[first], theta[second]
        both = np.exp(a) + np.exp(b) + np.exp(tie + (a + b) / 2)
        said = np.select([outcome == 1, outcome == 0], [a, b], tie + (a + b) / 2)
        return float((np.log(both) - said).sum())

    best = minimize(cost, np.zeros(5), tol=1e-12).x
    wins, ties = np.zeros((5, 5)), np.zeros((5, 5))
    for i, j, won in zip(first, second, outcome, strict=True):
        if won == 0.5:
            ties[i, j] += 1
            ties[j, i] += 1
        else:
            wins[(i, j) if won else (j, i)] += 1
    found = davidson(wins, ties)
    np.testing.assert_allclose(found.strength, np.append(best[:4], -best[:4].sum()), atol=1e-5)
    assert found.tie == pytest.approx(np.exp(best[4]), abs=1e-5)


def test_influence_is_what_leaving_a_unit_out_does_against_brute_force() -> None:
    first, second, outcome = _bouts(4, n=2000)
    unit = np.arange(2000) // 4
    whole = bradley_terry(table_of_wins(first, second, outcome, 5))
    each = bradley_terry_influence(whole, first, second, outcome, unit, 500)
    np.testing.assert_allclose(each.mean(axis=0), 0, atol=1e-8)
    for left in (0, 17, 499):
        keep = unit != left
        without = bradley_terry(table_of_wins(first[keep], second[keep], outcome[keep], 5))
        np.testing.assert_allclose(499 * (whole - without), each[left], rtol=0.05, atol=0.05)


def test_influence_under_davidsons_model_against_brute_force() -> None:
    first, second, outcome = _bouts(5, n=2000)
    tied = (outcome == 0.5).astype(float)
    unit = np.arange(2000) // 4

    def fit(keep: np.ndarray):
        halves = table_of_wins(first[keep], second[keep], outcome[keep], 5)
        shared = table_of_wins(first[keep], second[keep], tied[keep], 5)
        shared = np.bincount(first[keep] * 5 + second[keep], tied[keep], 25).reshape(5, 5)
        shared = shared + shared.T
        return davidson(halves - shared / 2, shared)

    whole = fit(np.ones(2000, dtype=bool))
    each = davidson_influence(whole, first, second, outcome, tied, unit, 500)
    np.testing.assert_allclose(each.mean(axis=0), 0, atol=1e-8)
    for left in (3, 250):
        without = fit(unit != left).strength
        np.testing.assert_allclose(499 * (whole.strength - without), each[left], atol=0.06)


def test_ratios_and_their_influence_against_brute_force() -> None:
    rng = np.random.default_rng(6)
    lower = rng.integers(0, 3, (40, 3)).astype(float)
    upper = lower * rng.normal(3, 1, (40, 3))
    value, each = ratio_influence(upper, lower)
    np.testing.assert_allclose(value, upper.sum(axis=0) / lower.sum(axis=0))
    for left in (0, 39):
        keep = np.arange(40) != left
        without = upper[keep].sum(axis=0) / lower[keep].sum(axis=0)
        np.testing.assert_allclose(39 * (value - without), each[left], rtol=0.1, atol=0.05)


def test_win_rates_share_ties_against_theory() -> None:
    wins = table_of_wins(np.array([0, 0, 1]), np.array([1, 1, 2]), np.array([1, 0.5, 0]), 4)
    found = win_rates(wins)
    np.testing.assert_allclose(found[:3], [0.75, 0.5 / 3, 1])
    assert np.isnan(found[3])


def test_systems_that_cannot_be_compared_are_named() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = wins[0, 2] = 1
    assert cannot_be_compared(wins) == ((0, 1), (2, 3))
    with pytest.raises(UnanswerableError, match="2 groups"):
        bradley_terry(wins)
    shrunk = bradley_terry(wins, prior=1)
    assert np.isfinite(shrunk).all()
    assert shrunk[0] > shrunk[2]
    assert shrunk.sum() == pytest.approx(0, abs=1e-9)


def test_order_and_names_of_systems_do_not_matter() -> None:
    order = np.array([2, 0, 3, 1])
    turned = bradley_terry(WINS[np.ix_(order, order)])
    np.testing.assert_allclose(turned, bradley_terry(WINS)[order], atol=1e-9)
    both = davidson(WINS[np.ix_(order, order)], TIES[np.ix_(order, order)]).strength
    np.testing.assert_allclose(both, davidson(WINS, TIES).strength[order], atol=1e-9)


def test_far_apart_systems_neither_overflow_nor_stall() -> None:
    wins = np.array([[0.0, 1e6, 1e6], [1.0, 0.0, 1e6], [1.0, 1.0, 0.0]])
    found = bradley_terry(wins)
    assert np.isfinite(found).all()
    assert found[0] > found[1] > found[2]
