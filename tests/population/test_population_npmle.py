"""The fit of two labels: its maximum, its certificate, ragged counts, slips and weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln
from scipy.stats import binom

from headcount.population import fit_population
from headcount.population.maximum_likelihood import Likelihood, maximum_likelihood
from headcount.population.mixtures import Atoms, through_slips, two_label_grid

COUNTS = np.array([[3, 0], [2, 1], [1, 3], [0, 2], [5, 5]])
SIZE = np.array([40.0, 12.0, 9.0, 30.0, 3.0])


def _likelihood(counts: np.ndarray, size: np.ndarray) -> Likelihood:
    grid = two_label_grid(10)
    even = Atoms(np.full(len(grid), 1 / len(grid)), grid)
    return Likelihood.from_logs(even.log_likelihoods(counts), size)


def _em(likelihood: Likelihood, steps: int) -> float:
    g = np.full(likelihood.relative.shape[1], 1 / likelihood.relative.shape[1])
    for _ in range(steps):
        f = likelihood.relative @ g
        g *= likelihood.relative.T @ (likelihood.weight / f) / likelihood.total
    return likelihood.at(g)


def test_maximum_against_brute_force() -> None:
    """The EM algorithm climbs to the same place, slowly, and never above it."""
    likelihood = _likelihood(COUNTS, SIZE)
    fit = maximum_likelihood(likelihood)
    slow = _em(likelihood, 20_000)
    assert slow <= fit.log_likelihood + fit.gap
    assert fit.log_likelihood == pytest.approx(slow, abs=0.01)


def test_certificate_bounds_what_is_missing_against_theory() -> None:
    likelihood = _likelihood(COUNTS, SIZE)
    fit = maximum_likelihood(likelihood, tolerance=1e-5)
    f = likelihood.relative @ fit.weights
    gradient = likelihood.relative.T @ (likelihood.weight / f)
    assert fit.gap <= 1e-5
    assert gradient.max() - likelihood.total <= fit.gap + 1e-8
    assert fit.weights.sum() == pytest.approx(1)
    assert (fit.weights >= 0).all()


@pytest.mark.parametrize("items", [10**6, 10**8, 10**10])
def test_any_number_of_items_is_fitted_against_theory(items: int) -> None:
    """Rounding hides the last of the way up where items are many; what is left is nothing."""
    said = np.arange(11)
    chance = (binom.pmf(said, 10, 0.2) + binom.pmf(said, 10, 0.8)) / 2
    counts = np.column_stack([10 - said, said])
    likelihood = _likelihood(counts, np.random.default_rng(0).multinomial(items, chance))
    fit = maximum_likelihood(likelihood)
    assert fit.gap <= max(1e-3, 1e-9 * items)
    assert np.sqrt(items) * np.abs(_chances(likelihood, fit.weights) - chance).max() < 2


def _chances(likelihood: Likelihood, weights: np.ndarray) -> np.ndarray:
    """The probability of each row under these weights."""
    binomial = np.exp(gammaln(11) - gammaln(np.arange(11) + 1) - gammaln(11 - np.arange(11)))
    return binomial * np.exp(likelihood.log_scale) * (likelihood.relative @ weights)


def test_log_likelihood_against_brute_force() -> None:
    """The likelihood of each item is a sum over kinds of items, ratings taken in order."""
    found = fit_population(COUNTS, SIZE)
    assert isinstance(found.mixture, Atoms)
    by_hand = 0.0
    for (a, b), items in zip(COUNTS, SIZE, strict=True):
        each = found.mixture.atoms
        by_hand += items * np.log((found.mixture.weights * each[:, 0] ** a * each[:, 1] ** b).sum())
    assert found.log_likelihood == pytest.approx(by_hand, abs=1e-6)


def test_many_ratings_an_item_neither_underflow_nor_fail() -> None:
    rng = np.random.default_rng(3)
    p = rng.choice([0.001, 0.6], size=60)
    y = rng.binomial(2_000, p)
    found = fit_population(np.column_stack([2_000 - y, y]))
    assert found.ceiling() == pytest.approx(np.maximum(p, 1 - p).mean(), abs=0.005)


def test_slips_are_set_aside_against_theory() -> None:
    """Clear items seen through slips look contested; the fit through slips says they are clear."""
    rng = np.random.default_rng(5)
    s = np.column_stack([1 - (p := rng.integers(0, 2, 4_000)), p]).astype(float)
    counts = rng.multinomial(5, through_slips(s, 0.1))
    pattern, size = np.unique(counts, axis=0, return_counts=True)
    assert fit_population(pattern, size).ceiling() == pytest.approx(0.9, abs=0.01)
    assert fit_population(pattern, size, slip=0.1).ceiling() > 0.985


def test_slips_with_four_labels_against_theory() -> None:
    rng = np.random.default_rng(6)
    s = rng.dirichlet(np.full(4, 0.4), size=1_500)
    counts = rng.multinomial(8, through_slips(s, 0.15))
    found = fit_population(counts, slip=0.15)
    assert found.ceiling() == pytest.approx(s.max(axis=1).mean(), abs=0.03)
    assert abs(fit_population(counts).ceiling() - s.max(axis=1).mean()) > 0.06


def test_an_impossible_survey_has_an_answer() -> None:
    """Every item is clear in the data; a divided one may still come."""
    found = fit_population([[4, 0]], [100])
    answer = found.predict([[0, 4], [2, 2]])
    assert np.isfinite(answer).all()
    assert answer[0, 1] > 0.5
    np.testing.assert_allclose(answer.sum(axis=1), 1)


@given(
    counts=st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(any), min_size=1, max_size=6
    ),
    truth=st.lists(st.floats(0.01, 1), min_size=201, max_size=201),
)
@settings(max_examples=25, deadline=None)
def test_no_population_is_more_likely(counts: list[tuple[int, int]], truth: list[float]) -> None:
    pattern = np.array(counts)
    likelihood = _likelihood(pattern, np.ones(len(pattern)))
    fit = maximum_likelihood(likelihood)
    weights = np.array(truth) / np.sum(truth)
    assert likelihood.at(weights) <= fit.log_likelihood + fit.gap + 1e-9


@given(scale=st.floats(0.2, 50))
@settings(max_examples=10, deadline=None)
def test_weights_scale_the_likelihood_and_nothing_else(scale: float) -> None:
    once, scaled = fit_population(COUNTS, SIZE), fit_population(COUNTS, scale * SIZE)
    assert scaled.log_likelihood == pytest.approx(scale * once.log_likelihood, rel=1e-4)
