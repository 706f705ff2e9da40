"""The arrays under the estimate: closed forms, degenerate data, ties, bins."""

import numpy as np
import pytest

from headcount.accuracy import algebra
from headcount.accuracy.algebra import PatternBins, bin_of, implied_accuracy
from headcount.accuracy.simulation import (
    all_patterns,
    cell_chances,
    pattern_chances,
    pattern_total,
)
from headcount.plan import even_errors


@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_agreement_and_accuracy_are_inverse(n):
    accuracy = np.linspace(1 / n, 1, 7)
    agreement = algebra.agreement_from_accuracy(accuracy, n)
    np.testing.assert_allclose(algebra.accuracy_from_agreement(agreement, n), accuracy, atol=1e-7)


def test_below_chance_agreement_has_no_root():
    assert np.isnan(algebra.accuracy_from_agreement(np.array([0.1]), 4)).all()


def test_chance_agreement_gives_no_base_rates():
    accuracy = algebra.accuracy_from_agreement(np.array([0.25]), 4)
    assert accuracy == pytest.approx(0.25)
    assert np.isnan(algebra.raw_base_rates(np.full((1, 4), 0.25), accuracy)).all()


def test_pairs_within_cases_against_brute_force():
    counts = np.array([[2, 1, 0], [0, 0, 1], [1, 1, 2], [3, 0, 0]])
    weights = np.array([[2.0, 5.0, 1.0, 3.0]])
    same = every = 0.0
    for row, weight in zip(counts, weights[0], strict=True):
        said = np.repeat(np.arange(3), row)
        for i in range(len(said)):
            for j in range(i):
                same += weight * (said[i] == said[j])
                every += weight
    assert algebra.pairwise_agreement(counts, weights)[0] == pytest.approx(same / every)


def test_truth_by_bayes_against_brute_force():
    counts = np.array([[2, 1, 0, 1], [0, 0, 0, 1]])
    base, accuracy = np.array([0.4, 0.3, 0.2, 0.1]), 0.7
    wrong = (1 - accuracy) / 3
    expected = []
    for row in counts:
        odds = [base[t] * accuracy ** row[t] * wrong ** (row.sum() - row[t]) for t in range(4)]
        expected.append(np.array(odds) / sum(odds))
    found = algebra.truth_probabilities(counts, base[None], np.array([accuracy]))[0]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_perfect_raters_and_absent_labels_stay_finite():
    counts = np.array([[3, 0, 0], [0, 3, 0]])
    truth = algebra.truth_probabilities(counts, np.array([[0.5, 0.5, 0.0]]), np.array([1.0]))
    np.testing.assert_allclose(truth[0], [[1, 0, 0], [0, 1, 0]], atol=1e-9)


def test_ties_go_to_the_higher_base_rate_and_are_shared_beyond_that():
    truth = np.array([[[0.4, 0.4, 0.2], [0.45, 0.1, 0.45]]])
    base_rates = np.array([[0.3, 0.4, 0.3]])
    np.testing.assert_allclose(algebra.top_labels(truth, base_rates)[0], [[0, 1, 0], [0.5, 0, 0.5]])


def test_edges_belong_to_the_bin_below():
    found = bin_of(np.array([0.1, 0.3, 0.1 + 0.2, 0.30001, 0.9, 0.95, 1.0]))
    assert found.tolist() == [0, 2, 2, 3, 8, 9, 9]


@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("unformed", [0.0, 0.15])
def test_implied_accuracy_inverts_the_agreement_it_makes(n, unformed):
    g, accuracy = np.array([0.6, 0.95]), np.array([0.7, 0.8])
    agreement = g * accuracy + (1 - g) * (1 - accuracy - unformed) / (n - 1)
    np.testing.assert_allclose(implied_accuracy(g, agreement, unformed, n), accuracy)


def test_implied_accuracy_is_clipped_and_undefined_at_a_guess():
    found = implied_accuracy(np.array([0.5, 0.9, 0.25]), np.array([1.0, 0.0, 0.5]), 0.0, 4)
    assert found[:2].tolist() == [1.0, 0.0]
    assert np.isnan(found[2])


def test_a_bin_no_better_than_a_guess_is_left_out_of_the_mean():
    truth = np.array([[[0.25] * 4, [0.91, 0.03, 0.03, 0.03]]])
    top = np.array([[[0.25] * 4, [1.0, 0, 0, 0]]])
    answers = np.array([[[5.0, 0, 0, 0, 0], [9.0, 1.0, 0, 0, 0]]])
    bins = PatternBins.of(truth, answers.sum(axis=2)).filled(top, answers)
    assert bins.items.sum() == 15
    assert bins.overall()[0] == pytest.approx(implied_accuracy(0.91, 0.9, 0.0, 4).item())


@pytest.mark.parametrize(("raters", "n"), [(3, 5), (5, 2), (1, 3)])
def test_pattern_chances_against_brute_force(raters, n):
    patterns = all_patterns(raters, n)
    assert len(patterns) == pattern_total(raters, n)
    assert (patterns.sum(axis=1) == raters).all()
    chances = pattern_chances(patterns, 0.7)
    confusion = even_errors(0.7, n)
    for truth in range(n):
        brute = np.zeros(len(patterns))
        for said in np.ndindex(*(n,) * raters):
            counts = np.bincount(said, minlength=n)
            place = np.flatnonzero((patterns == counts).all(axis=1))[0]
            brute[place] += np.prod(confusion[truth, list(said)])
        np.testing.assert_allclose(chances[truth], brute, atol=1e-12)


def test_exact_chances_give_back_the_truth_against_theory():
    """Endless data from the method's own model: every quantity is recovered exactly."""
    n, base = 4, np.array([[0.4, 0.3, 0.2, 0.1]])
    patterns = all_patterns(4, n)
    cells = cell_chances(pattern_chances(patterns, 0.65), base, even_errors(0.82, n))
    answers = np.concatenate([cells, np.zeros((1, len(patterns), 1))], axis=2)
    by_pattern = answers.sum(axis=2)
    agreement = algebra.pairwise_agreement(patterns, by_pattern)
    accuracy = algebra.accuracy_from_agreement(agreement, n)
    assert accuracy[0] == pytest.approx(0.65)
    raw = algebra.raw_base_rates(algebra.label_shares(patterns, by_pattern), accuracy)
    np.testing.assert_allclose(raw, base, atol=1e-9)
    truth = algebra.truth_probabilities(patterns, raw, accuracy)
    bins = PatternBins.of(truth, by_pattern).filled(algebra.top_labels(truth, raw), answers)
    assert bins.overall()[0] == pytest.approx(0.82)
