"""Intervals hold what people would say as often as they claim, with raters drawn at random."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

sys.path.append(str(Path(__file__).parent))
import worlds

NAMES = ("agree", "alpha", "worth")
FULL_SIZE = 400
SMALL = 20


def _held(kind, n_raters, runs, **data):
    """How many of `runs` data sets have intervals that hold the truth, by statistic."""
    world = worlds.WORLDS[kind]
    truths = world.truths()
    hits = dict.fromkeys(NAMES, 0)
    for run in range(runs):
        rng = np.random.default_rng([n_raters, bool(data.get("ragged")), run])
        n_items = 1600 if "per_document" in data else 1000
        found = worlds.estimates(world, rng, n_items, n_raters, **data)
        for name in NAMES:
            hits[name] += worlds.holds(found[name], truths[name])
            assert worlds.contains_its_value(found[name]), (name, found[name])
    return hits


def _not_below(hits, runs, claimed):
    """A coverage of `claimed` would give so few hits in at least one of a hundred such tests."""
    return all(binom.cdf(each, runs, claimed) > 0.01 for each in hits.values())


@pytest.mark.parametrize("kind", worlds.WORLDS)
@pytest.mark.parametrize("ragged", [False, True], ids=["full", "ragged"])
@pytest.mark.parametrize("n_raters", [3, 5, 20])
def test_intervals_about_people_small_coverage(kind, n_raters, ragged):
    hits = _held(kind, n_raters, SMALL, ragged=ragged)
    assert _not_below(hits, SMALL, 0.95 if n_raters >= 20 else 0.92), hits


@pytest.mark.prove
@pytest.mark.parametrize("kind", worlds.WORLDS)
@pytest.mark.parametrize("ragged", [False, True], ids=["full", "ragged"])
@pytest.mark.parametrize("n_raters", [3, 5, 20, 60])
def test_intervals_about_people_coverage(kind, n_raters, ragged):
    hits = _held(kind, n_raters, FULL_SIZE, ragged=ragged)
    print(kind, n_raters, ragged, {name: each / FULL_SIZE for name, each in hits.items()})
    assert _not_below(hits, FULL_SIZE, 0.95 if n_raters >= 20 else 0.92), hits


@pytest.mark.parametrize("kind", worlds.WORLDS)
def test_clusters_of_items_small_coverage(kind):
    hits = _held(kind, 20, SMALL, per_document=16)
    assert _not_below(hits, SMALL, 0.95), hits


@pytest.mark.prove
@pytest.mark.parametrize("kind", worlds.WORLDS)
@pytest.mark.parametrize("n_raters", [20, 60])
def test_clusters_of_items_coverage(kind, n_raters):
    """A hundred documents of sixteen items that share their kind seven times in ten."""
    hits = _held(kind, n_raters, FULL_SIZE, per_document=16)
    print(kind, n_raters, "clusters", {name: each / FULL_SIZE for name, each in hits.items()})
    assert _not_below(hits, FULL_SIZE, 0.95), hits
