"""The survey-equivalence paper's numbers, recomputed per item (METHODS 1.5)."""

import numpy as np
import pytest

import headcount as hc


@pytest.fixture
def running_example(shared_data):
    folder = shared_data("running-example")
    return (
        hc.Ratings.read(folder / "ratings.csv"),
        hc.Predictions.read(folder / "predictions.csv"),
    )


def test_abc_cross_entropy_curve_against_paper(running_example):
    ratings, _ = running_example
    curve = hc.power_curve(ratings, combiner="abc", n_bootstrap=0)
    assert curve.asked.items_used == 1000
    np.testing.assert_allclose(
        curve.values[[0, 1, 2, 3, 7, 8, 9]],
        [-0.955600, -0.875335, -0.820311, -0.789748, -0.742477, -0.738631, -0.738060],
        atol=5e-7,
    )


def test_abc_cross_entropy_equivalence_and_interval_against_paper(running_example):
    # The paper redraws items only.
    found = hc.survey_equivalence(*running_example, combiner="abc", calibrate=False, two_way=False)
    worth = found["calibrated"].worth
    assert worth.value == pytest.approx(1.97, abs=0.005)
    assert worth.low == pytest.approx(1.63, abs=0.15)
    assert worth.high == pytest.approx(2.54, abs=0.15)
    assert found["ideal"].worth.state == "above"


def test_majority_agreement_against_paper(running_example):
    found = hc.survey_equivalence(
        *running_example,
        combiner="majority",
        scorer="agreement",
        nobody="uniform",
        two_way=False,
    )
    values = found.curve.values
    np.testing.assert_allclose(values[[0, 1, 3]], [0.5, 0.68751, 0.73671], atol=5e-6)
    np.testing.assert_allclose(values[2::2], values[1:-1:2], atol=1e-14)
    assert found["hard"].score.value == pytest.approx(0.7442, abs=5e-7)
    worth = found["hard"].worth
    assert worth.value == pytest.approx(4.332, abs=5e-4)
    assert worth.low == pytest.approx(2.88, abs=0.15)
    assert worth.high == pytest.approx(4.81, abs=0.15)


def test_other_combiners_inflate_the_worth_against_paper(running_example):
    """Corollary 1 (the paper prints 6.32 for frequency; over all subsets it is 7.34)."""
    found = hc.survey_equivalence(
        *running_example, combiner="frequency", calibrate=False, n_bootstrap=0
    )
    assert found["calibrated"].worth.value == pytest.approx(7.34, abs=0.005)


@pytest.mark.parametrize(("raters", "items", "value"), [(29, 1377, 0.505), (30, 1370, 0.502)])
def test_credbank_against_paper(shared_data, raters, items, value):
    """The paper prints 0.48, which is without leaving each item out of its own prediction."""
    folder = shared_data("credbank")
    found = hc.survey_equivalence(
        hc.Ratings.read(folder / "ratings.csv.gz"),
        hc.Predictions.read(folder / "predictions.csv"),
        combiner="abc",
        max_raters=raters,
        calibrate=False,
        n_bootstrap=0,
    )
    assert found.curve.asked.items_used == items
    assert found["linguistic"].worth.value == pytest.approx(value, abs=5e-4)


@pytest.mark.prove
def test_ten_labels_and_fifty_raters(shared_data):
    """CIFAR-10H, every survey of up to 46 raters: 20 million (pattern, survey) pairs."""
    ratings = hc.Ratings.read(shared_data("cifar10h") / "counts.csv")
    curve = hc.power_curve(ratings, combiner="abc", max_raters=47, n_bootstrap=0)
    assert (curve.most, curve.asked.items_used) == (46, 10_000)
    assert (curve.measured.error == 0).all()
    np.testing.assert_allclose(
        curve.values[[0, 1, 10, 16, 46]],
        [-3.322582, -0.564538, -0.329748, -0.326208, -0.479084],
        atol=5e-7,
    )
    assert curve.points[46].support == pytest.approx(0.934, abs=5e-4)


def test_wikipedia_attacks_per_item(shared_data):
    folder = shared_data("wikipedia-attacks")
    found = hc.survey_equivalence(
        hc.Ratings.read(folder / "counts.csv.gz"),
        hc.Predictions.read(folder / "predictions.csv.gz"),
        combiner="abc",
        n_bootstrap=0,
    )
    assert found.curve.asked.items_used == 23_178
    assert found.curve.most == 7
    assert found.curve.asked.clip == 0.02
    assert found["jigsaw"].as_it_stands.value == pytest.approx(1.89, abs=0.05)
    assert found["jigsaw"].worth.value == pytest.approx(3.40, abs=0.05)


def test_wikipedia_attacks_with_ten_ratings(shared_data):
    folder = shared_data("wikipedia-attacks")
    found = hc.survey_equivalence(
        hc.Ratings.read(folder / "counts.csv.gz"),
        hc.Predictions.read(folder / "predictions.csv.gz"),
        combiner="abc",
        max_raters=10,
        n_bootstrap=0,
    )
    assert found["jigsaw"].worth.value == pytest.approx(3.29, abs=0.05)
