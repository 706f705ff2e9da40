"""The one grouping: equal rows become one, whatever their order."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headcount.data import group_rows

ROWS = st.integers(1, 30).flatmap(
    lambda n: st.tuples(
        arrays(np.int64, (n, 3), elements=st.integers(-2, 2)),
        arrays(np.float64, (n,), elements=st.sampled_from([0.0, -0.0, 0.25, 1 / 3])),
        arrays(np.bool_, (n,)),
        arrays(np.int64, (n,), elements=st.integers(1, 5)),
    )
)


@given(ROWS)
def test_groups_against_brute_force(rows: tuple[np.ndarray, ...]) -> None:
    counts, output, flag, size = rows
    content = [(*c.tolist(), o + 0.0, f) for c, o, f in zip(counts, output, flag, strict=True)]
    found = group_rows(counts, output, flag, size=size)
    expected: Counter[tuple[float, ...]] = Counter()
    for row, many in zip(content, size.tolist(), strict=True):
        expected[row] += many
    assert [content[row] for row in found.first] == sorted(expected)
    assert found.size.tolist() == [expected[row] for row in sorted(expected)]
    assert all(content[found.first[g]] == row for g, row in zip(found.of_row, content, strict=True))


@given(ROWS, st.integers(0, 2**32 - 1))
def test_the_order_of_rows_never_matters(rows: tuple[np.ndarray, ...], seed: int) -> None:
    counts, output, flag, size = rows
    order = np.random.default_rng(seed).permutation(len(counts))
    one = group_rows(counts, output, flag, size=size)
    other = group_rows(counts[order], output[order], flag[order], size=size[order])
    np.testing.assert_array_equal(one.size, other.size)
    np.testing.assert_array_equal(counts[one.first], counts[order][other.first])


@given(ROWS)
def test_draws_of_rows_become_draws_of_groups(rows: tuple[np.ndarray, ...]) -> None:
    counts, _, _, _ = rows
    found = group_rows(counts)
    draws = np.random.default_rng(1).integers(0, 4, size=(5, len(counts)))
    expected = np.zeros((5, len(found)), dtype=np.int64)
    for row, group in enumerate(found.of_row):
        expected[:, group] += draws[:, row]
    np.testing.assert_array_equal(found.gather(draws), expected)
