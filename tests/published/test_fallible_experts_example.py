"""The worked example of "fallible experts": ten cases, four raters, four categories.

Tables 2 and 3 as printed; of table 4 the corrected row: the bin (.5, .6] holds cases 2 and 4,
the system agrees on both, and only that gives the printed overall accuracy of .731.
"""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc

RATINGS = ["CDCC", "BDCC", "CCDC", "BBDD", "ABBB", "CBDA", "AAAA", "ADBC", "DBAA", "ADAB"]
SYSTEM = "ACCBBAACDB"
TRUTH = [
    [0.041, 0.032, 0.860, 0.067],
    [0.084, 0.195, 0.584, 0.136],
    [0.041, 0.032, 0.860, 0.067],
    [0.074, 0.511, 0.057, 0.358],
    [0.120, 0.828, 0.031, 0.021],
    [0.325, 0.250, 0.250, 0.175],
    [0.975, 0.009, 0.009, 0.006],
    [0.325, 0.250, 0.250, 0.175],
    [0.657, 0.169, 0.056, 0.118],
    [0.657, 0.169, 0.056, 0.118],
]


@pytest.fixture(scope="module")
def result():
    items = [f"{number:02d}" for number in range(1, 11)]
    ratings = pa.table(
        {
            "item": np.repeat(items, 4),
            "rater": [f"rater {n}" for n in range(1, 5)] * 10,
            "label": list("".join(RATINGS)),
        }
    )
    predictions = pa.table({"item": items, "system": list(SYSTEM)})
    return hc.system_accuracy(
        hc.Ratings.from_frame(ratings), hc.Predictions.from_frame(predictions), n_bootstrap=200
    )


def test_agreement_and_rater_accuracy_against_paper(result):
    assert result.agreement.value == pytest.approx(20 / 60)
    assert result.rater_accuracy.value == pytest.approx(0.5)
    assert result.kappa.value == pytest.approx(1 / 9)


def test_base_rates_against_paper(result):
    rates = [rate.value for rate in result.base_rates.values()]
    np.testing.assert_allclose(rates, [0.325, 0.25, 0.25, 0.175], atol=1e-12)


def test_truth_probabilities_against_paper(result):
    frame = result.truth(estimate="algebraic", backend="pandas")
    assert list(frame.columns) == ["item", "truth:A", "truth:B", "truth:C", "truth:D"]
    np.testing.assert_allclose(frame.iloc[:, 1:].to_numpy(float), TRUTH, atol=5.1e-4)


def test_bins_and_system_accuracy_against_paper(result):
    (system,) = result.classifiers
    bins = {round(each.low, 1): each for each in system.bins}
    assert {low: each.items for low, each in bins.items()} == {
        0.9: 1,
        0.8: 3,
        0.6: 2,
        0.5: 2,
        0.3: 2,
    }
    agreement = {low: each.agreement for low, each in bins.items()}
    assert agreement == pytest.approx({0.9: 1, 0.8: 2 / 3, 0.6: 0, 0.5: 1, 0.3: 0.5})
    truth = {low: round(each.truth, 3) for low, each in bins.items()}
    assert truth == {0.9: 0.975, 0.8: 0.849, 0.6: 0.657, 0.5: 0.548, 0.3: 0.325}
    assert system.algebraic.value == pytest.approx(0.7314, abs=5e-5)


def test_ten_cases_are_called_too_few(result):
    check = result.check("enough_items")
    assert check.state == "violated"
    assert "items would be needed" in check.text
    assert isinstance(result.latent_class, str)
