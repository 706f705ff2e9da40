"""Few raters with names: one interval about them alone, one about people at large; both hold."""

import numpy as np
import pytest
from scipy.stats import binom

from headcount.sampling.people import interval
from headcount.sampling.samples import Plan

# Raters who agree with a classifier in .8 on average, sd .05, on items that differ (sd .1).
MEAN, BY_RATER, BY_ITEM = 0.8, 0.05, 0.1


def held(raters, items, seed):
    """Whether each interval holds the share it is about, and their widths."""
    rng = np.random.default_rng([seed, 12])
    own = rng.normal(MEAN, BY_RATER, raters)
    chance = np.clip(own + rng.normal(0, BY_ITEM, items)[:, None], 0, 1)
    agrees = (rng.random((items, raters)) < chance).astype(float)
    drawn = rng.multinomial(items, np.full(items, 1 / items), size=300) @ agrees / items
    found = interval(
        float(agrees.mean()),
        drawn.mean(axis=1),
        [np.delete(agrees, rater, axis=1).mean() for rater in range(raters)],
        plan=Plan(items, raters=raters),
        scale="share",
    )
    return (
        found.these_low <= own.mean() <= found.these_high,
        found.low <= MEAN <= found.high,
        found.these_low <= MEAN <= found.these_high,
        found.these_high - found.these_low,
        found.high - found.low,
    )


@pytest.mark.parametrize("raters", [3, 4, 7])
def test_both_intervals_hold_coverage(raters):
    runs = 120
    found = np.array([held(raters, 400, seed) for seed in range(runs)], dtype=float)
    of_these, at_large, bold = found[:, :3].sum(axis=0)
    assert binom.cdf(of_these, runs, 0.95) > 0.01
    assert binom.cdf(at_large, runs, 0.95) > 0.01
    assert bold < 0.9 * runs  # what holds for these raters does not hold for people


@pytest.mark.prove
@pytest.mark.parametrize("raters", [3, 4, 7])
@pytest.mark.parametrize("items", [200, 1000])
def test_both_intervals_hold_full_coverage(raters, items):
    """docs/people.md has the figures."""
    found = np.array([held(raters, items, seed) for seed in range(2000)], dtype=float)
    these, large, bold, width, wide = found.mean(axis=0)
    print(f"{raters} raters, {items} items: these {these:.3f} ({width:.3f}), at large {large:.3f}")
    print(f"  ({wide:.3f}); these, said of people at large, {bold:.3f}")
    assert these >= 0.93
    assert large >= 0.93


def test_many_raters_and_few_without_names_have_one_interval():
    drawn = np.random.default_rng(0).normal(0.7, 0.01, 300)
    many = interval(0.7, drawn, np.linspace(0.69, 0.71, 8), plan=Plan(500, raters=8))
    unnamed = interval(0.7, drawn, None, plan=Plan(500))
    for found in (many, unnamed):
        assert found.these_raters is None
        assert found.whose_text() == found.text()
        assert "these_low" not in found.to_dict()
    few = interval(0.7, drawn, [0.68, 0.7, 0.72], plan=Plan(500, raters=3))
    assert few.low < few.these_low < 0.7 < few.these_high < few.high
    assert few.at(0.5).these_high < few.these_high
    assert "for your three raters" in few.whose_text()
