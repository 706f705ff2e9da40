"""The curve without end of linear surveys: moments and errors from pairs of ratings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.errors import UnanswerableError
from headcount.population.surveys import LinearSurvey


def test_linear_error_of_one_number_against_theory() -> None:
    """σ² + τ²σ²/(kτ² + σ²)."""
    survey = LinearSurvey(np.array([[0.5]]), np.array([[1.7]]), np.zeros(1))
    k = np.array([0.0, 1.0, 2.5])
    np.testing.assert_allclose(survey.error(k), 1.7 + 0.5 * 1.7 / (k * 0.5 + 1.7))


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
