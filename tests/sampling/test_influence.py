"""Who moves a verdict, and who answers at random."""

import numpy as np
import pytest
from scipy.stats import binom

from headcount.sampling.influence import chance_test, influence


def test_a_rater_whose_absence_moves_the_verdict_is_named():
    found = influence(np.inf, [np.inf, 0.99, np.inf], verdict=lambda worth: worth > 2)
    assert found.moved.tolist() == [1]
    assert found.order[0] == 1


def test_a_value_that_is_lost_moves_furthest():
    assert influence(0.5, [0.9, np.nan, 0.4]).order.tolist() == [1, 0, 2]


def _panel(rng, n_items, n_raters, random_raters, chance=0.8):
    truth = rng.random(n_items) < 0.3
    said = np.where(rng.random((n_items, n_raters)) < chance, truth[:, None], ~truth[:, None])
    said[:, :random_raters] = rng.random((n_items, random_raters)) < 0.3
    return said.astype(np.int64)


def test_chance_agreement_against_brute_force():
    """Mean and variance over all orders of a rater's answers, by drawing orders."""
    rng = np.random.default_rng(0)
    said = _panel(rng, 12, 4, 0)
    item, rater = np.divmod(np.arange(said.size), 4)
    found = chance_test(item, rater, said.ravel(), 2)
    others = said[:, 1:].mean(axis=1)
    share = np.column_stack([1 - others, others])
    totals = [share[np.arange(12), rng.permutation(said[:, 0])].sum() for _ in range(40_000)]
    assert found.by_chance[0] == pytest.approx(np.mean(totals) / 12, abs=2e-3)
    error = np.std(totals) / 12 / (1 - found.by_chance[0])
    assert found.error[0] == pytest.approx(error, rel=0.02)
    assert found.agreement[0] == pytest.approx(share[np.arange(12), said[:, 0]].mean())


def test_a_random_rater_is_told_from_a_good_one():
    rng = np.random.default_rng(5)
    said = _panel(rng, 300, 6, 1)
    item, rater = np.divmod(np.arange(said.size), 6)
    assert chance_test(item, rater, said.ravel(), 2).standing() == ("at", *["above"] * 5)


def test_a_contrary_rater_is_below_chance():
    rng = np.random.default_rng(6)
    said = _panel(rng, 300, 6, 0)
    said[:, 0] = 1 - said[:, 0]
    item, rater = np.divmod(np.arange(said.size), 6)
    assert chance_test(item, rater, said.ravel(), 2).standing()[0] == "below"


def test_few_answers_are_not_an_accusation():
    rng = np.random.default_rng(7)
    said = _panel(rng, 300, 6, 1)
    item, rater = np.divmod(np.arange(said.size), 6)
    keep = (rater > 0) | (item < 5)
    standing = chance_test(item[keep], rater[keep], said.ravel()[keep], 2).standing()
    assert standing[0] in ("unknown", "above")
    lonely = chance_test(np.array([0, 1]), np.array([0, 1]), np.array([0, 1]), 2)
    assert lonely.standing() == ("unknown", "unknown")


def test_random_raters_are_called_above_chance_as_rarely_as_claimed_coverage():
    runs, above = 400, 0
    for seed in range(runs):
        said = _panel(np.random.default_rng(seed), 100, 4, 1)
        item, rater = np.divmod(np.arange(said.size), 4)
        above += chance_test(item, rater, said.ravel(), 2).p_value[0] <= 0.05
    assert binom.sf(above - 1, runs, 0.05) > 0.001
    assert binom.cdf(above, runs, 0.05) > 0.001
