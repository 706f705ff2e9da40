"""What intervals are said to be about, and where that is said too boldly."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.sampling import Plan


@pytest.mark.parametrize(
    ("plan", "cautious"),
    [
        (Plan(3000, raters=8), True),
        (Plan(3000, raters=19), True),
        (Plan(3000, raters=20), False),
        (Plan(2999, raters=8), False),
        (Plan(9000, clusters=100, raters=8), False),
        (Plan(9000, raters=2), False),
        (Plan(9000), False),
    ],
)
def test_few_raters_of_many_items_are_cautioned_against(plan: Plan, cautious: bool) -> None:
    assert bool(plan.caution()) is cautious
    assert plan.speaks().startswith(f"Intervals speak of {plan.sentence()}.")
    assert ("too short" in plan.speaks()) is cautious


def test_agreement_worth_and_evaluation_of_few_raters_say_it() -> None:
    rng = np.random.default_rng(5)
    n, m = 3000, 4
    seen = rng.normal(size=(n, 1)) + 0.5 * rng.normal(size=(n, m)) + rng.normal(0, 0.5, m)
    people = pa.table(
        {
            "item": np.repeat(np.arange(n), m),
            "rater": np.tile([f"r{j}" for j in range(m)], n),
            "label": np.where(seen.ravel() > 0, "yes", "no"),
        }
    )
    machine = pa.table({"item": np.arange(n), "model": np.where(seen[:, 0] > 0, "yes", "no")})
    found = hc.evaluate(people, machine, n_bootstrap=20)
    caption = found.tables()[0].caption
    assert caption is not None
    assert "so few raters, 4," in caption
    for part in (found.agreement, found.equivalence):
        assert any("so few raters, 4," in each for each in part.assumptions())
