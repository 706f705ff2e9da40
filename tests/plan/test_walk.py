"""The exact probabilities: against convolution, whole numbers and the binomial sum."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from headcount.plan.walk import cramer_failure, log_cramer_base, walk_ends
from research.sweep.rational import exact_failure


def by_repeated_squaring(up, down, steps):
    """P(S > 0), P(S = 0), P(S < 0) from the whole distribution of the sum."""
    total, power = np.array([1.0]), np.array([down, 1 - up - down, up])
    left = steps
    while left:
        if left % 2:
            total = np.convolve(total, power)
        power = np.convolve(power, power)
        left //= 2
    return total[steps + 1 :].sum(), total[steps], total[:steps].sum()


def by_binomials(up, down, steps):
    """Failure as Σ_N Bin(N; n, d)·P(Bin(N, p₊/d) ≤ N/2), N over all that matters."""
    apart = up + down
    spread = 12 * np.sqrt(steps * apart * (1 - apart))
    moved = np.arange(
        max(0, int(steps * apart - spread)), min(steps, int(steps * apart + spread)) + 1
    )
    chance = stats.binom.pmf(moved, steps, apart)
    return float(chance @ stats.binom.cdf(moved // 2, moved, up / apart))


def random_chances(rng, size):
    shares = rng.dirichlet([1, 1, 1], size=size)
    return shares[:, 0], shares[:, 1]


def test_random_grid_against_repeated_squaring():
    rng = np.random.default_rng(5)
    up, down = random_chances(rng, 600)
    steps = rng.integers(1, 400, size=600)
    ends = walk_ends(up, down, up - down, steps)
    expected = np.array([by_repeated_squaring(*args) for args in zip(up, down, steps, strict=True)])
    np.testing.assert_allclose(ends.win, expected[:, 0], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(ends.tie, expected[:, 1], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(ends.loss, expected[:, 2], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(ends.win + ends.failure, 1, atol=1e-14)


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 57, 64, 65, 66, 130, 500])
def test_failure_against_whole_numbers(steps):
    rng = np.random.default_rng(steps)
    denominator = 10**6
    for kind in range(40):
        a, b = sorted(rng.integers(1, denominator // 2, size=2).tolist(), reverse=True)
        if kind % 4 == 1:  # the classifiers hardly ever differ
            a, b = a // 10**4 + 1, b // 10**4 + 1
            a, b = max(a, b), min(a, b)
        if kind % 4 == 2:  # they hardly ever agree: parity matters
            a = denominator - b - int(rng.integers(0, 40))
        if kind % 4 == 3:  # next to no drift
            a = b + int(rng.integers(0, 5))
        exact, tie = exact_failure(Fraction(a, denominator), Fraction(b, denominator), steps)
        ends = walk_ends(a / denominator, b / denominator, (a - b) / denominator, steps)
        assert float(ends.failure) == pytest.approx(float(exact), rel=1e-12)
        assert float(ends.tie) == pytest.approx(float(tie), abs=1e-12 * float(exact))


@pytest.mark.parametrize("steps", [120, 400, 1000, 1500])
def test_tail_keeps_its_digits_down_to_1e_300_against_whole_numbers(steps):
    for up, down in [("0.7", "0.1"), ("0.6", "0.15"), ("0.45", "0.05"), ("0.9", "0.09")]:
        exact, _ = exact_failure(Fraction(up), Fraction(down), steps)
        log_exact = _log(exact)
        ends = walk_ends(float(up), float(down), float(Fraction(up) - Fraction(down)), steps)
        assert float(ends.log_failure) == pytest.approx(log_exact, rel=1e-13)
        if log_exact > -700:
            assert float(ends.failure) == pytest.approx(float(exact), rel=1e-12)


def test_tail_of_1e_300_is_a_number():
    ends = walk_ends(0.6, 0.2, 0.4, 6040)
    assert -301 < np.log10(float(ends.failure)) < -295
    exact, _ = exact_failure(Fraction(3, 5), Fraction(1, 5), 6040)
    assert float(ends.failure) == pytest.approx(float(exact), rel=2e-12)


def _log(fraction):
    """The log of a fraction too small for a double."""
    shift = fraction.denominator.bit_length() - fraction.numerator.bit_length()
    return float(np.log(float(fraction * 2**shift)) - shift * np.log(2))


@pytest.mark.parametrize("steps", [10_000, 1_000_000, 10_000_000])
@pytest.mark.parametrize("drift", [1e-3, 1e-4])
def test_many_items_against_binomial_sum(steps, drift):
    up, down = 0.2 + drift / 2, 0.2 - drift / 2
    expected = by_binomials(up, down, steps)
    assert float(walk_ends(up, down, drift, steps).failure) == pytest.approx(expected, rel=2e-9)


def test_many_items_always_differing_against_theory():
    """With no ties between answers the sum is a binomial: odd and even n differ."""
    for steps in (9_999, 10_000, 9_999_999, 10_000_000):
        ends = walk_ends(0.5005, 0.4995, 0.001, steps)
        assert float(ends.failure) == pytest.approx(
            stats.binom.cdf(steps // 2, steps, 0.5005), rel=1e-9
        )
        tie = stats.binom.pmf(steps // 2, steps, 0.5005) if steps % 2 == 0 else 0.0
        assert float(ends.tie) == pytest.approx(tie, rel=1e-9, abs=1e-13)


def test_a_billion_items_against_normal_limit():
    drift, apart, steps = 2e-5, 0.3, 10**9
    ends = walk_ends((apart + drift) / 2, (apart - drift) / 2, drift, steps)
    z = drift * np.sqrt(steps) / np.sqrt(apart - drift**2)
    assert float(ends.failure) == pytest.approx(stats.norm.sf(z), rel=1e-3)


def test_cramer_is_never_below_the_truth_and_right_in_rate():
    rng = np.random.default_rng(11)
    one, other = random_chances(rng, 3000)
    up, down = np.maximum(one, other), np.minimum(one, other)
    steps = rng.integers(1, 5000, size=3000)
    ends = walk_ends(up, down, up - down, steps)
    rate = log_cramer_base(up, down, up - down, 1 - up - down)
    assert np.all(ends.log_failure <= steps * rate + 1e-9)
    assert np.all(
        ends.failure <= cramer_failure(up, down, up - down, 1 - up - down, steps) * (1 + 1e-12)
    )
    # The rate is approached: log failure / (n · rate) falls towards 1.
    sizes = np.array([1e2, 1e3, 1e4, 1e5, 1e6])
    reached = walk_ends(0.3, 0.2, 0.1, sizes).log_failure / (
        sizes * log_cramer_base(*np.array([0.3, 0.2, 0.1, 0.5]))
    )
    assert np.all(np.diff(reached) < 0)
    assert reached[-1] == pytest.approx(1, abs=1e-3)


def test_failure_keeps_its_digits_where_steps_of_zero_are_impossible():
    """1 − up − down would leave a rounding error here, larger than the failure itself."""
    for down in (1e-8, 1e-20, 1e-100, 1e-300):
        ends = walk_ends(1 - down, down, 1 - 2 * down, 1, still=0.0)
        assert float(ends.failure) == pytest.approx(down, rel=1e-12)
    for down in (1e-3, 1e-8, 1e-40, 1e-120):
        ends = walk_ends(1 - down, down, 1 - 2 * down, 3, still=0.0)
        expected = 3 * down**2 * (1 - down) + down**3
        assert float(ends.failure) == pytest.approx(expected, rel=1e-11)
        assert float(ends.tie) == 0


def test_certain_and_impossible_ends():
    assert float(walk_ends(1.0, 0.0, 1.0, 5).failure) == 0
    assert float(walk_ends(0.0, 0.0, 0.0, 5).tie) == 1
    assert float(walk_ends(0.3, 0.0, 0.3, 4).failure) == pytest.approx(0.7**4)
    assert float(walk_ends(0.0, 0.3, -0.3, 4).win) == 0
    fair = walk_ends(0.25, 0.25, 0.0, 9)
    assert float(fair.win) == pytest.approx(float(fair.loss))


def test_swapping_up_and_down_swaps_win_and_loss():
    one, other = walk_ends(0.4, 0.1, 0.3, 37), walk_ends(0.1, 0.4, -0.3, 37)
    assert float(one.win) == pytest.approx(float(other.loss), rel=1e-13)
    assert float(one.loss) == pytest.approx(float(other.win), rel=1e-13)
    assert float(one.tie) == pytest.approx(float(other.tie), rel=1e-13)


def test_grids_broadcast_and_empty_ones_are_empty():
    up = np.array([[0.2], [0.3]])
    steps = np.array([[10, 20, 30]])
    ends = walk_ends(up, 0.1, up - 0.1, steps)
    assert ends.win.shape == (2, 3)
    assert float(ends.win[1, 2]) == pytest.approx(float(walk_ends(0.3, 0.1, 0.2, 30).win))
    assert walk_ends(np.zeros(0), 0.1, 0.0, 3).win.shape == (0,)
