"""Linear surveys: the curve from pairs of ratings, against theory, brute force and the fit."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.data import Labels
from headcount.equivalence.combiners import COMBINERS, resolve_combiner
from headcount.equivalence.exact import Setup, power_curve
from headcount.errors import OptionError
from headcount.metrics import resolve_scorer
from headcount.population.surveys import LinearSurvey


def ratings_of(counts):
    return hc.Ratings.from_counts(counts, labels=list("abcd"[: counts.shape[1]]))


def test_two_ratings_an_item_give_every_k_against_theory():
    """Dirichlet items: the Bayes prediction is linear, with error ∝ 1 + 1/(A + k)."""
    rng = np.random.default_rng(0)
    alpha = np.array([1.0, 0.5, 1.5])
    counts = rng.multinomial(2, rng.dirichlet(alpha, size=60_000))
    curve = hc.power_curve(ratings_of(counts), combiner="linear", scorer="brier", n_bootstrap=0)
    total, mean = alpha.sum(), alpha / alpha.sum()
    spread = (mean * (1 - mean)).sum()

    def truth(k):
        return -0.5 * spread * total / (total + 1) * (1 + 1 / (total + k))

    for point in curve.all_points:
        assert point.score.value == pytest.approx(truth(point.raters), abs=2e-3)
    assert curve.ideal.value == pytest.approx(truth(1e12), abs=2e-3)
    assert curve.modelled[0].raters == 2


def test_linear_and_fitted_agree_where_both_are_right():
    rng = np.random.default_rng(1)
    counts = rng.multinomial(6, rng.dirichlet([0.8, 1.2], size=4000))
    options = {"scorer": "brier", "n_bootstrap": 100}
    fitted = hc.power_curve(ratings_of(counts), combiner="fitted", **options)
    linear = hc.power_curve(ratings_of(counts), combiner="linear", **options)
    np.testing.assert_allclose(linear.values, fitted.values, atol=1e-3)
    for k in (6, 7, 8):
        assert linear.score(k).low <= fitted.score(k).value <= linear.score(k).high


def test_the_formula_is_the_score_of_the_linear_prediction_against_brute_force():
    """With endlessly many items, surveys predicted linearly score what the formula says."""
    patterns = np.array([[4, 0, 0], [0, 4, 0], [0, 1, 3], [3, 1, 0], [0, 0, 4]])
    sizes = np.array([3, 4, 2, 5, 1]) * 10**9
    labels = Labels(("a", "b", "c"))
    setup = Setup(patterns, sizes, 3, labels, COMBINERS["linear"], resolve_scorer("brier"))
    found = power_curve(setup, np.zeros((0, 5), dtype=np.int64)).scores
    formula = -0.5 * LinearSurvey.of_labels(patterns, sizes).error(np.arange(4))
    np.testing.assert_allclose(found, formula, atol=1e-8)


def test_k_people_combined_linearly_are_worth_k():
    rng = np.random.default_rng(3)
    alpha, labels = np.array([0.5, 0.5, 1.0]), list("abc")
    p = rng.dirichlet(alpha, size=3000)
    counts, asked = rng.multinomial(3, p), rng.multinomial(4, p)
    said = (alpha + asked) / (alpha.sum() + 4)
    table = {"item": [str(i) for i in range(3000)]}
    table |= {f"four:{label}": said[:, j] for j, label in enumerate(labels)}
    worth = hc.survey_equivalence(
        ratings_of(counts), pa.table(table), combiner="linear", scorer="brier", calibrate=False
    )["four"].worth
    assert worth.low <= 4 <= worth.high
    assert worth.modelled
    assert worth.value == pytest.approx(4, abs=1)


def test_linear_is_about_squared_error_alone():
    ratings = ratings_of(np.array([[2, 1], [1, 2], [3, 0]]))
    for options in ({"scorer": "cross_entropy"}, {"scorer": "brier", "reference_raters": 2}):
        with pytest.raises(OptionError, match="squared error"):
            hc.power_curve(ratings, combiner="linear", **options)
    assert resolve_combiner("linear").name == "linear"
