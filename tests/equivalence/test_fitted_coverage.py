"""Worths of a known size, through the front door: medians and coverage by simulation."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom

import headcount as hc

RATINGS, PEOPLE, CONCENTRATION = 8, 2, 1.5


def one_worth(n_labels, items, seed, ratings=RATINGS):
    """The worth of the Bayes prediction from two other ratings of Dirichlet items: exactly 2."""
    rng = np.random.default_rng([n_labels, items, seed])
    alpha, labels = np.full(n_labels, CONCENTRATION / n_labels), [f"l{i}" for i in range(n_labels)]
    p = rng.dirichlet(alpha, size=items)
    counts, asked = rng.multinomial(ratings, p), rng.multinomial(PEOPLE, p)
    said = (alpha + asked) / (CONCENTRATION + PEOPLE)
    table = {"item": [str(i) for i in range(items)]}
    table |= {f"two:{label}": said[:, j] for j, label in enumerate(labels)}
    found = hc.survey_equivalence(
        hc.Ratings.from_counts(counts, labels=labels),
        pa.table(table),
        calibrate=False,
        n_bootstrap=300,
        seed=seed,
    )
    worth = found["two"].worth
    ends = {"below": -np.inf, "above": np.inf}
    low = ends.get(worth.low_state, worth.low)
    high = ends.get(worth.high_state, worth.high)
    return ends.get(worth.state, worth.value), low, high


def check(n_labels, items, data_sets, within, **how):
    """The median is near two, and the intervals hold two as often as they claim."""
    each = (one_worth(n_labels, items, seed, **how) for seed in range(data_sets))
    value, low, high = np.array([*each]).T
    held = (low <= PEOPLE) & (high >= PEOPLE)
    width = float(np.mean(np.minimum(high, 20) - np.maximum(low, 0)))
    print(
        f"\n| {n_labels} | {items:,} | {np.median(value):.2f} | {100 * held.mean():.1f} % "
        f"| {width:.2f} |"
    )
    assert abs(np.median(value) - PEOPLE) <= within
    assert binom.cdf(held.sum(), data_sets, 0.95) > 0.01


@pytest.mark.parametrize(("n_labels", "data_sets"), [(2, 20), (6, 5)])
def test_two_people_are_worth_two_small_coverage(n_labels, data_sets):
    check(n_labels, 500, data_sets, 0.2)


def test_past_the_data_two_people_are_worth_two_small_coverage():
    """Two ratings an item: the curve ends at one rater, and two is modelled."""
    check(2, 1000, 15, 0.5, ratings=2)


@pytest.mark.prove
@pytest.mark.parametrize("items", [500, 2000])
@pytest.mark.parametrize("n_labels", [2, 4, 6, 10])
def test_two_people_are_worth_two_coverage(n_labels, items):
    check(n_labels, items, 200, 0.1)


@pytest.mark.prove
@pytest.mark.parametrize(("n_labels", "within"), [(2, 0.5), (4, 0.5)])
def test_past_the_data_two_people_are_worth_two_coverage(n_labels, within):
    check(n_labels, 1000, 200, within, ratings=2)
