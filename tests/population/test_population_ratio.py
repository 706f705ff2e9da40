"""Shares of the possible: Fieller's interval where limits are symmetric, the estimate inside."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.population.share_of_possible import ratio_interval


def test_symmetric_limits_give_fiellers_interval_against_theory() -> None:
    """All r with (a − r b)² ≤ z²(s² + r²t² − 2r ρ s t)."""
    a, s, b, t, rho, z = 0.72, 0.01, 0.8, 0.015, 0.4, 1.959963984540054
    low, high = ratio_interval(a, s, b, b - z * t, b + z * t, correlation=rho)
    r = np.linspace(0.8, 1.0, 200_001)
    inside = r[(a - r * b) ** 2 <= z**2 * (s**2 + r**2 * t**2 - 2 * r * rho * s * t)]
    assert low == pytest.approx(inside.min(), abs=2e-6)
    assert high == pytest.approx(inside.max(), abs=2e-6)


def test_what_may_be_nothing_has_no_upper_limit() -> None:
    assert ratio_interval(0.1, 0.05, 0.2, 0.0, 0.3)[1] == np.inf


@given(
    reached=st.floats(0.01, 1),
    error=st.floats(1e-4, 0.2),
    possible=st.floats(0.3, 1),
    down=st.floats(0, 0.25),
    up=st.floats(0, 0.25),
    correlation=st.floats(-0.9, 0.9),
)
def test_an_estimate_lies_inside_its_interval(
    reached: float, error: float, possible: float, down: float, up: float, correlation: float
) -> None:
    low, high = ratio_interval(
        reached, error, possible, possible - down, possible + up, correlation=correlation
    )
    assert low <= reached / possible <= high
