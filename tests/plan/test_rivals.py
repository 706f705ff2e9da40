"""Of rivals whose true order is known: who is said to be best with probability p is so in p."""

import numpy as np
import pytest
from tests.plan.rivals import CELLS, said_and_right

# Gaps of a tenth of a point: no pilot tells them from none, and half of the time the other is
# better. Nothing in the data says that they are so small; stated is what it would be otherwise.
TOO_ALIKE = ("3 alike, anonymous", "2 alike, 4 raters")


@pytest.mark.parametrize("name", ["3 rivals, 8 raters", "6 rivals, anonymous"])
def test_best_with_probability_is_kept_coverage(name):
    """A small run of two cells; taking any difference as likely as any other said .15 too much."""
    said, right, loss, behind = said_and_right(CELLS[name], 150, seed=5)
    assert said.mean() == pytest.approx(right.mean(), abs=0.1)
    assert loss.mean() == pytest.approx(behind.mean(), rel=0.4)


@pytest.mark.prove
@pytest.mark.parametrize("name", CELLS)
def test_best_with_probability_is_kept_full_coverage(name):
    """Within .08 on average and .12 in each bin of 100; docs/budget.md has the figures."""
    said, right, loss, behind = said_and_right(CELLS[name], 2000, seed=34)
    bins = np.searchsorted([0.5, 0.7, 0.8, 0.9, 0.95, 0.99], said)
    shown = [
        f"{said[bins == b].mean():.2f}/{right[bins == b].mean():.2f}"
        for b in range(7)
        if (bins == b).sum() >= 100
    ]
    print(f"{name}: said {said.mean():.3f} right {right.mean():.3f} loss {100 * loss.mean():.3f}")
    print(f"  lost {100 * behind.mean():.3f}, by bin {' '.join(shown)}")
    if name in TOO_ALIKE:
        assert loss.mean() < 0.005
        return
    assert said.mean() == pytest.approx(right.mean(), abs=0.08)
    for b in range(7):
        if (bins == b).sum() >= 100:
            assert said[bins == b].mean() - right[bins == b].mean() < 0.12
