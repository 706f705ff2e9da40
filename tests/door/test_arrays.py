"""Conversions between Arrow and NumPy against Arrow's own."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.door import floats, integers, number_column, positions, text_column, texts, whole

CHUNKED = pa.chunked_array([pa.array([7, 1, None, 3])[1:], pa.array([], pa.int64()), [4]])


def test_integers_equal_those_of_arrow_in_pieces_and_slices() -> None:
    assert integers(CHUNKED, missing=-1).tolist() == CHUNKED.fill_null(-1).to_numpy().tolist()
    assert integers(pa.array([1, 2, 3], pa.int8())[1:]).tolist() == [2, 3]
    assert integers(pa.array([Decimal(5)])).tolist() == [5]
    assert integers(CHUNKED).dtype == np.int64


def test_missing_floats_are_nan_as_in_arrow() -> None:
    np.testing.assert_array_equal(floats(CHUNKED), CHUNKED.cast(pa.float64()).to_numpy())


@pytest.mark.parametrize("pieces", [[], [pa.array([], pa.int64())]])
def test_a_column_without_rows(pieces: list[pa.Array]) -> None:
    empty = pa.chunked_array(pieces, pa.int64())
    assert integers(empty).shape == floats(empty).shape == (0,)
    assert whole(empty).type == pa.int64()
    assert texts(pa.chunked_array([], pa.string())).shape == (0,)
    assert text_column([]).to_pylist() == []


@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_texts_come_back_as_they_went(values: list[str]) -> None:
    column = text_column(values)
    column.validate(full=True)
    assert column.equals(pa.array(values, pa.large_string()))
    assert texts(column).tolist() == values


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_numbers_come_back_as_they_went(values: list[int]) -> None:
    assert integers(number_column(np.array(values, dtype=np.int64))).tolist() == values


def test_every_other_number_is_a_column_too() -> None:
    assert number_column(np.arange(6.0)[::2]).to_pylist() == [0.0, 2.0, 4.0]


def test_positions_take_an_arrow_column_too() -> None:
    assert positions(["b", "c"], pa.array(["a", "b"])).tolist() == [1, -1]
