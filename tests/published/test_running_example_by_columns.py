"""The running example by the paper's algorithms: full matrix, so the figures are the paper's."""

import numpy as np
import pytest

import headcount as hc
from headcount.data import judge
from headcount.equivalence.combiners import resolve_combiner
from headcount.metrics import prediction_for, resolve_scorer
from research.by_columns import ByColumns, curve_by_columns, score_by_columns


@pytest.fixture
def example(shared_data):
    folder = shared_data("running-example")
    ratings = hc.Ratings.read(folder / "ratings.csv")
    judged = judge(ratings, hc.Predictions.read(folder / "predictions.csv"))
    answers = ratings.answers()
    row = {item: position for position, item in enumerate(answers.items)}
    matrix = answers.matrix()[[row[item] for item in judged.items]]
    return matrix, {each.name: each for each in judged.classifiers}, judged.labels


def test_abc_and_cross_entropy_by_columns_against_paper(example):
    matrix, classifiers, labels = example
    plan = ByColumns(labels, resolve_combiner("abc"), resolve_scorer("cross_entropy"))
    curve = curve_by_columns(matrix, plan)
    known = [0, 1, 2, 3, 7, 8, 9]
    np.testing.assert_allclose(
        curve.score[known],
        [-0.955600, -0.875335, -0.820311, -0.789748, -0.742477, -0.738631, -0.738060],
        atol=5e-7,
    )
    assert (curve.error[known] == 0).all()
    prediction = prediction_for(classifiers["calibrated"], plan.scorer, labels)
    score, _ = score_by_columns(prediction, matrix, plan)
    assert 1 + (score - curve.score[1]) / (curve.score[2] - curve.score[1]) == pytest.approx(
        1.97, abs=0.005
    )


def test_majority_vote_and_agreement_by_columns_against_paper(example):
    matrix, classifiers, labels = example
    plan = ByColumns(
        labels, resolve_combiner("plurality"), resolve_scorer("agreement"), subsets=252
    )
    curve = curve_by_columns(matrix, plan)
    np.testing.assert_allclose(curve.score[:4], [0.5, 0.68751, 0.68751, 0.73671], atol=5e-6)
    np.testing.assert_allclose(curve.score[2::2], curve.score[1:-1:2], atol=1e-12)
    score, _ = score_by_columns(classifiers["hard"].top(), matrix, plan)
    assert score == pytest.approx(0.7442, abs=5e-5)
    assert 4 + (score - curve.score[4]) / (curve.score[5] - curve.score[4]) == pytest.approx(
        4.332, abs=5e-4
    )
