"""Plans keep their promise: probabilities and losses stated, over pilots with known gaps."""

import pytest
from tests.budget.pilots import SETTINGS, kept


@pytest.mark.parametrize("name", SETTINGS)
def test_promises_are_kept_coverage(name):
    """A small run; `make prove` has the full one, whose figures stand in docs/budget.md."""
    found = kept(SETTINGS[name], 150, seed=16, stated=True, times=10)
    assert found["1000"] == pytest.approx(found["right 1000"], abs=0.07)
    assert found["now"] == pytest.approx(found["right now"], abs=0.09)


@pytest.mark.prove
@pytest.mark.parametrize("name", SETTINGS)
def test_promises_are_kept_full_coverage(name):
    """Within .02 of the probability and 15 % of the loss where the prior stated is the true one."""
    setting = SETTINGS[name]
    stated = kept(setting, 6000, seed=161, stated=True, times=10)
    flat = kept(setting, 6000, seed=161, stated=False, times=10)
    for kind, found in (("prior stated", stated), ("flat prior", flat)):
        print(
            f"{name}, {kind}: now {found['now']:.3f} kept {found['right now']:.3f}, "
            f"1,000 items {found['1000']:.3f} kept {found['right 1000']:.3f}, "
            f"target {found['target']:.3f} kept {found['right target']:.3f}, "
            f"loss {1e4 * found['loss']:.2f} kept {1e4 * found['lost']:.2f}, "
            f"after 1,000 {1e4 * found['left 1000']:.2f} kept {1e4 * found['lost 1000']:.2f}"
        )
    if setting.gap is not None:  # one gap and no other: no prior to be calibrated by
        assert stated["right target"] >= 0.93
        return
    for promised in ("now", "1000", "target"):
        assert stated[promised] == pytest.approx(stated[f"right {promised}"], abs=0.02)
    assert stated["loss"] == pytest.approx(stated["lost"], rel=0.15)
    assert stated["left 1000"] == pytest.approx(stated["lost 1000"], rel=0.15)
