"""What k ratings an item can tell: the table of the running example, and theory."""

import pytest

from headcount.errors import OptionError
from headcount.plan import plan_ratings

TABLE = {
    1: (-0.9507, 0.0, 0.630, 1.0),
    2: (-0.7052, -0.6200, 0.690, 0.8082),
    3: (-0.7033, -0.6415, 0.7532, 0.8063),
    4: (-0.6993, -0.6922, 0.790, 0.8036),
    5: (-0.6991, -0.6926, 0.790, 0.8034),
    6: (-0.6991, -0.6991, 0.790, 0.790),
}


def test_the_running_example_against_reference() -> None:
    found = plan_ratings(most=6)
    for each in found.points:
        ends = (each.ideal_low, each.ideal_high, each.ceiling_low, each.ceiling_high)
        assert ends == pytest.approx(TABLE[each.ratings], abs=6e-5)
    assert (found.enough, round(found.ceiling, 3), round(found.ideal, 4)) == (6, 0.79, -0.6991)


def test_one_rating_tells_the_mean_alone_against_theory() -> None:
    only = plan_ratings(kinds=[(0.5, 0.9), (0.5, 0.3)], most=1).points[0]
    assert (only.ceiling_low, only.ceiling_high) == pytest.approx((0.6, 1.0), abs=1e-6)


def test_all_coin_flips_are_known_from_two_ratings_against_theory() -> None:
    found = plan_ratings(kinds=[(1.0, 0.5)], most=3, scorer="brier")
    assert found.enough == 2
    assert found.points[1].ceiling_high == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize(
    "wrong", [{"kinds": [(0.5, 0.5)]}, {"kinds": []}, {"kinds": [(1.0, 2.0)]}, {"most": 21}]
)
def test_wrong_options(wrong) -> None:
    with pytest.raises(OptionError):
        plan_ratings(**wrong)
