"""Profile intervals: against a cutting-plane solver, at edges, and around their estimate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import chi2

from headcount.errors import UnanswerableError
from headcount.population import Population, fit_population
from headcount.population.functionals import own_score
from headcount.population.maximum_likelihood import Likelihood
from headcount.population.profile_likelihood import lowest


def _sample(seed: int, items: int, ratings: int) -> Population:
    rng = np.random.default_rng(seed)
    p = rng.choice([0.8, 0.5, 0.1], p=[0.7, 0.1, 0.2], size=items)
    y, size = np.unique(rng.binomial(ratings, p), return_counts=True)
    return fit_population(np.column_stack([ratings - y, y]), size)


def _cutting_planes(likelihood: Likelihood, best: np.ndarray, theta: np.ndarray, drop: float):
    """The least theta · g with ℓ(g) ≥ ℓ(best) − drop, by tangents of the log-likelihood."""
    floor = likelihood.at(best) - drop
    rows, limits, g = [], [], best
    for _ in range(200):
        f = likelihood.relative @ g
        slope = likelihood.relative.T @ (likelihood.weight / f)
        rows.append(-slope)
        limits.append(likelihood.at(g) - floor - slope @ g)
        found = linprog(
            theta, A_ub=np.array(rows), b_ub=np.array(limits), A_eq=np.ones((1, len(theta))),
            b_eq=[1.0], method="highs",
        )  # fmt: skip
        assert found.status == 0
        # A touch of the best keeps the tangent finite at the edge of the simplex.
        g = 0.999 * found.x + 0.001 * best
        if likelihood.at(found.x * (1 - 1e-12) + 1e-12 * best) >= floor - 1e-4:
            break
    return float(found.fun)


@pytest.mark.parametrize(("ratings", "items"), [(3, 300), (5, 100)])
@pytest.mark.parametrize("score", ["cross_entropy", "agreement"])
def test_ends_against_brute_force(ratings: int, items: int, score: str) -> None:
    """HiGHS with cutting planes finds the same ends, in much more time."""
    population = _sample(ratings, items, ratings)
    assert population.likelihood is not None
    assert population.fit is not None
    theta = own_score(population.mixture.atoms, score)
    drop = 0.5 * chi2.ppf(0.95, 1)
    for sign in (1, -1):
        mine = lowest(population.likelihood, population.fit, sign * theta, drop).value
        theirs = _cutting_planes(population.likelihood, population.fit.weights, sign * theta, drop)
        assert mine == pytest.approx(theirs, abs=5e-4)


def test_an_end_is_attained_within_tolerance() -> None:
    population = _sample(1, 500, 5)
    assert population.likelihood is not None
    assert population.fit is not None
    theta = population.mixture.atoms.max(axis=1)
    end = lowest(population.likelihood, population.fit, theta, 1.92)
    assert theta @ end.weights == pytest.approx(end.value, abs=1e-5)
    assert population.likelihood.at(end.weights) >= population.fit.log_likelihood - 1.93


def test_coin_flips_lie_inside_their_interval() -> None:
    rng = np.random.default_rng(2)
    y, size = np.unique(rng.binomial(5, 0.5, size=400), return_counts=True)
    population = fit_population(np.column_stack([5 - y, y]), size)
    low, high = population.ideal_interval("agreement")
    assert low == 0.5
    assert high < 0.62


def test_more_labels_are_told_to_resample() -> None:
    population = fit_population([[3, 1, 0], [0, 2, 2], [0, 0, 4]], [20, 20, 20])
    with pytest.raises(UnanswerableError, match="resample items"):
        population.ideal_interval()


@given(
    seed=st.integers(0, 10_000),
    items=st.integers(2, 400),
    ratings=st.integers(1, 12),
    score=st.sampled_from(["cross_entropy", "brier", "agreement"]),
)
@settings(max_examples=25, deadline=None)
def test_an_estimate_lies_inside_its_interval(
    seed: int, items: int, ratings: int, score: str
) -> None:
    population = _sample(seed, items, ratings)
    low, high = population.ideal_interval(score)
    assert low - 1e-9 <= population.ideal(score) <= high + 1e-9
    wider = population.ideal_interval(score, confidence=0.99)
    assert wider[0] <= low + 2e-5
    assert high <= wider[1] + 2e-5
