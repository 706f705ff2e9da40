"""Paired differences, claims about many of them, and not being worse."""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom

from headcount.errors import OptionError
from headcount.sampling.differences import differences, not_worse
from headcount.sampling.samples import Plan


def _equal_classifiers(rng, n_items, n_raters, n_classifiers, n_bootstrap=100):
    """Shares who agree with classifiers of the same accuracy: value, draws, without raters."""
    truth = rng.random(n_items) < 0.5
    right = np.clip(rng.normal(0.75, 0.1, n_raters), 0, 1)
    people = np.where(rng.random((n_items, n_raters)) < right, truth[:, None], ~truth[:, None])
    said = np.where(rng.random((n_items, n_classifiers)) < 0.8, truth[:, None], ~truth[:, None])
    return _measured(people, said, rng, n_bootstrap)


def _lenient_and_strict(rng, n_items, n_raters, n_bootstrap=100):
    """Two classifiers that people like alike on the whole, and raters who each prefer one.

    Raters draw their line at different places; one classifier is lenient, the other as strict.
    """
    place = rng.choice([-2.4, -0.8, 0.8, 2.4], n_items, p=[0.3, 0.2, 0.2, 0.3])
    people = rng.random((n_items, n_raters)) < ndtr(place[:, None] + rng.standard_normal(n_raters))
    said = rng.random((n_items, 2)) < ndtr(0.75 * (place[:, None] + np.array([0.8, -0.8])))
    return _measured(people, said, rng, n_bootstrap)


def _measured(people, said, rng, n_bootstrap):
    n_items, n_raters = people.shape
    equal = people[:, :, None] == said[:, None, :]
    per_item = equal.mean(axis=1)
    times = rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=n_bootstrap)
    total = equal.sum(axis=(0, 1))
    without = (total - equal.sum(axis=0)) / (n_items * (n_raters - 1))
    return per_item.mean(axis=0), times @ per_item / n_items, without


def _held(runs, n_raters, n_items):
    """How often the interval of a difference that is none in truth holds none."""
    held = 0
    for run in range(runs):
        rng = np.random.default_rng([run, n_raters, n_items])
        data = _lenient_and_strict(rng, n_items, n_raters)
        gap = differences(*data, plan=Plan(n_items, raters=n_raters))[0].estimate
        held += gap.low <= 0 <= gap.high
    return held


@pytest.mark.parametrize("n_raters", [3, 20])
def test_differences_that_raters_decide_small_coverage(n_raters):
    assert binom.cdf(_held(60, n_raters, 300), 60, 0.95 if n_raters >= 20 else 0.92) > 0.01


@pytest.mark.prove
@pytest.mark.parametrize("n_raters", [3, 5, 20, 60])
@pytest.mark.parametrize("n_items", [100, 1000])
def test_differences_that_raters_decide_coverage(n_raters, n_items):
    held = _held(400, n_raters, n_items)
    print("difference", n_raters, n_items, held / 400)
    assert binom.cdf(held, 400, 0.95 if n_raters >= 20 else 0.92) > 0.01


def _claims(runs, n_raters):
    claimed = 0
    for run in range(runs):
        rng = np.random.default_rng([run, n_raters])
        found = differences(
            *_equal_classifiers(rng, 300, n_raters, 20), plan=Plan(300, raters=n_raters)
        )
        claimed += any(each.claimed() for each in found)
    return claimed


def test_twenty_equal_classifiers_small_coverage():
    """None better: at most one data set in twenty claims a difference (Holm)."""
    assert binom.sf(_claims(25, 20) - 1, 25, 0.05) > 0.01


@pytest.mark.prove
@pytest.mark.parametrize("n_raters", [3, 5, 20])
def test_twenty_equal_classifiers_coverage(n_raters):
    claimed = _claims(400, n_raters)
    print("claims", n_raters, claimed / 400)
    assert binom.sf(claimed - 1, 400, 0.05) > 0.01


def test_differences_are_paired():
    """What both sides share cancels: equal classifiers differ by exactly nothing."""
    rng = np.random.default_rng(0)
    value, draws, without = _equal_classifiers(rng, 100, 5, 1)
    both = differences(
        np.repeat(value, 2),
        np.repeat(draws, 2, axis=1),
        np.repeat(without, 2, axis=1),
        plan=Plan(100, raters=5),
    )
    assert both[0].estimate.low == both[0].estimate.high == 0
    assert both[0].p_value == 1


def test_a_censored_side_has_no_difference():
    found = differences([1.0, np.inf], [[1.0, np.inf], [1.1, 3]], None, plan=Plan(10))
    assert found[0].estimate.value is None
    assert found[0].estimate.note == "one of the two has no value"
    assert found[0].p_value is None
    assert not found[0].claimed()


def test_not_worse_goes_with_the_interval_against_theory():
    rng = np.random.default_rng(1)
    draws, without = rng.normal(0.0, 0.01, 500), rng.normal(0, 0.002, 8)
    plan = Plan(1000, raters=8)
    low = not_worse(0.0, draws, without, margin=0.5, plan=plan).difference.low
    for margin, shown in ((-low * 1.01, True), (-low * 0.99, False)):
        found = not_worse(0.0, draws, without, margin=margin, plan=plan)
        assert found.shown is shown
        assert ("is not worse than" in found.sentence("a", "b", "agreement")) is shown
    with pytest.raises(OptionError, match="margin"):
        not_worse(0.0, draws, without, margin=-1, plan=plan)
    assert not_worse(np.nan, draws, without, margin=0.1, plan=plan).shown is None
