"""Identical rows as one."""

import numpy as np
import pytest

from headcount.deconvolution.grouping import group_rows


@pytest.mark.parametrize("seed", range(4))
def test_grouped_rows_against_numpy(seed):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 3, (200, 2)), rng.choice([0.0, -0.0, 0.1, 1 / 3], 200)]
    first, kind = group_rows(columns)
    flat = np.column_stack(columns) + 0.0
    _, expected_first, expected_kind = np.unique(
        flat, axis=0, return_index=True, return_inverse=True
    )
    np.testing.assert_array_equal(first, expected_first)
    np.testing.assert_array_equal(kind, expected_kind.ravel())
