"""Mixtures of Dirichlets: probabilities, predictions, fit and the number of components."""

import math

import numpy as np
import pytest

from headcount.population import fit_population
from headcount.population.dirichlet_fit import (
    Tallies,
    choose_dirichlets,
    cross_fit_dirichlets,
    fit_dirichlets,
    refit_dirichlets,
    start_from,
)
from headcount.population.folds import Folds
from headcount.population.functionals import ceiling_of
from headcount.population.mixtures import Dirichlets
from headcount.population.refits import (
    functional_interval,
    resampled_mixtures,
)
from headcount.sampling.dealing import deal, dealt_by_group

MIXTURE = Dirichlets(np.array([0.3, 0.7]), np.array([[0.5, 1.0, 2.0], [4.0, 0.2, 0.1]]))
SURVEYS = np.array([[0, 0, 0], [1, 0, 2], [0, 4, 1], [7, 0, 0]])


def _rise(a: float, m: int) -> float:
    return math.prod(a + j for j in range(m))


def _chance(y: np.ndarray) -> np.ndarray:
    """Weight × probability of the survey as a sequence, for each component."""
    return np.array(
        [
            weight * math.prod(_rise(a, m) for a, m in zip(alpha, y, strict=True))
            / _rise(alpha.sum(), int(y.sum()))
            for weight, alpha in zip(MIXTURE.weights, MIXTURE.alpha, strict=True)
        ]
    )  # fmt: skip


def test_probabilities_and_predictions_against_brute_force() -> None:
    """P(ℓ | y) is the probability of the longer survey over that of the shorter one."""
    predictions = MIXTURE.predict(SURVEYS)
    for row, y in enumerate(SURVEYS):
        chance = _chance(y).sum()
        assert MIXTURE.log_probability(SURVEYS)[row] == pytest.approx(math.log(chance))
        longer = [_chance(y + np.eye(3, dtype=int)[label]).sum() for label in range(3)]
        np.testing.assert_allclose(predictions[row], np.array(longer) / chance)


def test_tallies_give_the_same_likelihood() -> None:
    alone = np.concatenate([MIXTURE.alpha.T, MIXTURE.weights[None]])[:, None]
    found = Tallies.of(SURVEYS).log_parts(alone)[0].T
    np.testing.assert_allclose(found, MIXTURE.log_parts(SURVEYS))


def test_shares_grow_rating_by_rating() -> None:
    """One rating after another leads where the whole survey leads."""
    y = np.zeros((1, 3), dtype=np.int64)
    share = MIXTURE.shares_before(1)
    for label in (2, 0, 2):
        share = MIXTURE.shares_after(share, y, np.array([label]))
        y[0, label] += 1
    np.testing.assert_allclose(MIXTURE.mean_of(share, y), MIXTURE.predict(y))


def test_the_fit_climbs_above_the_truth_and_finds_it_against_theory() -> None:
    rng = np.random.default_rng(0)
    counts = rng.multinomial(12, MIXTURE.draw(rng, 5_000))
    pattern, size = np.unique(counts, axis=0, return_counts=True)
    start = start_from(pattern, size.astype(float), 2, seed=0)
    found, reached = fit_dirichlets(Tallies.of(pattern), size.astype(float), start, tolerance=1e-7)
    assert reached >= float(size @ MIXTURE.log_probability(pattern)) - 0.5
    order = np.argsort(found.weights)
    np.testing.assert_allclose(found.weights[order], MIXTURE.weights, atol=0.03)
    np.testing.assert_allclose(found.alpha[order], MIXTURE.alpha, rtol=0.25, atol=0.1)


def test_resamples_fitted_together_are_those_fitted_alone() -> None:
    rng = np.random.default_rng(5)
    counts = rng.multinomial(6, MIXTURE.draw(rng, 400))
    pattern, size = np.unique(counts, axis=0, return_counts=True)
    sizes = rng.multinomial(400, size / 400, size=7).astype(float)
    together = refit_dirichlets(Tallies.of(pattern), sizes, MIXTURE, tolerance=1e-5)
    for mixture, each in zip(together, sizes, strict=True):
        alone, _ = fit_dirichlets(Tallies.of(pattern), each, MIXTURE, tolerance=1e-5, most_steps=60)
        np.testing.assert_allclose(mixture.alpha, alone.alpha, rtol=1e-6)
        np.testing.assert_allclose(mixture.weights, alone.weights, rtol=1e-6)


def test_held_out_items_choose_one_dirichlet_for_one_and_more_for_more() -> None:
    rng = np.random.default_rng(1)
    one = rng.multinomial(8, rng.dirichlet(np.full(4, 0.5), size=500))
    assert len(choose_dirichlets(one, np.ones(500)).weights) <= 2
    centres = 30 * np.eye(4) + 0.3
    many = rng.multinomial(8, Dirichlets(np.full(4, 0.25), centres).draw(rng, 500))
    assert len(choose_dirichlets(many, np.ones(500)).weights) >= 4


def test_a_label_never_seen_keeps_a_trace_of_probability() -> None:
    found = fit_population(np.array([[5, 3, 0], [2, 6, 0], [8, 0, 0]]), np.array([30, 30, 30]))
    answer = found.predict([[4, 4, 0], [0, 0, 3]])
    assert (answer > 0).all()
    np.testing.assert_allclose(answer.sum(axis=1), 1)


def test_cross_fitting_leaves_the_fold_out() -> None:
    """Changing the items of a fold never changes the mixture that predicts them."""
    rng = np.random.default_rng(2)
    counts = rng.multinomial(6, rng.dirichlet(np.full(3, 0.6), size=120))
    folds = Folds.given(np.ones(120), np.arange(120) % 3)
    changed = counts.copy()
    changed[folds.fold == 1] = [6, 0, 0]
    before = cross_fit_dirichlets(counts, folds, components=2).mixtures[1]
    after = cross_fit_dirichlets(changed, folds, components=2).mixtures[1]
    np.testing.assert_array_equal(before.alpha, after.alpha)


def test_an_estimate_lies_inside_its_resampled_interval() -> None:
    rng = np.random.default_rng(3)
    counts = rng.multinomial(5, rng.dirichlet(np.full(4, 0.4), size=300))
    pattern, size = np.unique(counts, axis=0, return_counts=True)
    found = fit_population(pattern, size)
    mixtures = resampled_mixtures(found, pattern, size.astype(float), n_bootstrap=40)
    low, high = functional_interval(found, mixtures, ceiling_of)
    assert low <= found.ceiling() <= high
    assert high - low < 0.12
    assert functional_interval(found, [], ceiling_of) == (found.ceiling(), found.ceiling())


def test_dealing_groups_against_dealing_items() -> None:
    """As many items of a group go to a fold, on average and in how that varies."""
    size = np.array([6, 4, 2])
    groups = np.array([dealt_by_group(size, 3, seed) for seed in range(3000)])
    owner = np.repeat(np.arange(3), size)
    items = np.zeros_like(groups)
    for seed in range(3000):
        np.add.at(items[seed], (owner, deal(12, 3, seed)), 1)
    np.testing.assert_allclose(groups.mean(axis=0), items.mean(axis=0), atol=0.1)
    np.testing.assert_allclose(groups.var(axis=0), items.var(axis=0), atol=0.1)
    assert (groups.sum(axis=1) == 4).all()


def test_many_items_in_few_groups_are_all_dealt() -> None:
    folds = Folds.deal([5_000_000, 0, 3], 5, seed=1)
    assert np.bincount(folds.row, weights=folds.size).tolist() == [5_000_000, 0, 3]
    assert set(np.bincount(folds.fold, weights=folds.size)) == {1_000_000, 1_000_001}


def test_folds_divide_every_item_evenly() -> None:
    folds = Folds.deal(np.array([7, 1, 0, 12.5]), 4, seed=3)
    assert np.bincount(folds.row, weights=folds.size, minlength=4).tolist() == [7, 1, 0, 12.5]
    assert np.ptp(np.bincount(folds.fold, weights=folds.size)) <= 1.5
