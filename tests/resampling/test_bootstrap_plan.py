"""The bootstrap plan: draws, repeatability, and intervals that keep censored draws."""

import numpy as np
import pytest
from scipy import stats

from headcount.errors import OptionError
from headcount.resampling import Bootstrap, estimate_from_draws


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
    assert plan.rater_draws(4).sum(axis=1).tolist() == [4] * 10


def test_no_samples_no_interval() -> None:
    draws = Bootstrap(samples=0).item_draws(np.array([1, 2]))
    assert draws.shape == (0, 2)
    estimate = estimate_from_draws(0.5, [], 0.95)
    assert (estimate.value, estimate.low, estimate.high) == (0.5, None, None)


@pytest.mark.parametrize(
    "wrong", [{"samples": -1}, {"samples": 2.5}, {"confidence": 1.0}, {"seed": -1}, {"seed": True}]
)
def test_bad_plans_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        Bootstrap(**wrong)


def test_percentiles_against_numpy() -> None:
    draws = np.random.default_rng(0).normal(size=777)
    estimate = estimate_from_draws(0.0, draws, 0.9)
    assert estimate.low == pytest.approx(np.percentile(draws, 5), abs=1e-12)
    assert estimate.high == pytest.approx(np.percentile(draws, 95), abs=1e-12)


def test_censored_draws_keep_their_place() -> None:
    draws = [*np.linspace(3, 5, 90), *[np.inf] * 10]
    estimate = estimate_from_draws(4.0, draws, 0.95, floor=0, ceiling=9)
    assert estimate.high is None
    assert estimate.high_state == "above"
    assert estimate.low_state == "within"
    assert estimate.text(1) == "4.0 (3.1 to more than 9)"
    both = estimate_from_draws(-np.inf, [-np.inf] * 50 + [1.0] * 50, 0.95, floor=0, ceiling=9)
    assert both.state == both.low_state == "below"
    assert both.text(1) == "less than 0 (less than 0 to 1.0)"


def test_undefined_draws_are_counted_never_dropped_silently() -> None:
    estimate = estimate_from_draws(0.4, [0.3, np.nan, 0.5, np.nan], 0.9, undefined="one label only")
    assert estimate.note == "2 of 4 bootstrap samples gave no value (one label only)"
    nothing = estimate_from_draws(np.nan, [np.nan], 0.9, undefined="one label only")
    assert nothing.to_dict() == {"value": None, "low": None, "high": None, "note": "one label only"}
