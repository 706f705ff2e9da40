"""Intervals hold the truth as often as they claim, by simulation and a binomial test."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.stats import binom

from headcount.agreement.coefficients import Scale
from headcount.agreement.drawn import coefficients_of, in_samples
from headcount.data import Nearness, Patterns
from headcount.sampling import Bootstrap, Plan, Samples
from headcount.simulate.mixture import facts

NOMINAL = Scale(("nominal",))


def _measured(n_labels):
    places = tuple(map(float, range(n_labels)))
    named = Nearness("nominal", places, places, 0.0)
    return partial(coefficients_of, scale=NOMINAL, weights=None, nearness=named)


MIXTURES = {
    "running example": (np.array([0.7, 0.1, 0.2]), np.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]])),
    "three labels": (
        np.array([0.4, 0.3, 0.2, 0.1]),
        np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.05, 0.05, 0.9], [0.34, 0.33, 0.33]]),
    ),
}
NAMES = ("percent_agreement", "krippendorff_alpha")


def _item_run(mixture, n_items, least, most, seed):
    """Whether the intervals of one simulated data set hold the truth, by coefficient."""
    weights, by_kind = MIXTURES[mixture]
    truth = facts(by_kind, weights, slip=0.0, careless=0.0)
    rng = np.random.default_rng([n_items, least, most, seed])
    kind = rng.choice(len(weights), size=n_items, p=weights)
    sizes = rng.integers(least, most + 1, size=n_items)
    patterns = Patterns.of(rng.multinomial(sizes, by_kind[kind]))
    found = in_samples(
        patterns, Bootstrap(400, seed=seed), _measured(by_kind.shape[1]), Plan(n_items)
    )
    held = {}
    for name in NAMES:
        estimate = found[name].estimate(0.95)
        held[name] = estimate.low <= truth[name] <= estimate.high
    return held


def _within_binomial(hits, runs, claimed=0.95):
    """Neither too few nor too many, each side at one in a thousand."""
    return binom.cdf(hits, runs, claimed) > 0.001 and binom.sf(hits - 1, runs, claimed) > 0.001


@pytest.mark.parametrize("mixture", MIXTURES)
@pytest.mark.parametrize(("least", "most"), [(5, 5), (2, 8)], ids=["full", "ragged"])
def test_item_intervals_coverage(mixture, least, most):
    runs = 400
    held = [_item_run(mixture, 200, least, most, seed) for seed in range(runs)]
    for name in NAMES:
        hits = sum(each[name] for each in held)
        assert _within_binomial(hits, runs), (name, hits / runs)


@pytest.mark.prove
@pytest.mark.parametrize("mixture", MIXTURES)
@pytest.mark.parametrize(("least", "most"), [(5, 5), (2, 8)], ids=["full", "ragged"])
@pytest.mark.parametrize("n_items", [30, 100, 300, 1000])
def test_item_intervals_coverage_in_full(mixture, least, most, n_items):
    runs = 4000
    held = [_item_run(mixture, n_items, least, most, seed) for seed in range(runs)]
    shares = {name: sum(each[name] for each in held) / runs for name in NAMES}
    print(f"\n{mixture}, {least}–{most} ratings, {n_items} items: {shares}")
    for name, share in shares.items():
        # Alpha is a ratio: of 30 items its bootstrap is a little skewed, whatever the percentiles.
        claimed = 0.94 if (name, n_items) == ("krippendorff_alpha", 30) else 0.95
        assert binom.cdf(round(share * runs), runs, claimed) > 0.001, (name, share)
        assert binom.sf(round(share * runs) - 1, runs, 0.95) > 0.001, (name, share)


def _two_way_run(n_items, n_raters, seed):
    """Raters who differ: each is careless to their own degree, and the crowd is drawn anew."""
    weights, by_kind = MIXTURES["running example"]
    rng = np.random.default_rng([n_items, n_raters, seed, 7])
    care = rng.choice([0.0, 0.2, 0.8], size=n_raters)
    kind = rng.choice(3, size=n_items, p=weights)
    chance = (1 - care)[None, :] * by_kind[kind][:, 1, None] + care[None, :] * 0.5
    label = (rng.random((n_items, n_raters)) < chance).astype(np.int64)
    item, rater = (codes.ravel() for codes in np.indices(label.shape))
    names = tuple(str(r) for r in range(n_raters))
    counts = np.column_stack([n_raters - label.sum(axis=1), label.sum(axis=1)])
    plan = Bootstrap(300, seed=seed)
    two_way = Plan(n_items, raters=n_raters)
    samples = Samples(two_way, None, item, rater, label.ravel(), names)
    patterns, tables = Patterns.of(counts), samples.without(counts)
    found = in_samples(patterns, plan, _measured(2), two_way, tables=tables)
    # Two careless-to-some-degree strangers: the mean view, mixed with a coin.
    mean_care = np.mean([0.0, 0.2, 0.8])
    given = (1 - mean_care) * by_kind + mean_care * 0.5
    truth = facts(given, weights, slip=0.0, careless=0.0)
    held = {}
    for name in NAMES:
        by_items = replace(found[name], samples=Plan(n_items)).estimate(0.95)
        scale = "share" if name == "percent_agreement" else "coefficient"
        both = found[name].estimate(0.95, scale=scale)
        for how, estimate in (("both", both), ("items", by_items)):
            held[name, how] = estimate.low <= truth[name] <= estimate.high
    return held


def test_two_way_intervals_coverage():
    """Where raters differ, drawing them too holds the truth; drawing items alone does not."""
    runs = 150
    held = [_two_way_run(100, 20, seed) for seed in range(runs)]
    for name in NAMES:
        both = sum(each[name, "both"] for each in held)
        items = sum(each[name, "items"] for each in held)
        assert binom.cdf(both, runs, 0.95) > 0.001, (name, both / runs)
        assert items < both


@pytest.mark.prove
@pytest.mark.parametrize(("n_items", "n_raters"), [(100, 10), (100, 30), (300, 30)])
def test_two_way_intervals_coverage_in_full(n_items, n_raters):
    runs = 1000
    held = [_two_way_run(n_items, n_raters, seed) for seed in range(runs)]
    shares = {key: sum(each[key] for each in held) / runs for key in held[0]}
    print(f"\ntwo-way, {n_items} items, {n_raters} raters: {shares}")
    for (_, how), share in shares.items():
        if how == "both":
            assert share > 0.90
