"""Slices: small ones do not lead by luck, intervals hold, looks are counted."""

import numpy as np
import pytest
from scipy.stats import binom

from headcount.sampling import Plan, Sampled
from headcount.sampling.slices import by_slice, slices, variance_between


def _measured(shares, slice_of, rng, n_bootstrap=100):
    """Every slice of items whose shares of agreeing people are known, raters aside."""
    n = len(shares)
    times = np.vstack([np.ones(n), rng.multinomial(n, np.full(n, 1 / n), size=n_bootstrap)])
    own, rest = by_slice(shares, slice_of, times)
    return slices(
        Sampled(own[0], own[1:], None, Plan(n)),
        Sampled(rest[0], rest[1:], None, Plan(n)),
        np.bincount(slice_of),
    )


def _world(rng, truths, sizes):
    slice_of = np.repeat(np.arange(len(sizes)), sizes)
    return (rng.random((len(slice_of), 5)) < truths[slice_of][:, None]).mean(axis=1), slice_of


SIZES = np.array([12, 15, 20, 30, 50, 100, 200, 400])


def _runs(runs, spread, seed=0):
    """Coverage by slice, mean squared errors raw and drawn, and data sets that claim anything."""
    held, raw, drawn, claims = np.zeros(len(SIZES)), 0.0, 0.0, 0
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        truths = np.clip(rng.normal(0.8, spread, len(SIZES)), 0.02, 0.98)
        found = _measured(*_world(rng, truths, SIZES), rng)
        for each in found:
            truth = truths[each.code]
            held[each.code] += each.estimate.low <= truth <= each.estimate.high
            raw += (each.estimate.value - truth) ** 2
            drawn += (each.shrunk - truth) ** 2
        claims += any(each.adjusted <= 0.05 for each in found)
    return held, raw, drawn, claims


@pytest.mark.parametrize("spread", [0.0, 0.05])
def test_slices_small_coverage(spread):
    runs = 40
    held, raw, drawn, claims = _runs(runs, spread)
    assert binom.cdf(held.sum(), runs * len(SIZES), 0.95) > 0.001, held / runs
    assert drawn < raw
    if spread == 0:
        assert binom.sf(claims - 1, runs, 0.05) > 0.01


@pytest.mark.prove
@pytest.mark.parametrize("spread", [0.0, 0.03, 0.1])
def test_slices_coverage(spread):
    runs = 400
    held, raw, drawn, claims = _runs(runs, spread, seed=1)
    print("slices", spread, held / runs, "raw/drawn", raw / drawn, "claims", claims / runs)
    # One in a hundred for the eight sizes together.
    assert all(binom.cdf(each, runs, 0.95) > 0.01 / len(SIZES) for each in held), held / runs
    assert drawn < raw
    if spread == 0:
        assert binom.sf(claims - 1, runs, 0.05) > 0.01


def test_a_small_slice_does_not_lead_by_luck():
    """Ten of twelve unlucky items against a large slice that is surely worse."""
    rng = np.random.default_rng(0)
    small = np.r_[np.zeros(6), np.ones(6)]
    large = np.r_[np.zeros(180), np.ones(220)]
    others = np.r_[np.zeros(200), np.ones(1800)]
    shares = np.r_[small, large, others]
    found = _measured(shares, np.repeat([0, 1, 2], [12, 400, 2000]), rng)
    by_code = {each.code: each for each in found}
    assert by_code[0].estimate.value < by_code[1].estimate.value
    assert found[0].code == 1
    assert by_code[1].adjusted < 0.05
    assert by_code[0].weight < by_code[1].weight


def test_a_slice_that_is_too_small_says_so():
    rng = np.random.default_rng(1)
    shares = rng.random(105)
    found = _measured(shares, np.repeat([0, 1, 2], [5, 50, 50]), rng)
    last = found[-1]
    assert last.code == 0
    assert last.too_small
    assert last.estimate.value is None
    assert last.estimate.note == "too small: 5 of at least 10 items"
    assert last.adjusted is None


def test_variance_between_slices_against_theory():
    assert variance_between(np.array([0.01, -0.01]), np.array([0.1, 0.1])) == 0
    rng = np.random.default_rng(2)
    v = rng.uniform(0.5, 2, 20_000)
    d = rng.normal(0, np.sqrt(3 + v))
    assert variance_between(d, v) == pytest.approx(3, rel=0.05)


def test_slices_of_summeval_by_aspect_against_brute_force(shared_data):
    import pandas as pd

    folder = shared_data("summeval")
    ratings = pd.read_csv(folder / "ratings.csv.gz")
    judged = ratings.merge(pd.read_csv(folder / "predictions.csv.gz"), on="item")
    judged["equal"] = judged["label"] == judged["gpt-4o"]
    items = judged.groupby("item").agg(equal=("equal", "mean"), aspect=("aspect", "first"))
    codes, names = pd.factorize(items["aspect"], sort=True)
    own, rest = by_slice(items["equal"], codes, np.ones((1, len(items))))
    expected = judged.groupby("aspect")["equal"].mean()[names]
    np.testing.assert_allclose(own[0], expected)
    for code, name in enumerate(names):
        outside = judged.loc[judged["aspect"] != name, "equal"].mean()
        assert rest[0, code] == pytest.approx(outside)
