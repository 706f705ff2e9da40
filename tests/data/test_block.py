"""The K rule for ragged data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.data import Patterns, Ratings, full_block
from headcount.errors import OptionError, UnanswerableError


@given(st.lists(st.integers(0, 12), min_size=1, max_size=40))
def test_k_against_brute_force(per_item: list[int]) -> None:
    if max(per_item) < 2:
        with pytest.raises(UnanswerableError):
            full_block(np.array(per_item))
        return
    block = full_block(np.array(per_item))
    worth = {
        k: sum(1 / j for j in range(1, k + 1)) * sum(n >= k for n in per_item)
        for k in range(2, max(per_item) + 1)
    }
    assert worth[block.raters] == pytest.approx(max(worth.values()))
    assert block.items_used == sum(n >= block.raters for n in per_item)
    assert block.items_used + block.items_dropped == len(per_item)


def test_grouped_rows_choose_the_same_block() -> None:
    per_item = np.array([8, 8, 8, 9, 9, 46, 3])
    values, sizes = np.unique(per_item, return_counts=True)
    assert full_block(per_item).raters == full_block(values, sizes).raters == 8


def test_a_stray_item_does_not_cut_the_curve_short() -> None:
    assert full_block(np.array([10] * 100 + [2])).raters == 10


def test_what_was_dropped_is_said() -> None:
    block = full_block(np.array([5, 5, 5, 2]))
    (note,) = block.notes()
    assert note is not None
    assert "1 of 4 items" in note
    assert full_block(np.array([3, 3])).notes() == ()


def test_a_k_that_cannot_be_is_refused() -> None:
    with pytest.raises(OptionError, match="from 2 to 5"):
        full_block(np.array([5, 3]), raters=9)


def test_wikipedia_keeps_all_items_against_methods(shared_data) -> None:
    patterns = Ratings.read(shared_data("wikipedia-attacks") / "counts.csv.gz").patterns()
    block = full_block(patterns.raters, patterns.items)
    assert (block.raters, block.items_used, block.items_dropped) == (8, 23178, 0)


def test_patterns_group_and_keep_the_number_of_items() -> None:
    patterns = Patterns.of(np.array([[1, 2], [0, 3], [1, 2]]), np.array([5, 1, 2]))
    assert patterns.counts.tolist() == [[0, 3], [1, 2]]
    assert patterns.items.tolist() == [1, 7]
    assert patterns.n_items == 8
