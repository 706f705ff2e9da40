"""Two-way intervals against closed forms, and their named outcomes."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import headcount as hc
from headcount.errors import OptionError
from headcount.sampling.crossing import Sides, crossing_interval, extended
from headcount.sampling.people import (
    interval,
    item_variance,
    rater_variance,
    total_variance,
    variance_counted_twice,
)
from headcount.sampling.samples import Plan, masks_without, rater_groups

sys.path.append(str(Path(__file__).parent))
import worlds


def _without_each(table, axis):
    total, n = table.sum(axis=axis, keepdims=True), table.shape[axis]
    return ((total - table) / (n - 1)).mean(axis=1 - axis)


def test_what_is_counted_twice_against_theory():
    """For the mean of a full table it is the interaction's mean square over the cells."""
    table = np.random.default_rng(0).normal(size=(12, 5))
    g, h = table.shape
    without_both = np.array(
        [[np.delete(np.delete(table, i, 0), j, 1).mean() for j in range(h)] for i in range(g)]
    )
    found = variance_counted_twice(
        table.mean(), _without_each(table, 0), _without_each(table, 1), without_both
    )
    inner = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    expected = (inner**2).sum() / ((g - 1) * (h - 1)) / (g * h)
    assert found == pytest.approx(expected)


def test_rater_variance_of_a_mean_against_theory():
    """The variance of a mean, as if of one rater fewer."""
    table = np.random.default_rng(1).normal(size=(30, 6))
    expected = table.mean(axis=0).var(ddof=1) / (6 - 1)
    assert rater_variance(_without_each(table, 1)) == pytest.approx(expected)


def test_item_variance_against_theory():
    values = np.random.default_rng(2).normal(size=40)
    draws = np.random.default_rng(3).choice(values, (200_000, 40)).mean(axis=1)
    assert item_variance(draws, 40) == pytest.approx(values.var(ddof=1) / 40, rel=0.02)


def test_the_total_never_falls_below_its_parts():
    assert total_variance(1.0, 4.0, 3.0) == 4
    assert total_variance(1.0, 4.0, 0.5) == 4.5


numbers = st.floats(0.01, 0.99)


@given(
    value=st.floats(0, 1),
    draws=st.lists(numbers, min_size=2, max_size=20),
    without=st.lists(numbers, min_size=3, max_size=6),
    scale=st.sampled_from(["plain", "share", "coefficient"]),
)
def test_an_interval_contains_its_estimate(value, draws, without, scale):
    found = interval(value, draws, without, plan=Plan(50, raters=len(without)), scale=scale)
    assert found.low <= value + 1e-12
    assert found.high >= value - 1e-12
    if scale == "share":
        assert found.low >= 0
        assert found.high <= 1


@pytest.mark.parametrize(("raters", "words"), [(1, "one rater"), (2, "two raters")])
def test_few_raters_are_a_named_outcome(raters, words):
    found = interval(0.5, [0.4, 0.5, 0.6], [0.1] * raters, plan=Plan(100, raters=raters))
    assert f"{words} cannot tell how much raters differ" in found.note
    alone = interval(0.5, [0.4, 0.5, 0.6], None, plan=Plan(100))
    assert (found.low, found.high) == (alone.low, alone.high)
    assert alone.note is None


def test_undefined_values_are_named():
    found = interval(np.nan, [0.1], None, plan=Plan(10), undefined="no item has two ratings")
    assert found.value is None
    assert found.note == "no item has two ratings"
    some = interval(0.5, [0.4, np.nan, 0.6], [0.4, 0.5, np.nan], plan=Plan(10, raters=3))
    assert "1 of 3 bootstrap samples" in some.note
    assert "1 of 3 tables without a rater" in some.note


def test_censored_values_stay_censored():
    draws = np.where(np.arange(100) < 40, np.inf, 5.0 + np.linspace(-1, 1, 100))
    above = interval(np.inf, draws, [6, 6.5, np.inf], plan=Plan(99, raters=3), floor=0, ceiling=7)
    assert (above.value, above.state, above.high_state) == (None, "above", "above")
    assert above.low is None or above.low < 7
    within = interval(5.0, draws, [5, 5.1, 4.9], plan=Plan(99, raters=3), floor=0, ceiling=7)
    assert within.high_state == "above"
    assert within.low is None or within.low < 5
    with pytest.raises(OptionError, match="floor or ceiling"):
        interval(np.inf, draws, None, plan=Plan(99))


def test_a_share_that_never_varied_still_has_an_interval_against_theory():
    found = interval(1.0, np.ones(50), np.ones(5), plan=Plan(100, raters=5), scale="share")
    assert found.high == 1
    assert found.low == pytest.approx(0.025 ** (1 / 100))


def test_no_bootstrap_gives_no_interval():
    found = interval(0.4, [], [0.3, 0.4, 0.5], plan=Plan(100, raters=3))
    assert (found.value, found.low, found.high) == (0.4, None, None)


def test_plans_say_whom_they_speak_of():
    assert Plan(10, raters=2).sentence() == "other items like these, judged by these two people"
    assert Plan(10, raters=1).sentence() == "other items like these, judged by this one person"
    assert Plan(10, clusters=5, raters=4).sentence() == (
        "other clusters of items like these, judged by other people like these"
    )
    assert Plan(1000, raters=5).freedom() == 4
    assert Plan(1000, clusters=4, raters=50).freedom() == 3
    with pytest.raises(OptionError, match="raters"):
        Plan(10, raters=0)


def test_many_raters_are_left_out_in_groups():
    groups = rater_groups(20_000, seed=3)
    assert sorted(np.bincount(groups)) == [400] * 50
    assert (rater_groups(100) == np.arange(100)).all()
    masks = list(masks_without(np.array([0, 1, 1, 2]), rater_groups(3)))
    assert [mask.tolist() for mask in masks] == [
        [False, True, True, True],
        [True, False, False, True],
        [True, True, True, False],
    ]


def test_a_crossing_without_noise_is_where_the_lines_meet():
    curve = np.array([-1.0, -0.8, -0.7])
    draws = Sides(np.full(50, -0.75), np.tile(curve, (50, 1)))
    found = crossing_interval(1.5, Sides.of(-0.75, curve), draws, None, plan=Plan(100))
    assert found.low == pytest.approx(1.5, abs=1e-9)
    assert found.high == pytest.approx(1.5, abs=1e-9)


@pytest.mark.parametrize(
    ("score", "value", "state"), [(-0.6, np.inf, "above"), (-1.1, -np.inf, "below")]
)
def test_a_score_beyond_the_curve_is_censored(score, value, state):
    curve = np.array([-1.0, -0.8, -0.7])
    noise = np.random.default_rng(0).normal(0, 0.1, 200)
    draws = Sides(score + noise, np.tile(curve, (200, 1)))
    found = crossing_interval(value, Sides.of(score, curve), draws, None, plan=Plan(100))
    assert found.value is None
    assert found.state == state
    assert worlds.contains_its_value(found)


def test_a_longer_curve_is_not_extended():
    assert extended([[1.0, 2.0, 3.0]], [1.0, 2.0]).tolist() == [[1.0, 2.0]]


def test_the_curve_of_the_simulations_against_brute_force():
    """The simulations' own curve is the package's exact one."""
    rng = np.random.default_rng(7)
    yes = rng.binomial(5, rng.choice([0.2, 0.7], 80))
    mine = worlds.curve_by_item(yes, np.full(80, 5), 4).mean(axis=0)
    ratings = hc.Ratings.from_counts(np.column_stack([5 - yes, yes]), labels=["no", "yes"])
    curve = hc.power_curve(ratings, combiner="abc", n_bootstrap=0)
    np.testing.assert_allclose(mine, [curve.score(k).value for k in range(5)], atol=1e-9)
