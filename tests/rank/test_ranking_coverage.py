"""Intervals of rankings hold as often as they promise, in tournaments whose truth is known."""

import numpy as np
import pytest
from scipy.stats import binom

import headcount as hc

FULL_SIZE = 100


def cell(runs: int, **world: float) -> dict[str, float]:
    """How often strengths and all ranks at once are held, and how often any two are told apart.

    Without ties and without prompts that suit one system more, strengths are Bradley and Terry's.
    """
    strengths = ranks = told = looks = 0
    widths: list[float] = []
    for seed in range(runs):
        data = hc.simulate.make("tournament", seed=seed, prompt=0, ties=0, pairs=1, **world)
        found = hc.rank(data.ratings, n_bootstrap=200)
        order = sorted(data.facts, key=lambda name: -data.facts[name])
        for each in found.systems:
            low, high = each.strength.low, each.strength.high
            strengths += low <= data.facts[each.name] <= high
            widths.append(high - low)
        looks += len(found.systems)
        ranks += all(
            each.rank.low <= order.index(each.name) + 1 <= each.rank.high for each in found.systems
        )
        told += any(pair.told_apart() for pair in found.pairs)
    return {
        "strength": strengths / looks,
        "width": float(np.mean(widths)),
        "ranks": ranks / runs,
        "told apart": told / runs,
    }


def _not_below(share: float, runs: int, claimed: float = 0.95) -> bool:
    """Whether so few would come in fewer than one of a thousand runs that hold as promised."""
    return bool(binom.cdf(round(share * runs), runs, claimed) > 0.001)


def test_rankings_small_coverage() -> None:
    held = cell(8, systems=4, items=150, each=2, raters=12)
    for name in ("strength", "ranks"):
        assert _not_below(held[name], 8), (name, held)


@pytest.mark.prove
@pytest.mark.parametrize("each", [1, 3, 5])
@pytest.mark.parametrize(("systems", "items"), [(6, 300), (20, 300), (6, 3000), (20, 3000)])
def test_rankings_coverage(systems: int, items: int, each: int) -> None:
    held = cell(FULL_SIZE, systems=systems, items=items, each=each, raters=30)
    print(systems, items, each, held)
    for name in ("strength", "ranks"):
        assert _not_below(held[name], FULL_SIZE), (name, held)


@pytest.mark.prove
@pytest.mark.parametrize("systems", [6, 20])
@pytest.mark.parametrize("each", [1, 3])
def test_equal_systems_are_hardly_ever_told_apart_coverage(systems: int, each: int) -> None:
    held = cell(FULL_SIZE, systems=systems, items=300, each=each, raters=30, strength=0)
    print("equal", systems, each, held)
    assert _not_below(1 - held["told apart"], FULL_SIZE), held
