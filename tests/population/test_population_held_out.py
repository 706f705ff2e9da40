"""Surveys of an item's own ratings: against all subsets by hand, and drawn against exact."""

import itertools

import numpy as np
import pytest

from headcount.population import fitting as module
from headcount.population.fitting import cross_fit, held_out_scores
from headcount.population.functionals import SCORES, Score, label_scores
from headcount.population.mixtures import Atoms, Dirichlets

MIXTURES = [
    Dirichlets(np.array([0.4, 0.6]), np.array([[0.5, 1.0, 2.0], [4.0, 0.2, 0.1]])),
    Atoms(np.array([0.5, 0.5]), np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])),
]
COUNTS = np.array([[3, 1, 0], [0, 2, 2], [1, 1, 1], [0, 0, 2]])
SIZE = np.array([3.0, 1.0, 2.0, 5.0])


@pytest.mark.parametrize("mixture", MIXTURES)
@pytest.mark.parametrize("score", SCORES)
def test_scores_against_brute_force(mixture: Dirichlets | Atoms, score: Score) -> None:
    """Every ordered choice of k ratings and of the one that is left out."""
    found = held_out_scores(mixture, COUNTS, SIZE, most=3, score=score)
    for row, counts in enumerate(COUNTS):
        ratings = np.repeat(np.arange(3), counts)
        for k in range(4):
            if k >= len(ratings):
                assert np.isnan(found.scores[row, k])
                continue
            reached = []
            for order in itertools.permutations(range(len(ratings)), k + 1):
                y = np.bincount(ratings[list(order[:k])], minlength=3)[None]
                reached.append(label_scores(mixture.predict(y), score)[0, ratings[order[k]]])
            assert found.scores[row, k] == pytest.approx(np.mean(reached))
    assert not found.errors.any()


@pytest.mark.parametrize("mixture", MIXTURES)
def test_drawn_scores_against_enumeration(
    mixture: Dirichlets | Atoms, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    counts, size = rng.multinomial(7, rng.dirichlet(np.ones(3), size=60)), np.ones(60)
    exact = held_out_scores(mixture, counts, size, most=6).scores.mean(axis=0)
    monkeypatch.setattr(module, "MOST_PAIRS", 300)
    drawn = held_out_scores(mixture, counts, size, most=6)
    assert drawn.errors[-1] > 0
    assert (np.abs(drawn.scores.mean(axis=0) - exact) <= 4 * drawn.errors + 1e-9).all()


def test_cross_fitted_curve_lies_near_the_truth_against_theory() -> None:
    rng = np.random.default_rng(1)
    alpha = np.full(4, 0.375)
    counts = rng.multinomial(8, rng.dirichlet(alpha, size=3_000))
    pattern, size = np.unique(counts, axis=0, return_counts=True)
    fitted = cross_fit(pattern, size)
    table = fitted.held_out(most=7).scores
    truth = held_out_scores(
        Dirichlets(np.ones(1), alpha[None]), pattern, size.astype(float), most=7
    ).scores
    reached = fitted.folds.size @ table / fitted.folds.size.sum()
    np.testing.assert_allclose(reached, size @ truth / size.sum(), atol=0.004)
    assert fitted.predict(pattern[:3], np.array([0, 1, 4])).shape == (3, 4)
