"""Adjusted p-values against their definitions, and against too many looks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from headcount.sampling.multiplicity import benjamini_yekutieli, holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(P_VALUES)
def test_benjamini_yekutieli_against_reference(p):
    expected = stats.false_discovery_control(p, method="by")
    np.testing.assert_allclose(benjamini_yekutieli(p), expected, atol=1e-12)


@given(P_VALUES, st.floats(0.001, 0.999))
def test_holm_against_brute_force(p, level):
    """Step down: reject the smallest while it is below level over what is left."""
    rejected = set()
    for step, index in enumerate(np.argsort(p, kind="stable")):
        if p[index] * (len(p) - step) > level:
            break
        rejected.add(int(index))
    assert set(np.flatnonzero(holm(p) <= level).tolist()) == rejected


def test_comparisons_not_made_do_not_count():
    np.testing.assert_allclose(holm([0.01, np.nan, 0.04]), [0.02, np.nan, 0.04])
    np.testing.assert_allclose(benjamini_yekutieli([np.nan, 0.02]), [np.nan, 0.02])


@pytest.mark.parametrize("adjust", [holm, benjamini_yekutieli])
def test_no_comparison_at_all(adjust):
    assert adjust([]).tolist() == []
