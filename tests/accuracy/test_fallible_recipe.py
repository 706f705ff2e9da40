"""The simulator of fallible experts: its confusion matrices and what it draws."""

import numpy as np
import pytest

from headcount.errors import OptionError
from headcount.simulate import Fallible, make
from headcount.simulate.fallible import confusion_matrix, error_weights, letters

EVEN = np.full(5, 0.2)


def test_even_confusion_matrix_against_paper():
    matrix = confusion_matrix(np.random.default_rng(0), 0.6, base_rates=EVEN)
    np.testing.assert_allclose(matrix, np.full((5, 5), 0.1) + 0.5 * np.eye(5))


def test_asymmetric_confusion_matrix_against_paper():
    """Table 6: IPC .6, PDA −.2, AD 2."""
    matrix = confusion_matrix(np.random.default_rng(0), 0.4, base_rates=EVEN, dispersion=2.0)
    printed = [
        [0.400, 0.320, 0.160, 0.080, 0.040],
        [0.218, 0.400, 0.218, 0.109, 0.055],
        [0.100, 0.200, 0.400, 0.200, 0.100],
        [0.055, 0.109, 0.218, 0.400, 0.218],
        [0.040, 0.080, 0.160, 0.320, 0.400],
    ]
    np.testing.assert_allclose(matrix, printed, atol=5.1e-4)


@pytest.mark.parametrize("accuracy", [0.0, 0.05, 0.4, 0.95, 1.0])
def test_spread_of_errors_keeps_the_accuracy(accuracy):
    rng = np.random.default_rng(1)
    base_rates = np.array([0.5, 0.2, 0.15, 0.1, 0.05])
    matrix = confusion_matrix(rng, accuracy, base_rates=base_rates, dispersion=2.0, error_range=1.0)
    assert matrix.min() >= 0
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    assert base_rates @ np.diag(matrix) == pytest.approx(accuracy, abs=1e-12)


def test_errors_halve_with_each_step():
    weights = error_weights(4, 2.0)
    assert weights[0, 1] == pytest.approx(2 * weights[0, 2])
    assert weights[0, 2] == pytest.approx(2 * weights[0, 3])
    assert np.diag(weights).sum() == 0


def test_difficulty_is_clipped_against_paper():
    """A system preset to .9 comes to .867 on cases that are harder or easier by .2."""
    drawn = Fallible(cases=30, difficulty=0.2).draw(np.random.default_rng(0))
    assert drawn.system_accuracy == pytest.approx((0.7 + 0.9 + 1.0) / 3)
    assert set(np.round(drawn.difficulty, 3)) == {-0.2, 0.0, 0.2}
    low = Fallible(cases=30, difficulty=0.2, system=0.1).draw(np.random.default_rng(0))
    assert low.system_accuracy == pytest.approx(0.4 / 3)


def test_frequencies_follow_the_matrices_against_theory():
    recipe = Fallible(cases=40_000, accuracy=(0.5, 0.6, 0.7), labels=3, dispersion=2.0)
    drawn = recipe.draw(np.random.default_rng(4))
    right = (drawn.ratings == drawn.truth[:, None]).mean(axis=0)
    np.testing.assert_allclose(right, [0.5, 0.6, 0.7], atol=0.01)
    assert (drawn.answers == drawn.truth).mean() == pytest.approx(0.9, abs=0.008)
    first = drawn.truth == 0
    said = np.bincount(drawn.ratings[first, 0], minlength=3) / first.sum()
    np.testing.assert_allclose(said, [0.5, 1 / 3, 1 / 6], atol=0.015)


def test_the_recipe_makes_data_with_facts():
    data = make("fallible", cases=40, labels=30, raters=2, seed=2)
    assert data.labels[0] == "L01"
    assert data.facts["rater_accuracy"] == pytest.approx(0.6)
    truth = dict(zip(data.truth["item"], data.truth["truth"], strict=True))
    answers = data.prediction_columns
    right = [truth[i] == a for i, a in zip(answers["item"], answers["system"], strict=True)]
    assert data.facts["system_accuracy_in_sample"] == pytest.approx(np.mean(right))
    assert letters(3) == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"accuracy": (0.5, 0.6)}, "one number, or one for each of the 3 raters; it has 2"),
        ({"dispersion": 0}, "dispersion is a number above 0"),
        ({"base_rates": (0.5, 0.5)}, "one share for each of the 5 labels"),
        ({"accuracy": (1.5,)}, "accuracy is a number from 0 to 1"),
        ({"labels": 1}, "labels is a whole number of at least 2"),
    ],
)
def test_bad_options_of_the_recipe(options, sentence):
    with pytest.raises(OptionError, match=sentence):
        make("fallible", **options)
