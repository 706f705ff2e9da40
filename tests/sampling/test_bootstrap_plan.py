"""The bootstrap plan: draws, repeatability, and intervals that keep censored draws."""

import numpy as np
import pytest
import scipy.stats
from scipy import stats

from headcount.errors import OptionError
from headcount.sampling import Bootstrap, estimate_from_draws


def test_item_draws_are_multinomial_against_theory() -> None:
    sizes = np.array([50, 30, 20])
    draws = Bootstrap(samples=4000, seed=1).item_draws(sizes)
    assert draws.shape == (4000, 3)
    assert (draws.sum(axis=1) == 100).all()
    # Each margin is binomial(100, share): its mean within five standard errors.
    for share, column in zip(sizes / 100, draws.T, strict=True):
        error = np.sqrt(100 * share * (1 - share) / 4000)
        assert abs(column.mean() - 100 * share) < 5 * error


def test_grouped_draws_have_the_distribution_of_drawing_items_one_by_one() -> None:
    rng = np.random.default_rng(2)
    one_by_one = np.array([(rng.integers(0, 10, 10) < 3).sum() for _ in range(3000)])
    grouped = Bootstrap(samples=3000, seed=3).item_draws(np.array([3, 7]))[:, 0]
    table = [np.bincount(draws, minlength=11)[:8] for draws in (one_by_one, grouped)]
    assert stats.chi2_contingency(np.array(table) + 1).pvalue > 1e-4


def test_batches_and_seeds_repeat() -> None:
    sizes = np.array([5, 5, 5])
    plan = Bootstrap(samples=10, seed=4)
    np.testing.assert_array_equal(plan.item_draws(sizes), plan.item_draws(sizes))
    together = np.concatenate(list(plan.item_batches(sizes, batch=3)))
    np.testing.assert_array_equal(together, plan.item_draws(sizes))
    assert (plan.item_draws(sizes) != Bootstrap(samples=10, seed=5).item_draws(sizes)).any()


def test_no_samples_no_interval() -> None:
    draws = Bootstrap(samples=0).item_draws(np.array([1, 2]))
    assert draws.shape == (0, 2)
    estimate = estimate_from_draws(0.5, [], 0.025)
    assert (estimate.value, estimate.low, estimate.high) == (0.5, None, None)


@pytest.mark.parametrize(
    "wrong", [{"samples": -1}, {"samples": 2.5}, {"confidence": 1.0}, {"seed": -1}, {"seed": True}]
)
def test_bad_plans_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        Bootstrap(**wrong)


def test_percentiles_against_numpy() -> None:
    draws = np.random.default_rng(0).normal(size=777)
    estimate = estimate_from_draws(0.0, draws, 0.05)
    low, high = np.percentile(draws, [5, 95], method="weibull")
    assert estimate.low == pytest.approx(low, abs=1e-12)
    assert estimate.high == pytest.approx(high, abs=1e-12)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("items", [10, 30, 100, 10_000])
def test_tails_against_the_quantiles_of_scipy(confidence: float, items: int) -> None:
    t = scipy.stats.t.ppf((1 - confidence) / 2, items - 1)
    expected = scipy.stats.norm.cdf(t * np.sqrt(items / (items - 1)))
    assert Bootstrap(confidence=confidence).tail(items) == pytest.approx(expected, rel=0.01)


def test_tails_shrink_with_fewer_items_and_take_every_draw_in_from_one() -> None:
    tails = [Bootstrap().tail(items) for items in (1, 2, 3, 5, 10, 100, 10**6)]
    assert tails == sorted(tails)
    assert tails[0] == 0
    everything = estimate_from_draws(0.0, [-1.0, 0.5, 2.0], tails[0])
    assert (everything.low, everything.high) == (-1.0, 2.0)


def test_an_interval_of_a_mean_of_few_numbers_holds_it_as_often_as_claimed_coverage() -> None:
    rng = np.random.default_rng(3)
    runs, items = 1500, 15
    held = 0
    for seed in range(runs):
        sample = rng.normal(size=items)
        plan = Bootstrap(samples=400, seed=seed)
        drawn = plan.item_draws(np.ones(items, dtype=np.int64)) @ sample / items
        estimate = estimate_from_draws(sample.mean(), drawn, plan.tail(items))
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= 0 <= estimate.high
    assert scipy.stats.binomtest(held, runs, 0.95).pvalue > 0.001


def test_censored_draws_keep_their_place() -> None:
    draws = [*np.linspace(3, 5, 90), *[np.inf] * 10]
    estimate = estimate_from_draws(4.0, draws, 0.025, floor=0, ceiling=9)
    assert estimate.high is None
    assert estimate.high_state == "above"
    assert estimate.low_state == "within"
    assert estimate.text(1) == "4.0 (3.0 to more than 9)"
    both = estimate_from_draws(-np.inf, [-np.inf] * 50 + [1.0] * 50, 0.025, floor=0, ceiling=9)
    assert both.state == both.low_state == "below"
    assert both.text(1) == "less than 0 (less than 0 to 1.0)"


def test_undefined_draws_are_counted_never_dropped_silently() -> None:
    estimate = estimate_from_draws(
        0.4, [0.3, np.nan, 0.5, np.nan], 0.05, undefined="one label only"
    )
    assert estimate.note == "2 of 4 bootstrap samples gave no value (one label only)"
    nothing = estimate_from_draws(np.nan, [np.nan], 0.05, undefined="one label only")
    assert nothing.to_dict() == {"value": None, "low": None, "high": None, "note": "one label only"}


@pytest.mark.parametrize("sizes", [[1, 1, 1, 1, 1, 1], [3, 1, 2], [0, 4, 0, 2], [2, 2, 2]])
def test_draws_of_groups_against_brute_force(sizes: list[int]) -> None:
    """However items are grouped, the same items are drawn: each is drawn by itself."""
    plan, group = Bootstrap(40, seed=3), np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng([3, 0])
    expected = [
        [int((group[items] == g).sum()) for g in range(len(sizes))]
        for items in (rng.integers(6, size=6) for _ in range(40))
    ]
    assert plan.item_draws(np.array(sizes)).tolist() == expected
    batches = plan.item_batches(np.array(sizes), batch=7)
    assert np.concatenate([*batches]).tolist() == expected
