"""Contrasts, their law, change points and periods on bare arrays, against their definitions."""

import numpy as np
import pytest

from headcount.drift.change_point import change_point
from headcount.drift.changes import Contrasts, explained, scan
from headcount.drift.periods import periods_of
from headcount.errors import OptionError
from headcount.sampling import Plan, Sampled


def test_contrasts_against_brute_force():
    items = np.array([10.0, 20.0, 0.0, 30.0])
    found = Contrasts.of(items)
    values = np.array([0.2, 0.4, 9.0, 0.7])
    for weights, after in zip(found.weights, found.after, strict=True):
        inside = [t for t in range(4) if after[t] and items[t]]
        outside = [t for t in range(4) if not after[t] and items[t]]
        mean = [
            sum(items[t] * values[t] for t in side) / sum(items[t] for t in side)
            for side in (inside, outside)
        ]
        assert weights @ values == pytest.approx(mean[0] - mean[1])
    assert found.split.sum() == 2  # two boundaries between the three periods that hold items
    assert len(found.weights) == 5


def sampled(value, noise, rng):
    value = np.asarray(value, dtype=float)
    draws = value + noise * rng.standard_normal((300, *value.shape))
    return Sampled(value, draws, None, Plan(1000))


@pytest.mark.parametrize(
    ("judge", "people", "named"),
    [
        ([0.8] * 6, [0.7] * 6, (False, False)),
        ([0.8] * 3 + [0.6] * 3, [0.7] * 6, (True, False)),
        ([0.8] * 3 + [0.7] * 3, [0.8] * 3 + [0.7] * 3, (False, True)),
        ([0.8] * 3 + [0.75] * 3, [0.8] * 3 + [0.7] * 3, (False, True)),
        ([0.8] * 3 + [0.5] * 3, [0.8] * 3 + [0.7] * 3, (True, True)),
    ],
)
def test_which_of_three_is_named_where_noise_is_small(judge, people, named):
    rng = np.random.default_rng(1)
    slopes = explained(np.array([0.75]), 0.75, np.array([0.5]), 0.5)
    test = scan(
        sampled([judge], 0.005, rng),
        sampled(people, 0.005, rng),
        np.full(6, 100.0),
        slopes,
        level=0.05,
        seed=0,
    )
    assert (test.judge_changed.any(), test.people_changed.any()) == named


def test_the_largest_of_many_contrasts_keeps_its_level_coverage():
    held = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        truth = 0.7 + 0.02 * rng.standard_normal(5)
        judge = 0.8 + 0.02 * rng.standard_normal((3, 5))
        slopes = np.tile([0.5, 1.0], (3, 1))
        test = scan(
            sampled(judge, 0.02, rng),
            sampled(truth, 0.02, rng),
            np.full(5, 50.0),
            slopes,
            level=0.05,
            seed=0,
        )
        held += not (test.judge_changed.any() or test.people_changed.any())
    assert held >= 70  # 76 expected; fewer than 70 in one of three hundred runs


def test_change_point_against_brute_force():
    rng = np.random.default_rng(3)
    values, when = rng.random(60), np.sort(rng.integers(0, 25, size=60)).astype(float)
    values[when >= 11] += 0.4

    def squares(start):
        return sum(
            ((values[side] - values[side].mean()) ** 2).sum()
            for side in (when < start, when >= start)
        )

    best = min(np.unique(when)[1:], key=squares)
    found = change_point(values, when)
    assert found.at == best
    assert found.low <= found.at <= found.high
    assert found.before == pytest.approx(values[when < best].mean())
    assert change_point(values[:1], when[:1]) is None


@pytest.mark.parametrize("clusters", [False, True])
def test_change_points_lie_in_their_interval_coverage(clusters):
    held = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        when = np.sort(rng.random(300))
        cluster = rng.integers(60, size=300) if clusters else None
        values = rng.standard_normal(300) + 0.8 * (when >= 0.6)
        if cluster is not None:
            values += 0.5 * rng.standard_normal(60)[cluster]
        found = change_point(values, when, cluster, seed=seed)
        held += found.low <= 0.6 <= found.high
    assert held >= 180  # 190 expected of 200; fewer than 180 in one of four hundred runs


def test_periods_are_months_weeks_days_or_parts():
    days = np.arange(20089.0, 20089.0 + 240)  # from January 2025, eight months
    assert periods_of(days, "date").names[0] == "2025-01"
    assert len(periods_of(days, "date", "quarter")) == 3
    assert periods_of(np.repeat(days[:10], 30), "date").names[0] == "2025-01-01"
    assert periods_of(np.repeat(days[:60], 5), "date").names[:2] == ("2024-12-30", "2025-01-06")
    waves = periods_of(np.repeat([0.0, 1.0], 30), "order", None, ("before", "after"))
    assert waves.names == ("before", "after")
    numbers = periods_of(np.arange(400.0), "number")
    assert np.bincount(numbers.code).tolist() == [50] * 8
    parts = periods_of(np.arange(100.0), "number", "4")
    assert np.bincount(parts.code).tolist() == [25] * 4
    with pytest.raises(OptionError, match="no dates"):
        periods_of(np.arange(100.0), "number", "month")
    with pytest.raises(OptionError, match="period is day"):
        periods_of(np.arange(100.0), "number", "fortnight")


def test_items_without_a_time_are_in_no_period():
    found = periods_of(np.array([np.nan, *np.repeat([1.0, 2.0], 30)]), "number")
    assert found.code[0] == -1
