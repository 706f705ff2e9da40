"""Sums by item, variance within and between, and the error against a true score."""

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.errors import UnanswerableError
from headcount.scores.components import components, true_error
from headcount.scores.people import People, Said

sys.path.append(str(Path(__file__).parent))
from random_effects import World, people_of


@st.composite
def tables(draw):
    """Ragged ratings of a few items by a few named raters, a rater once an item."""
    cells = draw(
        st.lists(
            st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=6, max_size=18, unique=True
        )
    )
    item, rater = np.array(cells).T
    value = draw(
        st.lists(st.integers(-9, 9), min_size=len(cells), max_size=len(cells)).map(np.array)
    )
    return item, rater, value / 2


def compared(item):
    return [i for i in range(5) if (item == i).sum() > 1]


@settings(max_examples=60, deadline=None)
@given(tables())
def test_between_is_pairs_of_different_raters_against_brute_force(table):
    """τ²: pairs of one item less pairs of different items, all by different raters."""
    item, rater, value = table
    kept = compared(item)
    if len(kept) < 2:
        return
    said = Said.of(item, value, 5, rater)
    same = np.mean(
        [np.mean([a * b for a, b in itertools.permutations(value[item == i], 2)]) for i in kept]
    )
    total, weight = 0.0, 0.0
    rows = [r for r in range(len(item)) if item[r] in kept]
    for r, q in itertools.product(rows, rows):
        if item[r] != item[q] and rater[r] != rater[q]:
            w = 1 / (item == item[r]).sum() / (item == item[q]).sum()
            total, weight = total + w * value[r] * value[q], weight + w
    if weight == 0:
        return
    centred = value - np.mean([value[item == i].mean() for i in kept])
    # The product of pairs depends on where nought is once items and pairs weigh differently.
    same = np.mean(
        [np.mean([a * b for a, b in itertools.permutations(centred[item == i], 2)]) for i in kept]
    )
    total = sum(
        centred[r] * centred[q] / (item == item[r]).sum() / (item == item[q]).sum()
        for r, q in itertools.product(rows, rows)
        if item[r] != item[q] and rater[r] != rater[q]
    )
    found = components(said.people())
    assert found.between == pytest.approx(same - total / weight, abs=1e-9)
    within = np.mean([value[item == i].var(ddof=1) for i in kept])
    assert found.within == pytest.approx(within, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(tables(), st.lists(st.integers(-9, 9), min_size=5, max_size=5))
def test_true_error_is_distance_less_half_that_between_people_against_brute_force(table, judge):
    """E(s − r)² − ½E(r − r′)², over pairs of ratings of one item."""
    item, _, value = table
    kept = compared(item)
    if len(kept) < 2:
        return
    judge = np.array(judge, dtype=float)
    distance = np.mean([np.mean((judge[i] - value[item == i]) ** 2) for i in kept])
    apart = np.mean(
        [
            np.mean([(a - b) ** 2 for a, b in itertools.permutations(value[item == i], 2)])
            for i in kept
        ]
    )
    error, added = true_error(Said.of(item, value, 5).people(), judge)
    assert error == pytest.approx(distance - apart / 2, abs=1e-9)
    assert added.mean() == pytest.approx(0, abs=1e-9)


def test_sums_far_from_nought_do_not_cancel():
    rng = np.random.default_rng(0)
    ratings, _ = World().draw(rng, 50, 3, 2)
    item = np.repeat(np.arange(50), 3)
    near = components(Said.of(item, ratings.ravel(), 50).people())
    far = components(Said.of(item, ratings.ravel() + 1e7, 50).people())
    assert far.between == pytest.approx(near.between, rel=1e-6)
    assert far.within == pytest.approx(near.within, rel=1e-6)


def test_components_against_brute_force():
    """Unbiased from pairs: of two ratings of one item, and of the means of two items."""
    ratings, _ = World().draw(np.random.default_rng(1), 80, 4, 2)
    found = components(people_of(ratings))
    same = (ratings.sum(axis=1) ** 2 - (ratings**2).sum(axis=1)).mean() / (4 * 3)
    means = ratings.mean(axis=1)
    different = (means.sum() ** 2 - (means**2).sum()) / (80 * 79)
    assert found.between == pytest.approx(same - different)
    assert found.within == pytest.approx((ratings**2).mean() - same)


def test_strict_raters_hide_no_difference_between_items_against_theory():
    """The same three raters rate everything: their own means must not be taken for the items'."""
    rng, world = np.random.default_rng(2), World(within=0.6, severity=0.4)
    named, anonymous = [], []
    for _ in range(400):
        ratings, _ = world.draw(rng, 60, 3, 2)
        named.append(components(people_of(ratings, named=True)).between)
        anonymous.append(components(people_of(ratings)).between)
    error = np.std(named) / 20
    assert np.mean(named) == pytest.approx(world.between, abs=3 * error)
    assert np.mean(anonymous) == pytest.approx(world.between - 0.4 / 3, abs=3 * error)


def test_single_ratings_tell_nothing_of_how_people_differ():
    with pytest.raises(UnanswerableError, match="two ratings"):
        components(People.of_sums([1, 1, 2], [1.0, 2.0, 3.0], [1.0, 4.0, 5.0]))
