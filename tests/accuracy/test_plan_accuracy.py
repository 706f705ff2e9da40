"""The planner: what it promises, repeats and refuses."""

import json
import math

import numpy as np
import pytest

import headcount as hc
from headcount.accuracy.accuracy_plan import judge_precision
from headcount.accuracy.simulation import Setting, errors, most_items
from headcount.errors import OptionError
from headcount.results import Estimate


def test_the_plan_repeats_and_keeps_its_table():
    plan = hc.plan_accuracy(kappa=0.5, simulations=100, seed=4)
    again = hc.plan_accuracy(kappa=0.5, simulations=100, seed=4)
    assert plan.to_dict() == again.to_dict()
    json.dumps(plan.to_dict(), allow_nan=False)
    found = plan.to_dict()
    assert found["items"] == plan.items
    assert {"items", "system_accuracy", "half_width", "within", "bias"} == set(found["points"][0])
    assert str(plan.items) in plan.verdict()
    assert plan.to_frame().num_rows == len(plan.points)


def test_points_do_not_depend_on_what_else_was_looked_at():
    alone = hc.plan_accuracy(kappa=0.4, items=[120], simulations=50).points
    among = hc.plan_accuracy(kappa=0.4, items=[60, 120, 240], simulations=50).points
    assert alone == tuple(point for point in among if point.items == 120)


def test_better_raters_more_raters_and_looser_aims_need_fewer_items():
    base = hc.plan_accuracy(rater_accuracy=0.65, simulations=300).items
    assert hc.plan_accuracy(rater_accuracy=0.8, simulations=300).items < base
    assert hc.plan_accuracy(rater_accuracy=0.65, raters=5, simulations=300).items < base
    assert hc.plan_accuracy(rater_accuracy=0.65, half_width=0.15, simulations=300).items < base
    assert hc.plan_accuracy(rater_accuracy=0.65, confidence=0.95, simulations=300).items > base


def test_perfect_raters_against_theory():
    """With raters who never err the estimate is the sample's own share: a binomial."""
    setting = Setting(2, 2, 1.0, np.array([0.5, 0.5]))
    off = errors(setting, 0.8, 400, runs=4000, seed=0)
    assert off.std() == pytest.approx((0.8 * 0.2 / 400) ** 0.5, rel=0.05)
    assert abs(off.mean()) < 0.002


def test_too_many_patterns_are_drawn_item_by_item():
    few = errors(Setting(30, 6, 0.5), 0.7, 60, runs=20, seed=1)
    assert np.isfinite(few).all()
    assert np.abs(few).mean() < 0.15


def test_both_ways_of_simulating_agree(monkeypatch):
    setting = Setting(3, 3, 0.7, np.array([0.5, 0.3, 0.2]))
    listed = errors(setting, 0.8, 150, runs=600, seed=2)
    monkeypatch.setattr("headcount.accuracy.simulation.MOST_PATTERNS", 1)
    drawn = errors(setting, 0.8, 150, runs=600, seed=2)
    assert listed.std() == pytest.approx(drawn.std(), rel=0.12)
    assert listed.mean() == pytest.approx(drawn.mean(), abs=0.012)


def test_a_hopeless_aim_is_said():
    plan = hc.plan_accuracy(kappa=0.05, items=[20, 40], simulations=50)
    assert plan.items is None
    assert "even 40 items do not give" in plan.verdict()
    assert plan.to_dict()["items"] is None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "by kappa= or by rater_accuracy="),
        ({"kappa": 0.3, "rater_accuracy": 0.6}, "by kappa= or by rater_accuracy="),
        ({"kappa": 0}, "kappa lies above 0"),
        ({"rater_accuracy": 0.2}, r"above chance \(1/5"),
        ({"kappa": 0.3, "raters": 1}, "raters is a whole number of at least 2"),
        ({"kappa": 0.3, "labels": 1}, "labels is a whole number of at least 2"),
        ({"kappa": 0.3, "half_width": 0}, "half_width lies between 0 and 1"),
        ({"kappa": 0.3, "system_accuracy": 1.2}, "system_accuracy lies between 0 and 1"),
        ({"kappa": 0.3, "base_rates": [0.5, 0.5]}, "base_rates holds 5 shares"),
        ({"kappa": 0.3, "items": [0]}, "items is a list of whole numbers of at least 1"),
        ({"kappa": 0.3, "simulations": 1}, "simulations is a whole number of at least 10"),
    ],
)
def test_bad_plans(options, sentence):
    with pytest.raises(OptionError, match=sentence):
        hc.plan_accuracy(**options)


def test_the_plan_reads_as_a_summary():
    text = hc.plan_accuracy(
        rater_accuracy=0.8, labels=2, base_rates=[0.5, 0.5], items=[40], simulations=40
    ).summary()
    assert "How close the estimate comes" in text
    assert "on 2 labels with equal base rates" in text
    assert "Base rates are equal" in text
    assert "Simulated with seed 0" in text


def test_another_share_of_evaluations_reads_the_same_runs():
    options = {"kappa": 0.5, "items": [60, 120, 240], "simulations": 100}
    loose = hc.plan_accuracy(**options, confidence=0.8)
    assert hc.plan_accuracy(**options, confidence=0.95).with_confidence(0.8) == loose


def test_the_base_rates_assumed_are_said_against_paper():
    """The paper's rule holds for random base rates: 203 and 80 items; equal ones take more."""
    random = hc.plan_accuracy(kappa=0.55)
    equal = hc.plan_accuracy(kappa=0.55, base_rates="equal")
    assert (random.items, equal.items) == (80, 94)
    assert "random base rates" in random.verdict()
    assert "equal base rates" in equal.verdict()
    assert equal == hc.plan_accuracy(kappa=0.55, base_rates=[0.2] * 5)
    assert "618 instead of 203" in random.summary()
    with pytest.raises(OptionError, match='base_rates is a list of shares or "equal"'):
        hc.plan_accuracy(kappa=0.5, base_rates="even")


@pytest.mark.parametrize(("labels", "raters"), [(625, 2), (199, 2), (1_000, 3)])
def test_hundreds_of_labels_are_told_of_instead_of_simulated_for_hours(
    labels: int, raters: int
) -> None:
    setting = Setting(raters, labels, 0.6, np.full(labels, 1 / labels))
    check = judge_precision(
        Estimate(0.5, 0.2, 0.8),
        classifier="c",
        setting=setting,
        items=50_000,
        half_width=0.05,
        confidence=0.95,
        seed=0,
    )
    assert check.state == "unchecked"
    assert f"With {labels:,} labels it takes too long" in check.text
    most = most_items(setting, 300, 300_000_000)
    assert 300 * (labels + 1) * most <= 300_000_000


def test_few_labels_are_simulated_at_any_number_of_items() -> None:
    assert most_items(Setting(3, 5, 0.6), 300, 300_000_000) == math.inf
