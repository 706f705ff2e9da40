"""What must never matter to scores: the order of rows, nought, the unit; and no table breaks."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import headcount as hc
from headcount.errors import HeadcountError

ROWS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 4), st.integers(-4, 4)),
    min_size=6,
    max_size=40,
    unique_by=lambda row: row[:2],
)
JUDGE = st.lists(st.integers(-4, 4), min_size=8, max_size=8)


def asked(rows, judge, *, shift=0.0, unit=1.0, named=True):
    columns = {
        "item": [f"item {i}" for i, _, _ in rows],
        "label": [shift + unit * v for _, _, v in rows],
    }
    if named:
        columns["rater"] = [f"rater {r}" for _, r, _ in rows]
    said = {"item": [f"item {i}" for i in range(8)], "judge": [shift + unit * v for v in judge]}
    ratings = hc.Ratings.from_frame(pa.table(columns), scale="numeric")
    return hc.scores(ratings, pa.table(said), tolerance=unit)


def or_error(*given, **options):
    try:
        return asked(*given, **options)
    except HeadcountError as error:
        return type(error)


@settings(max_examples=25, deadline=None)
@given(ROWS, JUDGE, st.booleans())
def test_no_table_breaks_it(rows, judge, named):
    found = or_error(rows, judge, named=named)
    if isinstance(found, type):
        return
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.summary()
    assert found.to_frame().num_rows == 1
    for worth in found["judge"].worths.values():
        assert worth.known or worth.note
        if worth.value is not None and worth.low is not None and worth.high is not None:
            assert worth.low <= worth.value <= worth.high


@settings(max_examples=10, deadline=None)
@given(ROWS, JUDGE, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows, judge, random):
    first = or_error(rows, judge)
    random.shuffle(rows)
    again = or_error(rows, judge)
    if isinstance(first, type):
        assert again is first
        return
    assert again["judge"].bias.value == pytest.approx(first["judge"].bias.value, abs=1e-12)
    assert again["judge"].worth.text() == first["judge"].worth.text()


@settings(max_examples=12, deadline=None)
@given(ROWS, JUDGE, st.sampled_from([(100.0, 1.0), (0.0, 8.0), (-3.0, 0.25)]))
def test_nought_and_the_unit_do_not_matter(rows, judge, change):
    shift, unit = change
    one, other = or_error(rows, judge), or_error(rows, judge, shift=shift, unit=unit)
    if isinstance(one, type):
        assert other is one
        return
    a, b = one["judge"], other["judge"]
    assert b.bias.value == pytest.approx(unit * a.bias.value, abs=1e-9)
    assert b.near.value == pytest.approx(a.near.value)
    for kind in a.worths:
        assert b.worths[kind].state == a.worths[kind].state
        if a.worths[kind].value is not None:
            assert b.worths[kind].value == pytest.approx(a.worths[kind].value, rel=1e-6)
    if one.people.icc_a1.value is not None:
        assert other.people.icc_a1.value == pytest.approx(one.people.icc_a1.value, abs=1e-9)


def test_results_compare_and_keep_their_draws_out_of_sight():
    rng = np.random.default_rng(0)
    rows = [(i % 8, i // 8, int(v)) for i, v in enumerate(rng.integers(-4, 5, 40))]
    one, other = (asked(rows, list(range(8))) for _ in range(2))
    assert one == other
    assert one != replace(one, tolerance=2.0)
    assert "cells" not in repr(one["judge"])
