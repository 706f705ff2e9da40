"""The paper's Wikipedia figure, from the 2,000 comments it used, by its own algorithms.

The figures were made over columns padded with blanks up to the 46 ratings of the most rated
comment of the whole data set, with each item's own answers left in, and with 200 subsets
drawn for each k: hence the tolerance of three standard errors of two such samples.
"""

import numpy as np
import pytest

import headcount as hc
from headcount.data import judge
from headcount.equivalence.combiners import resolve_combiner
from headcount.metrics import resolve_scorer
from research.by_columns import ByColumns, curve_by_columns, score_by_columns

COLUMNS = 46


@pytest.fixture
def published(shared_data):
    folder = shared_data("wikipedia-attacks-published")
    ratings = hc.Ratings.read(folder / "ratings.csv.gz")
    judged = judge(ratings, hc.Predictions.read(folder / "predictions.csv"))
    answers = ratings.answers()
    padded = np.full((len(answers.items), COLUMNS), -1)
    column = np.array([int(name) - 1 for name in answers.raters])
    padded[:, column] = answers.matrix()
    row = {item: position for position, item in enumerate(answers.items)}
    order = np.array([row[item] for item in judged.items])
    (calibrated,) = [each for each in judged.classifiers if each.name == "calibrated"]
    return padded[order], calibrated.probabilities, judged.labels


@pytest.fixture
def plan(published):
    labels = published[2]
    return ByColumns(
        labels, resolve_combiner("abc"), resolve_scorer("cross_entropy"), leave_out=False
    )


def test_calibrated_classifier_by_padded_columns_against_paper(published, plan):
    answers, calibrated, _ = published
    assert answers.shape == (2000, COLUMNS)
    score, _ = score_by_columns(calibrated, answers, plan)
    assert score == pytest.approx(-0.454001, abs=5e-7)


def test_power_curve_by_padded_columns_against_paper(published, plan):
    answers, calibrated, _ = published
    curve = curve_by_columns(answers, plan, max_raters=20)
    assert curve.score[0] == pytest.approx(-0.6274, abs=5e-5)
    assert curve.score[1] == pytest.approx(-0.578, abs=5e-4)
    for k, printed in [(8, -0.452), (19, -0.414)]:
        noise = 3 * np.sqrt(2) * curve.error[k]
        assert noise < 0.01
        assert curve.score[k] == pytest.approx(printed, abs=noise)
    score, _ = score_by_columns(calibrated, answers, plan)
    above = int(np.argmax(curve.score > score))
    step = curve.score[above] - curve.score[above - 1]
    worth = above - 1 + (score - curve.score[above - 1]) / step
    assert worth == pytest.approx(7.63, abs=0.4)


def test_per_item_the_same_comments_give_less_than_half_of_it(shared_data):
    # Not printed in the paper: its text, applied to the items instead of padded columns.
    folder = shared_data("wikipedia-attacks-published")
    found = hc.survey_equivalence(
        hc.Ratings.read(folder / "ratings.csv.gz"),
        hc.Predictions.read(folder / "predictions.csv"),
        combiner="abc",
        calibrate=False,
        n_bootstrap=0,
    )
    assert found.curve.asked.items_used == 2000
    assert found["calibrated"].worth.value == pytest.approx(3.4, abs=0.05)
    np.testing.assert_allclose(
        found.curve.values[[0, 1, 3]], [-0.596577, -0.503088, -0.441271], atol=1e-6
    )
