"""Strata of disagreement, and the paper's rule for them."""

import itertools

import numpy as np
import pytest

from headcount.deconvolution.strata import (
    Strata,
    advised_strata,
    choose_strata,
    filled_strata,
    finest_strata,
)
from headcount.errors import OptionError


def most_strata_by_brute_force(counts: list[int], least: int) -> int:
    """The most intervals of consecutive levels that hold `least` items each."""
    best = 1
    for cuts in itertools.product([False, True], repeat=len(counts) - 1):
        sums, total = [], counts[0]
        for cut, count in zip(cuts, counts[1:], strict=True):
            if cut:
                sums.append(total)
                total = 0
            total += count
        sums.append(total)
        if min(sums) >= least:
            best = max(best, len(sums))
    return best


@pytest.mark.parametrize("seed", range(25))
def test_finest_strata_against_brute_force(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 8, size=9).tolist()
    level = np.repeat(np.arange(9) / 10, counts)
    strata = finest_strata(level, np.ones(len(level), dtype=bool), least=6)
    held = np.bincount(strata.of(level), minlength=strata.n)
    assert strata.n == most_strata_by_brute_force(counts, 6)
    assert strata.n == 1 or (held >= 6).all()


def test_items_without_retests_do_not_make_a_stratum():
    level = np.repeat([0.0, 0.1, 0.2], 150)
    asked_twice = np.tile([True, False, False], 150)
    assert finest_strata(level, asked_twice).n == 1
    assert finest_strata(level, np.ones(450, dtype=bool)).n == 3


def test_the_advice_is_ten_strata_or_as_many_as_there_are_levels():
    ten = np.repeat(np.arange(12) / 24, 100)
    everyone = np.ones(1200, dtype=bool)
    assert filled_strata(finest_strata(ten, everyone), ten, everyone) == 12
    assert advised_strata(ten) == 10
    few = everyone.copy()
    few[::100] = False
    assert filled_strata(finest_strata(ten, few), ten, few) == 6
    assert filled_strata(finest_strata(ten[:99], everyone[:99]), ten[:99], everyone[:99]) == 0
    assert advised_strata(np.repeat([0.0, 1 / 3, 2 / 3], 100)) == 3


def test_strata_are_closed_on_the_left():
    strata = choose_strata(0.05, np.zeros(1), np.ones(1, dtype=bool))
    levels = np.array([0.0, 0.05, 0.1 - 1e-12, 1 - 9 / 10, 0.999])
    assert strata.of(levels).tolist() == [0, 1, 2, 2, 19]


def test_strata_by_number_width_and_edges():
    anything = np.zeros(1), np.ones(1, dtype=bool)
    np.testing.assert_allclose(choose_strata(4, *anything).edges, [0, 0.25, 0.5, 0.75, 1])
    np.testing.assert_allclose(choose_strata(0.3, *anything).edges, [0, 0.3, 0.6, 0.9, 1])
    np.testing.assert_allclose(choose_strata([0.1, 0.3], *anything).edges, [0, 0.1, 0.3, 1])
    np.testing.assert_allclose(choose_strata((0, 0.5, 1), *anything).edges, [0, 0.5, 1])
    assert choose_strata(1, *anything).n == 1
    assert isinstance(choose_strata("auto", *anything), Strata)


@pytest.mark.parametrize("wrong", ["fine", 0, -2, 1.5, True, [0.5, 0.2], [-0.1, 0.5], [], [[0.1]]])
def test_strata_that_cannot_be_are_refused_in_a_sentence(wrong):
    with pytest.raises(OptionError, match="strata is"):
        choose_strata(wrong, np.zeros(1), np.ones(1, dtype=bool))
