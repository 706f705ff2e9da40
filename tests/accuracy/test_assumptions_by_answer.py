"""Assumptions are tested by likelihood and judged by how far the answer moves."""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.accuracy.ballots import ballots
from headcount.accuracy.rating_models import even_errors, judged
from headcount.accuracy.shared_errors import climb, divided_items, starting_model

sys.path.append(str(Path(__file__).parent))
from spans import span_of


def _drawn(seed, n, right, prevalence=0.5, system=0.9, k=3):
    rng = np.random.default_rng([seed, 8])
    truth = (rng.random(n) < prevalence).astype(int)
    hit = rng.random((n, k)) < np.array(right)[truth][:, None]
    ones = np.where(hit, truth[:, None], 1 - truth[:, None]).sum(axis=1)
    answer = np.where(rng.random(n) < system, truth, 1 - truth)
    return np.stack([k - ones, ones], axis=1), answer


def _even(counts, answer):
    data = ballots([counts], None, answer, 2)
    free, _ = climb(data, starting_model(data, np.zeros((2, 1))))
    return even_errors(data, free, float(divided_items(data, free)[1][0]), 0.03)


def test_even_errors_have_one_degree_of_freedom_against_theory():
    """Two labels and three ratings: where errors are even, p-values are those of χ²₁."""
    found = [_even(*_drawn(seed, 800, (0.8, 0.8))) for seed in range(200)]
    assert {test.freedom for test in found} == {1}
    p = np.array([test.p_value for test in found])
    for share in (0.05, 0.2, 0.5):
        assert abs((p < share).mean() - share) < 4 * np.sqrt(share * (1 - share) / 200)


def test_uneven_errors_with_three_ratings_are_found_and_matter():
    found = [_even(*_drawn(seed, 500, (0.95, 0.7))) for seed in range(20)]
    assert sum(test.violated for test in found) >= 19
    assert all(test.moved > 0.25 for test in found)


def test_rejection_alone_is_no_violation():
    harmless = judged("x", gain=8.0, freedom=1, held=0.9, freed=0.901, half_width=0.02)
    assert harmless.rejected
    assert not harmless.violated
    far = judged("x", gain=8.0, freedom=1, held=0.9, freed=0.92, half_width=0.02)
    assert far.violated
    assert far.moved == pytest.approx(1.0)
    unsure = judged("x", gain=1.0, freedom=1, held=0.9, freed=0.95, half_width=0.02)
    assert not unsure.violated


def test_named_raters_of_unequal_skill_are_found():
    rng = np.random.default_rng(9)
    truth = rng.integers(0, 2, size=800)
    right = rng.random((800, 5)) < np.array([0.95, 0.9, 0.7, 0.6, 0.5])
    ratings = np.where(right, truth[:, None], 1 - truth[:, None])
    counts = np.stack([(ratings == label).sum(axis=1) for label in range(2)], axis=1)
    answer = np.where(rng.random(800) < 0.85, truth, 1 - truth)
    _, sweep = span_of(counts, answer, ratings=ratings, n_bootstrap=50)
    test = next(test for test in sweep.assumptions if test.name == "raters equally good")
    assert test.freedom == 4 * 2
    assert test.rejected


def _ratings(seed, right, n=1000, k=3, prevalence=0.3):
    rng = np.random.default_rng([seed, 3])
    truth = (rng.random(n) < prevalence).astype(int)
    hit = rng.random((n, k)) < np.array(right)[truth][:, None]
    said = np.where(hit, truth[:, None], 1 - truth[:, None])
    counts = np.stack([(said == 0).sum(axis=1), said.sum(axis=1)], axis=1)
    return hc.Ratings.from_counts(counts, labels=["0", "1"]), truth


@pytest.mark.parametrize(("right", "state"), [((0.97, 0.65), "violated"), ((0.8, 0.8), "holds")])
def test_two_labels_and_three_ratings_tell_uneven_errors(right, state):
    """Nothing spoke up here before: with two labels there is only one way to disagree."""
    states = [
        hc.system_accuracy(_ratings(seed, right)[0], n_bootstrap=0).check("even_errors").state
        for seed in range(5)
    ]
    assert states.count(state) >= 4


def test_an_assumption_that_moves_nothing_is_not_called_violated():
    """Forty thousand items reject a hair's breadth; the answer hardly moves."""
    ratings, truth = _ratings(1, (0.905, 0.895), n=40_000)
    answers = pa.table({"item": [str(i) for i in range(40_000)], "m": truth.astype(str)})
    found = hc.system_accuracy(ratings, answers, n_bootstrap=0, latent_class="off")
    check = found.check("even_errors")
    assert check.moved < 0.25
    assert check.state == "holds"
