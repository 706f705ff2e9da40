"""How many gold items: against the interval itself."""

import pytest
from scipy.stats import norm

from headcount.errors import OptionError
from headcount.plan import plan_gold
from headcount.sampling.shares import wilson


@pytest.mark.parametrize("accuracy", [0.5, 0.8, 0.97, 1.0])
@pytest.mark.parametrize("width", [0.02, 0.1])
@pytest.mark.parametrize("ratio", [1.0, 0.4])
def test_items_are_the_fewest_that_do_against_brute_force(accuracy, width, ratio) -> None:
    plan = plan_gold(accuracy=accuracy, half_width=width, ratio=ratio, confidence=0.9)
    quantile = float(norm.ppf(0.95))

    def half(items: int) -> float:
        low, high = wilson(accuracy, items / ratio, quantile)
        return (high - low) / 2

    assert half(plan.items) <= width < half(plan.items - 1)
    found = {each.items: each.half_width for each in plan.points}
    assert found[plan.items] == pytest.approx(half(plan.items))


def test_too_few_items_are_named() -> None:
    assert "all 50 items" in plan_gold(half_width=0.01, items=50).verdict()


@pytest.mark.parametrize("wrong", [{"accuracy": 2}, {"half_width": 0}, {"ratio": 0}, {"items": 0}])
def test_wrong_options(wrong) -> None:
    with pytest.raises(OptionError):
        plan_gold(**wrong)
