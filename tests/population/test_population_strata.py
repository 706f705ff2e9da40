"""Populations put together from strata of items, where two ratings leave the shape open."""

import numpy as np
import pytest
from tests.data.designs import WORLDS, study_of

import headcount as hc
from headcount.population import fit_population
from headcount.population.folds import grouped
from headcount.population.study_fits import Fits, in_strata, strata_by


def _seen(share, ratings, seed=0):
    """Ratings of items with these shares of the first label, grouped."""
    first = np.random.default_rng(seed).binomial(ratings, share)
    return np.column_stack([first, ratings - first])


def _third_moment(population):
    return float(population.mixture.weights @ population.mixture.atoms[:, 0] ** 3)


def _three_kinds(n=40_000):
    """Items around three shares, which a classifier tells apart without knowing them."""
    rng = np.random.default_rng(1)
    kind = rng.choice(3, n, p=[0.6, 0.25, 0.15])
    share = np.array([0.05, 0.4, 0.9])[kind]
    return rng.beta(8 * share, 8 * (1 - share)), kind.astype(float)


def test_strata_tell_the_third_moment_against_theory():
    """Within a stratum items vary little, and two moments are nearly all there is to know."""
    share, kind = _three_kinds()
    counts = _seen(share, 2)
    pattern, size = grouped(counts, np.ones(len(counts)))
    whole = fit_population(pattern, size)
    found = in_strata(whole, pattern, size, strata_by(kind, counts, np.ones(len(counts))))
    truth = float((share**3).mean())
    assert abs(_third_moment(found) - truth) < 0.2 * abs(_third_moment(whole) - truth)
    assert abs(_third_moment(found) - truth) < 0.003


def test_strata_keep_the_moments_that_ratings_tell():
    share, kind = _three_kinds()
    counts = _seen(share, 2)
    pattern, size = grouped(counts, np.ones(len(counts)))
    whole = fit_population(pattern, size)
    found = in_strata(whole, pattern, size, strata_by(kind, counts, np.ones(len(counts))))
    for order in (1, 2):
        moments = [
            float(each.mixture.weights @ each.mixture.atoms[:, 0] ** order)
            for each in (whole, found)
        ]
        assert moments[1] == pytest.approx(moments[0], abs=2e-4)
    assert found.likelihood.at(found.mixture.weights) >= whole.log_likelihood - 0.5
    low, high = found.ideal_interval()
    assert low <= found.ideal() <= high


def test_three_ratings_need_no_strata():
    share, kind = _three_kinds(5_000)
    counts = _seen(share, 3)
    pattern, size = grouped(counts, np.ones(len(counts)))
    whole = fit_population(pattern, size)
    strata = strata_by(kind, counts, np.ones(len(counts)))
    assert in_strata(whole, pattern, size, strata) is whole


def test_strata_of_other_items_are_not_believed():
    share, kind = _three_kinds(5_000)
    counts = _seen(share, 2)
    strata = strata_by(kind, counts, np.ones(len(counts)))
    pattern, size = grouped(counts, np.ones(len(counts)))
    other = size * np.array([0.5, 1.0, 1.5])
    whole = fit_population(pattern, other)
    assert in_strata(whole, pattern, other, strata) is whole


def test_items_in_no_stratum_are_one_of_their_own():
    share, kind = _three_kinds(10_000)
    counts = _seen(share, 2)
    half = np.arange(len(counts)) < 5_000
    strata = strata_by(kind[half], counts[half], np.ones(5_000))
    pattern, size = grouped(counts, np.ones(len(counts)))
    found = Fits(strata).population(pattern, size)
    whole = fit_population(pattern, size)
    assert found.n_items == whole.n_items
    assert not np.allclose(found.mixture.weights, whole.mixture.weights, atol=1e-3)


def test_few_items_and_constant_answers_make_no_strata():
    counts = _seen(np.full(390, 0.4), 2)
    assert strata_by(np.arange(390.0), counts, np.ones(390)) == ()
    counts = _seen(np.full(1_000, 0.4), 2)
    assert strata_by(np.zeros(1_000), counts, np.ones(1_000)) == ()


@pytest.mark.parametrize("seed", [5, 12])
def test_an_end_is_found_where_kinds_at_the_edge_are_unlikely(seed):
    """Three labels, harder items rated more: every item a coin flip is far from what was seen."""
    study = study_of(WORLDS["scale", 3], "harder", 500, 8, seed)
    found = hc.population(study, n_bootstrap=10, two_way=False)
    assert study.design.kind == "before"
    assert found.ceiling.low < found.ceiling.value < found.ceiling.high


def test_strata_of_lengths_are_each_of_their_own_against_brute_force():
    """All items together have the mean of what their strata are fitted to alone."""
    study = study_of(WORLDS["drawn", 2], "harder", 600, 40, 2, named=False)
    found = hc.population(study, n_bootstrap=0)
    patterns, begins = study.ratings.patterns(), study.design.strata
    at = np.maximum(np.searchsorted(begins, patterns.raters, side="right") - 1, 0)
    alone = [
        (patterns.items[at == each].sum(), fit_population(patterns.counts[at == each],
         patterns.items[at == each]).ceiling())
        for each in range(len(begins))
    ]  # fmt: skip
    mean = sum(items * ceiling for items, ceiling in alone) / patterns.items.sum()
    assert found.ceiling.value == pytest.approx(mean, abs=1e-4)
