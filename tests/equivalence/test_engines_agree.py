"""Surveys of items and the paper's columns of raters: equal on full matrices, or as items grow.

A score that is a mean of rows has the same expectation pooled over raters as averaged over
their columns. Any other score has not, on few items: its value in one column is that of a
smaller data set. The difference must vanish as items grow.
"""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.equivalence.combiners import COMBINERS
from headcount.metrics import SCORERS, fits, prediction_for
from research.by_columns import curve_by_columns, plan_for, score_by_columns

PAIRS = [
    (combiner, scorer)
    for combiner in COMBINERS
    for scorer in SCORERS
    if combiner not in ("fitted", "linear")  # which have ways of their own
    and fits(COMBINERS[combiner].produces, SCORERS[scorer])
]
MEANS = [pair for pair in PAIRS if SCORERS[pair[1]].decomposable]
OTHERS = [pair for pair in PAIRS if not SCORERS[pair[1]].decomposable]


def full_matrix(items, n_labels, raters=5, seed=0):
    """Three kinds of items, every rater answers every one."""
    rng = np.random.default_rng(seed)
    kinds = rng.dirichlet(np.full(n_labels, 0.7), size=3)
    chance = kinds[rng.integers(3, size=items)].cumsum(axis=1)
    label = (rng.random((items, raters, 1)) > chance[:, None, :]).sum(axis=2)
    label = np.minimum(label, n_labels - 1)
    item, rater = np.indices(label.shape)
    columns = {"item": item.ravel(), "rater": rater.ravel(), "label": label.ravel()}
    return hc.Ratings.from_frame(pa.table(columns))


def curves(ratings, combiner, scorer, reference_raters=1):
    options = {"reference_raters": reference_raters}
    exact = hc.power_curve(
        ratings, combiner=combiner, scorer=scorer, nobody="uniform", n_bootstrap=0, **options
    )
    plan = plan_for(ratings.labels, combiner, scorer, **options)
    return exact.values, curve_by_columns(ratings.answers().matrix(), plan).score


@pytest.mark.parametrize("reference_raters", [1, 3])
@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize(("combiner", "scorer"), MEANS)
def test_means_of_rows_are_equal_on_full_matrices(combiner, scorer, n_labels, reference_raters):
    ratings = full_matrix(60, n_labels)
    exact, columns = curves(ratings, combiner, scorer, reference_raters=reference_raters)
    np.testing.assert_allclose(exact, columns, atol=1e-10)


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize(("combiner", "scorer"), OTHERS)
def test_other_scores_are_equal_in_the_limit_of_many_items(combiner, scorer, n_labels):
    exact, columns = curves(full_matrix(4000, n_labels), combiner, scorer)
    np.testing.assert_allclose(exact, columns, atol=3e-4)


def test_a_classifier_scores_the_same_on_a_full_matrix():
    ratings = full_matrix(40, 2)
    rng = np.random.default_rng(5)
    guess = pa.table({"item": range(40), "m": [str(each) for each in rng.integers(2, size=40)]})
    options = {"scorer": "brier", "calibrate": False, "n_bootstrap": 0}
    exact = hc.survey_equivalence(ratings, hc.Predictions.from_frame(guess), **options)
    study = hc.Study(ratings, hc.Predictions.from_frame(guess))
    answers = ratings.answers()
    row = {item: place for place, item in enumerate(answers.items)}
    matrix = answers.matrix()[[row[item] for item in study.judged.items]]
    plan = plan_for(ratings.labels, "abc", "brier")
    prediction = prediction_for(study.judged.classifiers[0], plan.scorer, ratings.labels)
    score, _ = score_by_columns(prediction, matrix, plan)
    assert exact["m"].score.value == pytest.approx(score, abs=1e-12)
