"""Worth on a curve without end: crossings, limits of the curve, intervals, linear surveys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.errors import UnanswerableError
from headcount.population import fit_population
from headcount.population.atoms import Atoms
from headcount.population.curve import curve_of
from headcount.population.curve_limits import CurveLimits
from headcount.population.linear import LinearSurvey
from headcount.population.worth import crossing, modelled_worth, score_correlation

RUNNING = Atoms(np.array([0.7, 0.1, 0.2]), np.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]]))


def _fitted(ratings: int, items: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    return fit_population(rng.multinomial(ratings, RUNNING.draw(rng, items)))


def test_crossings_by_hand() -> None:
    curve = np.array([[0.0, 0.5, 0.4, 1.0]] * 4)
    found = crossing(np.array([-1.0, 0.25, 0.7, 2.0]), curve)
    np.testing.assert_allclose(found, [-np.inf, 0.5, 2.5, np.inf])


def test_running_example_worth_against_paper() -> None:
    """The true score of the running example's classifier is worth 1.8813 raters."""
    curve = curve_of(RUNNING, np.arange(10), "cross_entropy", clip=0.0).scores
    assert crossing(np.array([-0.82031]), curve[None])[0] == pytest.approx(1.8813, abs=1e-3)


@pytest.mark.parametrize("k", [0, 2, 6, None])
def test_limits_hold_the_curve_and_its_truth(k: int | None) -> None:
    """The curve of the truth, which is as likely as the data allow, lies within its limits."""
    limits = CurveLimits(_fitted(4, 400), "cross_entropy", None, 3.0)
    low, high = limits.interval(k)
    assert low <= limits.estimate(k) <= high
    truth = -0.6991 if k is None else curve_of(RUNNING, np.array([k]), "cross_entropy").scores[0]
    assert low <= truth <= high


def test_three_ratings_an_item_say_what_five_people_are_worth() -> None:
    h = float(curve_of(RUNNING, np.array([5]), "cross_entropy").scores[0])
    found = modelled_worth(_fitted(3, 1_000), "cross_entropy", h, 0.01, correlation=0.5)
    assert found.low < 5 < found.high
    assert found.low <= found.value <= found.high


def test_what_passes_the_ideal_is_worth_more_than_anyone() -> None:
    found = modelled_worth(_fitted(5, 300), "cross_entropy", -0.01, 0.001)
    assert found.value == found.high == np.inf
    below = modelled_worth(_fitted(5, 300), "cross_entropy", -3.0, 0.001)
    assert below.value == below.low == -np.inf


def test_correlation_against_theory() -> None:
    x = np.array([1.0, 2.0, 4.0, np.nan])
    y = np.array([2.0, 1.0, 5.0, 1.0])
    weights = np.array([1.0, 2.0, 1.0, 3.0])
    again = np.repeat(np.arange(3), [1, 2, 1])
    expected = np.corrcoef(x[again], y[again])[0, 1]
    assert score_correlation(x, y, weights) == pytest.approx(expected)
    assert score_correlation(np.ones(3), y[:3], weights[:3]) == 0.0


def test_linear_numbers_against_theory() -> None:
    """σ² + τ²σ²/(kτ² + σ²), and worth σ²/(m − σ²) − σ²/τ²."""
    survey = LinearSurvey(np.array([[0.5]]), np.array([[1.7]]), np.zeros(1))
    k = np.array([0.0, 1.0, 2.5])
    np.testing.assert_allclose(survey.error(k), 1.7 + 0.5 * 1.7 / (k * 0.5 + 1.7))
    m = float(survey.error(2.5)[0])
    assert survey.worth(m) == pytest.approx(2.5)
    assert survey.worth(m) == pytest.approx(1.7 / (m - 1.7) - 1.7 / 0.5)
    assert survey.worth(1.7) == np.inf
    assert survey.worth(2.3) == -np.inf


def test_linear_moments_against_brute_force() -> None:
    """Pairs of ratings of one item, and of two items, all written out."""
    ratings = [[0, 0, 1], [2, 2], [1, 0, 2, 1]]
    hot = [np.eye(3)[each] for each in ratings]
    same = np.mean(
        [
            np.mean(
                [np.outer(x[a], x[b]) for a in range(len(x)) for b in range(len(x)) if a != b], 0
            )
            for x in hot
        ],
        axis=0,
    )
    means = [x.mean(axis=0) for x in hot]
    other = np.mean([np.outer(means[a], means[b]) for a in range(3) for b in range(3) if a != b], 0)
    square = np.mean([np.mean([np.outer(r, r) for r in x], axis=0) for x in hot], axis=0)
    counts = np.array([np.bincount(each, minlength=3) for each in ratings] + [[1, 0, 0]])
    survey = LinearSurvey.of_labels(counts)
    np.testing.assert_allclose(survey.between, same - other, atol=1e-12)
    np.testing.assert_allclose(survey.within, square - same, atol=1e-12)
    numbers = LinearSurvey.of_numbers(
        [3, 2, 4], [1, 4, 4], [1, 8, 6]
    )  # the labels as numbers: v = (0, 1, 2)
    v = np.arange(3)
    assert numbers.between[0, 0] == pytest.approx(v @ survey.between @ v)
    assert numbers.within[0, 0] == pytest.approx(v @ survey.within @ v)


def test_two_labels_make_linear_and_fitted_surveys_agree_against_theory() -> None:
    """Under a Beta population the Bayes prediction is linear: both curves are one."""
    rng = np.random.default_rng(4)
    counts = rng.multinomial(2, rng.dirichlet([1.0, 2.0], size=100_000))
    survey = LinearSurvey.of_labels(counts)
    beta_curve = [-0.5 * float(survey.error(k)[0]) for k in (0, 1, 5)]
    # A Beta(1, 2) has mean ⅓ and after k ratings the error Σ p(1 − p) of its posterior.
    k = np.array([0, 1, 5])
    expected = -(1 / 3 * 2 / 3) * (3 / 4) * (1 + 1 / (3 + k))
    np.testing.assert_allclose(beta_curve, expected, atol=2e-3)


def test_a_linear_survey_needs_pairs() -> None:
    with pytest.raises(UnanswerableError, match="two ratings"):
        LinearSurvey.of_labels([[1, 0], [0, 1]])


@given(seed=st.integers(0, 500), n_labels=st.integers(2, 5))
@settings(max_examples=25, deadline=None)
def test_linear_error_falls_with_every_rater(seed: int, n_labels: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(4, rng.dirichlet(np.full(n_labels, 0.5), size=30))
    error = LinearSurvey.of_labels(counts).error([0, 0.5, 1, 2, 8, 1e6])
    assert (np.diff(error) <= 1e-9).all()
