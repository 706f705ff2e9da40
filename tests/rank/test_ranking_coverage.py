"""Intervals of rankings hold as often as they promise, in tournaments whose truth is known."""

import numpy as np
import pytest
from scipy.stats import binom

import headcount as hc
from headcount.results import Estimate

FULL_SIZE = 100


def cell(runs: int, **world: float) -> dict[str, object]:
    """How often strengths, all ranks at once, the judge's accuracy and its worth are held.

    Without ties and without prompts that suit one system more, strengths are Bradley and Terry's.
    The truth of accuracy and worth, which belong to tournaments of this size, is that of the mean
    over all of them.
    """
    strengths = ranks = told = strengths_in_all = 0
    widths: list[float] = []
    rows, intervals, worths = [], [], []
    for seed in range(runs):
        data = hc.simulate.make("tournament", seed=seed, prompt=0, ties=0, pairs=1, **world)
        found = hc.rank(data.ratings, data.predictions, n_bootstrap=200)
        order = sorted(data.facts, key=lambda name: -data.facts[name])
        for each in found.systems:
            low, high = each.strength.low, each.strength.high
            strengths += low <= data.facts[each.name] <= high
            widths.append(high - low)
        strengths_in_all += len(found.systems)
        ranks += all(
            each.rank.low <= order.index(each.name) + 1 <= each.rank.high for each in found.systems
        )
        told += any(pair.told_apart() for pair in found.pairs)
        judge = found.judge("judge")
        points = () if found.curve is None else tuple(e.value for e in found.curve.points)
        rows.append((judge.soft_pairwise_accuracy.value, *points))
        intervals.append(judge.soft_pairwise_accuracy)
        worths.append(judge.worth)
    mean = np.mean(rows, axis=0)
    accuracy = sum(each.low <= mean[0] <= each.high for each in intervals)
    held: dict[str, object] = {
        "strength": strengths / strengths_in_all,
        "width": float(np.mean(widths)),
        "ranks": ranks / runs,
        "told apart": told / runs,
        "accuracy": accuracy / runs,
    }
    if len(mean) > 2:
        top = 1 + int(np.argmax(mean[1:]))
        worth = float(np.interp(mean[0], mean[1 : top + 1], np.arange(top)))
        held["worth"] = sum(_holds(each, worth) for each in worths) / runs
    return held


def _holds(worth: Estimate, truth: float) -> bool:
    low = -np.inf if worth.low_state == "below" else (worth.ceiling or np.inf)
    low = low if worth.low is None else worth.low
    high = np.inf if worth.high_state == "above" else 0.0
    high = high if worth.high is None else worth.high
    return bool(low <= truth + 1e-9 and truth <= high + 1e-9)


def _not_below(share: float, runs: int, claimed: float = 0.95) -> bool:
    """Whether so few would come in fewer than one of a thousand runs that hold as promised."""
    return bool(binom.cdf(round(share * runs), runs, claimed) > 0.001)


def test_rankings_small_coverage() -> None:
    held = cell(8, systems=4, items=150, each=2, raters=12)
    for name in ("strength", "ranks", "accuracy", "worth"):
        assert _not_below(float(str(held[name])), 8), (name, held)


@pytest.mark.prove
@pytest.mark.parametrize("each", [1, 3, 5])
@pytest.mark.parametrize(("systems", "items"), [(6, 300), (20, 300), (6, 3000), (20, 3000)])
def test_rankings_coverage(systems: int, items: int, each: int) -> None:
    held = cell(FULL_SIZE, systems=systems, items=items, each=each, raters=30)
    print(systems, items, each, held)
    for name in ("strength", "ranks", "accuracy", "worth"):
        if name in held:
            assert _not_below(float(str(held[name])), FULL_SIZE), (name, held)


@pytest.mark.prove
@pytest.mark.parametrize("systems", [6, 20])
@pytest.mark.parametrize("each", [1, 3])
def test_equal_systems_are_hardly_ever_told_apart_coverage(systems: int, each: int) -> None:
    held = cell(FULL_SIZE, systems=systems, items=300, each=each, raters=30, strength=0)
    print("equal", systems, each, held)
    assert _not_below(1 - float(str(held["told apart"])), FULL_SIZE), held
