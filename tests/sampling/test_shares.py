"""Intervals of a share, and the items that narrow one."""

import numpy as np
import pytest
from scipy import stats

from headcount.sampling.shares import binomial_bounds, items_for, wilson


def test_wilson_against_theory():
    """The ends are where the score test is just met: |p̂ − p| = z·sqrt(p(1 − p)/n)."""
    low, high = wilson(np.array([0.3, 0.0]), np.array([40.0, 25.0]), 1.959963985)
    for share, n, end in ((0.3, 40, low[0]), (0.3, 40, high[0]), (0.0, 25, high[1])):
        assert abs(share - end) == pytest.approx(1.959963985 * np.sqrt(end * (1 - end) / n))
    assert low[1] == 0


@pytest.mark.parametrize("hits", [0, 3, 45, 50])
def test_wilson_against_reference(hits):
    """SciPy's interval for a binomial share."""
    known = stats.binomtest(hits, 50).proportion_ci(method="wilson")
    found = wilson(hits / 50, 50, stats.norm.ppf(0.975))
    assert found == pytest.approx((known.low, known.high), abs=1e-9)


@pytest.mark.parametrize(("events", "trials"), [(0, 20), (3, 20), (20, 20), (1, 1), (57, 400)])
def test_binomial_bounds_against_reference(events, trials):
    interval = stats.binomtest(events, trials).proportion_ci(0.9, method="exact")
    low, high = binomial_bounds(events, trials)
    assert (low, high) == pytest.approx((interval.low, interval.high), abs=1e-9)


def test_without_trials_nothing_is_known():
    assert binomial_bounds(0, 0).tolist() == [0, 1]


def test_the_plan_meets_its_width():
    for ratio, share in ((1.0, 0.9), (0.4, 0.9), (0.6, 0.7)):
        n = items_for(0.04, share, ratio, confidence=0.95, all_items=5000)
        effective = n / (ratio * (1 - n / 5000) + n / 5000) if ratio < 1 else n
        low, high = wilson(share, effective, stats.norm.ppf(0.975))
        assert (high - low) / 2 <= 0.04
        low, high = wilson(share, effective * 0.98, stats.norm.ppf(0.975))
        assert (high - low) / 2 > 0.0395
