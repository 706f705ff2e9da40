"""Accuracy with gold on a sample: unbiased, covered, and sharpened by everything else."""

import itertools

import numpy as np
import pytest
from scipy.stats import norm

from headcount.accuracy.gold import gold_accuracy, misled_share, right_chances, truth_chances
from headcount.rate.sharpened_mean import powered_mean
from headcount.sampling.shares import wilson


def _population(seed, n, accuracy, spread):
    """Guesses and whether the system is right: probit in a normal ease with this weight."""
    rng = np.random.default_rng([seed, 11])
    ease = rng.normal(size=n)
    guess = norm.cdf(norm.ppf(accuracy) * np.sqrt(1 + spread**2) + spread * ease)
    return rng, guess, (rng.random(n) < guess).astype(float)


def test_unbiased_for_any_slope_against_brute_force():
    """Over all samples of 4 of 8 items with λ held, the mean of the estimates is the truth."""
    rng = np.random.default_rng(0)
    y, guess = rng.integers(0, 2, size=8).astype(float), rng.random(8)
    for slope in (-1.0, 0.4, 2.0):
        estimates = [
            np.mean(y[list(drawn)] - slope * guess[list(drawn)]) + slope * guess.mean()
            for drawn in itertools.combinations(range(8), 4)
        ]
        assert np.mean(estimates) == pytest.approx(y.mean(), abs=1e-12)


def test_variance_against_theory():
    """Alone a mean has the spread of its items; a perfect guess leaves that of all items."""
    _, _, right = _population(1, 4000, 0.8, 2.0)
    gold = np.arange(400)
    alone = powered_mean(right[gold], np.ones(4000), gold)
    assert alone.sharp.variance == pytest.approx(right[gold].var(ddof=1) / 400, rel=1e-6)
    perfect = powered_mean(right[gold], right, gold)
    expected = right[gold].var(ddof=1) / 4000
    assert perfect.sharp.variance == pytest.approx(expected, rel=0.2)
    assert perfect.sharp.value == pytest.approx(right.mean(), abs=1e-9)


def test_gold_alone_is_wilson():
    rng = np.random.default_rng(2)
    right = rng.random(60) < 0.85
    found = gold_accuracy(right, np.full(500, 0.7), np.arange(60))
    assert (found.low, found.high) == pytest.approx(wilson(right.mean(), 60, norm.ppf(0.975)), 0.02)
    assert (found.slope, found.ratio) == (0.0, 1.0)
    assert (found.low, found.high) == (found.alone_low, found.alone_high)


def test_all_right_keeps_an_interval():
    found = gold_accuracy(np.ones(100), np.random.default_rng(3).random(1000), np.arange(100))
    assert found.high == 1.0
    assert found.low == pytest.approx(0.963, abs=0.001)


def test_strata_count_by_their_known_shares():
    """Gold drawn from the doubtful items three times as often does not bias the accuracy."""
    values = []
    for seed in range(200):
        rng, guess, right = _population(seed, 1500, 0.85, 2.0)
        strata = (guess > 0.8).astype(int)
        gold = np.concatenate(
            [
                rng.choice(np.flatnonzero(strata == 0), 75, replace=False),
                rng.choice(np.flatnonzero(strata == 1), 75, replace=False),
            ]
        )
        found = gold_accuracy(right[gold], guess, gold, strata=strata, seed=seed)
        values.append((found.value - 0.85, found.low <= 0.85 <= found.high))
    error, held = np.array(values, dtype=float).T
    assert abs(error.mean()) < 4 * error.std() / np.sqrt(200)
    assert held.mean() > 0.91


def test_chances_of_being_right_against_bayes():
    """Well-separated raters: the chance follows the ratings, item by item."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, size=2000)
    ones = rng.binomial(4, np.where(truth == 1, 0.8, 0.2))
    counts = np.stack([4 - ones, ones], axis=1)
    answer = np.where(rng.random(2000) < 0.9, truth, 1 - truth)
    truths = truth_chances(counts, dependences=np.zeros(1))
    chances = right_chances(truths, answer)
    odds = (0.8 / 0.2) ** (2 * ones - 4.0)
    exact = np.where(answer == 1, odds / (1 + odds), 1 / (1 + odds))
    assert np.abs(chances - exact).max() < 0.06
    outside = np.where(np.arange(2000) == 7, 2, answer)
    assert right_chances(truths, outside)[7] == 0.0


def test_misled_people_are_seen_by_gold():
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, size=400)
    seen = np.where(rng.random(400) < 0.15, 1 - gold, gold)
    chances = np.where(seen[:, None] == np.arange(2), 0.98, 0.02)
    found = misled_share(chances, gold)
    assert found.low < 0.15 < found.high
    assert found.expected == pytest.approx(0.02)
    assert misled_share(np.full((5, 2), 0.5), np.zeros(5, dtype=int)) is None


def _coverage(accuracy, spread, gold, items, runs):
    hits = alone = 0
    ratios = []
    for seed in range(runs):
        rng, guess, right = _population(seed, items, accuracy, spread)
        drawn = rng.choice(items, gold, replace=False)
        found = gold_accuracy(right[drawn], guess, drawn, seed=seed)
        hits += found.low <= accuracy <= found.high
        alone += found.alone_low <= accuracy <= found.alone_high
        ratios.append((found.high - found.low) / (found.alone_high - found.alone_low))
    return hits / runs, alone / runs, float(np.median(ratios)), max(ratios)


@pytest.mark.parametrize(("accuracy", "spread"), [(0.7, 1.0), (0.9, 3.0), (0.95, 1.0)])
def test_gold_coverage(accuracy, spread):
    hits, _, ratio, widest = _coverage(accuracy, spread, 100, 1000, 300)
    assert hits > 0.91
    assert ratio < 0.97
    assert widest <= 1.0


@pytest.mark.prove
@pytest.mark.parametrize(("gold", "items"), [(50, 500), (100, 1000), (100, 5000), (300, 3000)])
@pytest.mark.parametrize("accuracy", [0.7, 0.9, 0.95])
@pytest.mark.parametrize("spread", [0.0, 1.0, 3.0])
def test_gold_coverage_in_full(gold, items, accuracy, spread):
    hits, alone, ratio, widest = _coverage(accuracy, spread, gold, items, 2000)
    print(f"\n{gold} of {items}, {accuracy}, {spread}: {hits:.3f} {alone:.3f} {ratio:.3f}")
    assert hits >= 0.93
    assert widest <= 1.0
